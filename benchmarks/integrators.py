"""Cost of an integration step by step method, per evaluation of the right-hand side, against SciPy's DOP853.

Four pendulums coupled by springs: 8 states. All methods call the same machine code.
Run: python benchmarks/integrators.py
"""

import platform
import statistics
import time

import casadi as ca
import numba
import numpy as np
import scipy
from scipy.integrate import solve_ivp

from flexarm.codegen.native import compile_native
from flexarm.solvers.base import Problem, start

REPETITIONS = 21
END, SAMPLES = 10.0, 1001
RTOL, ATOL = 1e-9, 1e-11


def pendulums(n=4, stiffness=400.0):
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2 * n), ca.SX.sym("p", 0)
    q, q_d = y[:n], y[n:]
    pull = [stiffness * (q[(i + 1) % n] - 2 * q[i] + q[i - 1]) for i in range(n)]
    q_dd = [pull[i] - 9.81 * ca.sin(q[i]) for i in range(n)]
    return compile_native(ca.Function("pendulums", [t, y, p], [ca.vertcat(q_d, *q_dd)]))


def run(method, problem, times):
    """Evaluations of one whole integration."""
    integration = start(method, problem)
    done = 0
    while done < times.size:
        done += len(integration.advance(times[done:]))
    return integration.evaluations


def median_seconds(action):
    action()  # first call: caches, and slices of known length
    times = []
    for _ in range(REPETITIONS):
        begin = time.perf_counter()
        result = action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), result


def main():
    rhs = pendulums()
    y0 = np.concatenate([np.linspace(0.2, 1.0, 4), np.zeros(4)])
    problem = Problem(rhs, 0.0, y0, np.empty(0), rtol=RTOL, atol=ATOL, step=1e-3)
    times = np.linspace(0, END, SAMPLES)

    def scipy_dop853():
        return solve_ivp(rhs, (0, END), y0, method="DOP853", t_eval=times, rtol=RTOL, atol=ATOL).nfev

    calls = 10_000
    states = np.tile(y0, (calls, 1))
    alone, _ = median_seconds(lambda: rhs.map(np.zeros(calls), states))
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}, SciPy "
          f"{scipy.__version__}, numba {numba.__version__}; medians of {REPETITIONS}")  # fmt: skip
    print(f"right-hand side alone: {1e6 * alone / calls:.3f} us ({rhs.instructions} instructions)")
    print(f"{'method':>14} {'evaluations':>12} {'ms':>9} {'us/evaluation':>14}")
    for name, action in {
        "dop853": lambda: run("dop853", problem, times),
        "rk4": lambda: run("rk4", problem, times),
        "SciPy's DOP853": scipy_dop853,
    }.items():
        seconds, evaluations = median_seconds(action)
        print(f"{name:>14} {evaluations:12} {1e3 * seconds:9.2f} {1e6 * seconds / evaluations:14.3f}")


if __name__ == "__main__":
    main()

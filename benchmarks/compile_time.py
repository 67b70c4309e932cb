"""Time from a CasADi function to machine code, against the number of its instructions.

The functions are forward dynamics of chains of rigid bodies (articulated-body recursion), whose instruction
lists grow in proportion to the chain. Run: python benchmarks/compile_time.py
"""

import platform
import statistics
import time

import casadi as ca
import llvmlite
import numpy as np

from flexarm.codegen.instructions import instructions
from flexarm.codegen.native import compile_native

BODIES = (2, 5, 10, 20, 40, 80)
REPETITIONS = 3
CALLS = 200


def skew(v):
    return ca.vertcat(ca.horzcat(0, -v[2], v[1]), ca.horzcat(v[2], 0, -v[0]), ca.horzcat(-v[1], v[0], 0))


def motion_cross(v):
    return ca.vertcat(ca.horzcat(skew(v[:3]), ca.SX(3, 3)), ca.horzcat(skew(v[3:]), skew(v[:3])))


def transform(q, twist):
    """Spatial transform over a link of unit length and a joint turned by q whose axis is tilted by twist."""
    c, s, ct, st = ca.cos(q), ca.sin(q), np.cos(twist), np.sin(twist)
    E = ca.vertcat(ca.horzcat(c, s * ct, s * st), ca.horzcat(-s, c * ct, c * st), ca.horzcat(0, -st, ct))
    return ca.vertcat(ca.horzcat(E, ca.SX(3, 3)), ca.horzcat(-E @ skew([1.0, 0.0, 0.1]), E))


def chain(n):
    """State equation of n bodies hinged one to another: Featherstone's articulated-body algorithm."""
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2 * n), ca.SX.sym("p", 2)
    q, q_d = y[:n], y[n:]
    axis = ca.SX(6, 1)
    axis[2] = 1
    c = skew([0.5, 0, 0])
    body = ca.vertcat(ca.horzcat(p[0] * (0.1 * ca.DM.eye(3) + c @ c.T), p[0] * c),
                      ca.horzcat(p[0] * c.T, p[0] * ca.DM.eye(3)))  # fmt: skip
    transforms = [transform(q[i], 0.3 + 0.1 * i) for i in range(n)]
    rates, bias, inertia, force = [], [], [body] * n, []
    velocity = ca.SX.zeros(6)
    for i in range(n):
        velocity = transforms[i] @ velocity + axis * q_d[i]
        rates.append(velocity)
        bias.append(motion_cross(velocity) @ axis * q_d[i])
        force.append(-motion_cross(velocity).T @ (body @ velocity))
    columns, rest = [None] * n, [None] * n
    for i in reversed(range(n)):
        columns[i] = inertia[i] @ axis
        rest[i] = -p[1] * q_d[i] - axis.T @ force[i]
        if i:
            inner = inertia[i] - columns[i] @ columns[i].T / columns[i][2]
            inner_force = force[i] + inner @ bias[i] + columns[i] * (rest[i] / columns[i][2])
            inertia[i - 1] = inertia[i - 1] + transforms[i].T @ inner @ transforms[i]
            force[i - 1] = force[i - 1] + transforms[i].T @ inner_force
    acceleration, q_dd = ca.vertcat(ca.SX.zeros(3), 9.81, 0, 0), []
    for i in range(n):
        acceleration = transforms[i] @ acceleration + bias[i]
        q_dd.append((rest[i] - columns[i].T @ acceleration) / columns[i][2])
        acceleration += axis * q_dd[-1]
    return ca.Function("chain", [t, y, p], ca.cse([ca.densify(ca.vertcat(q_d, *q_dd))]))


def seconds(action):
    """Median time of an action, and its last result."""
    times = []
    for _ in range(REPETITIONS):
        begin = time.perf_counter()
        result = action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), result


def main():
    print(f"{platform.machine()}, Python {platform.python_version()}, CasADi {ca.__version__}, "
          f"llvmlite {llvmlite.__version__}; medians of {REPETITIONS}")  # fmt: skip
    print(
        f"{'bodies':>7} {'instructions':>13} {'walk s':>8} {'compile s':>10} {'us/instr.':>10} {'run us':>8}"
    )
    for n in BODIES:
        f = chain(n)
        walk, _ = seconds(lambda f=f: instructions(f))
        total, native = seconds(lambda f=f: compile_native(f))
        states = np.random.default_rng(0).uniform(-0.1, 0.1, (CALLS, 2 * n))
        run, _ = seconds(lambda native=native, y=states: native.map(np.zeros(CALLS), y, [1.0, 0.1]))
        each = 1e6 * total / native.instructions
        print(
            f"{n:7} {native.instructions:13} {walk:8.3f} {total:10.3f} {each:10.1f} {1e6 * run / CALLS:8.2f}"
        )


if __name__ == "__main__":
    main()

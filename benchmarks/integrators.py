"""Integrators on the same machine code: seconds and error at equal tolerance, and seconds at equal error.

All of them get the function that flexarm compiles: flexarm's own and CVODES by its address, SciPy's as a Python
callable. CasADi's integrator, which is CVODES as well, gets the same list of operations for its interpreter. Errors
are those of a joint angle against SciPy's DOP853 with a relative tolerance of 1e-13. Links keep their length as they
bend (geometric_stiffening: false, as the arm of the papers says).

Run: python benchmarks/integrators.py [--quick]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import casadi as ca
import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import SpeedRow, print_speed_rows, print_table
from measuring.timing import in_turn
from peers.cvodes import Cvodes
from scipy.integrate import solve_ivp

import flexarm
from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction
from flexarm.comparison.cost_scaling import equal_links
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.solve import solve

ROBOTS = Path(__file__).parents[1] / "robots"
TOLERANCES = (1e-4, 1e-7, 1e-10)
ATOL = 1e-2
"""In units of rtol."""
STEPS = (1e-3, 5e-4, 2.5e-4)  # s, of rk4
WANTED = (1e-6, 1e-9)  # rad
OWN = "flexarm dop853"
BUDGET, QUICK_BUDGET = 2.0, 0.0  # s, each arm
QUICK_DURATION = 0.1
"""Of the whole time, with --quick."""
SAMPLES = 61
ROW, ROW_ERROR = "arm of Usoro et al., 3 s, to 1e-9 rad", 1e-9
PEERS = {
    "CVODES Adams, by address": "CVODES on the same machine code",
    "SciPy DOP853": "SciPy's DOP853 on the same machine code",
}
"""The rows of docs/speed.md: error, and what else is compared there."""


class Equations(NamedTuple):
    """y' = f(y) of an arm in free motion: for machines, for CasADi, from y0 to the end [s]."""

    native: NativeFunction
    y: ca.SX
    slope: ca.SX
    y0: np.ndarray
    joints: list[int]
    times: np.ndarray


class Run(NamedTuple):
    """A method at one tolerance (or step): its action returns states (SAMPLES, n) and the number of evaluations."""

    method: str
    setting: float
    action: Callable[[], tuple[np.ndarray, int | None]]


def equations_of(arm: Any, duration: float, angles: list[float]) -> Equations:
    equations = flexarm.motion_equations(arm)
    n, joints = equations.n_dof, list(equations.coordinates.moving_joints)
    y = ca.SX.sym("y", 2 * n)
    slope = ca.vertcat(y[n:], equations.forward_function(y[:n], y[n:], ca.SX.zeros(n)))
    native = compile_native(ca.Function("f", [ca.SX.sym("t"), y, ca.SX.sym("p", 0)], [ca.cse(slope)]))
    y0 = np.zeros(2 * n)
    y0[joints] = angles
    return Equations(native, y, slope, y0, joints, np.linspace(0, duration, SAMPLES))


def flexarm_run(e: Equations, method: str, **settings: Any) -> tuple[np.ndarray, int]:
    states, integration = solve(
        method, InitialValueProblem(e.native, 0.0, e.y0, np.empty(0), **settings), e.times
    )
    assert integration.failure is None, integration.failure
    return states, integration.evaluations


def scipy_run(e: Equations, method: str, rtol: float) -> tuple[np.ndarray, int]:
    solution = solve_ivp(e.native, (0, e.times[-1]), e.y0, method, e.times, rtol=rtol, atol=ATOL * rtol)
    return solution.y.T, solution.nfev


def casadi_run(e: Equations, rtol: float) -> Callable[[], tuple[np.ndarray, None]]:
    options = {"reltol": rtol, "abstol": ATOL * rtol, "max_num_steps": 10_000_000, "linear_multistep_method": "adams",
               "nonlinear_solver_iteration": "functional"}  # fmt: skip
    solver = ca.integrator("cvodes", "cvodes", {"x": e.y, "ode": e.slope}, 0, e.times[1:], options)
    return lambda: (np.vstack([e.y0, solver(x0=e.y0)["xf"].full().T]), None)


def cvodes_run(cvodes: Cvodes, e: Equations, rtol: float) -> tuple[np.ndarray, int]:
    return cvodes.solve(e.times, rtol, ATOL * rtol), cvodes.evaluations


def runs(e: Equations) -> list[Run]:
    cvodes = Cvodes(e.native, e.y0)
    adaptive: dict[str, Callable[[float], Callable[[], tuple[np.ndarray, int | None]]]] = {
        OWN: lambda rtol: lambda: flexarm_run(e, "dop853", rtol=rtol, atol=ATOL * rtol),
        "SciPy DOP853": lambda rtol: lambda: scipy_run(e, "DOP853", rtol),
        "SciPy LSODA": lambda rtol: lambda: scipy_run(e, "LSODA", rtol),
        "CVODES Adams, by address": lambda rtol: lambda: cvodes_run(cvodes, e, rtol),
        "CVODES Adams, by CasADi": lambda rtol: casadi_run(e, rtol),
    }
    steps = [Run("flexarm rk4", h, lambda h=h: flexarm_run(e, "rk4", step=h)) for h in STEPS]
    return [Run(name, rtol, make(rtol)) for name, make in adaptive.items() for rtol in TOLERANCES] + steps


def seconds_at(points: list[tuple[float, float]], wanted: float) -> float | None:
    """Interpolate seconds between (error, seconds) on logarithmic scales; None outside of them."""
    errors, seconds = np.log(np.array(sorted(points))).T
    if not errors[0] <= np.log(wanted) <= errors[-1]:
        return None
    return float(np.exp(np.interp(np.log(wanted), errors, seconds)))


class Comparison:
    """Seconds and errors of every method on one arm.

    Parameters
    ----------
    title : str
    e : Equations
    budget : float [s]
        For further rounds, in turn.
    """

    def __init__(self, title: str, e: Equations, budget: float):
        self.title = f"{title}, {e.times[-1]:g} s: {e.y0.size} states, {e.native.instructions} instructions"
        reference = scipy_run(e, "DOP853", 1e-13)[0][:, e.joints]
        self._runs = runs(e)
        found = [run.action() for run in self._runs]
        self._evaluations = [evaluations for _, evaluations in found]
        self._errors = [float(np.abs(states[:, e.joints] - reference).max()) for states, _ in found]
        actions = {f"{run.method} {run.setting}": run.action for run in self._runs}
        self._seconds = [taken.median for taken in in_turn(actions, budget, least=1, warm=False).values()]

    def seconds_at(self, method: str, wanted: float) -> float | None:
        """Seconds of a method for an error [rad], between its own ones on logarithmic scales; None outside of them."""
        points = [
            (error, seconds)
            for run, error, seconds in zip(self._runs, self._errors, self._seconds, strict=True)
            if run.method == method
        ]
        errors, seconds = np.log(np.array(sorted(points))).T
        if not errors[0] <= np.log(wanted) <= errors[-1]:
            return None
        return float(np.exp(np.interp(np.log(wanted), errors, seconds)))

    def report(self) -> None:
        """Print seconds and errors at equal settings, then seconds at equal errors."""
        print(self.title)
        measured = list(zip(self._runs, self._seconds, self._errors, self._evaluations, strict=True))
        own = {run.setting: seconds for run, seconds, *_ in measured if run.method == OWN}
        rows = [
            (run.method, f"{run.setting:.1e}", f"{seconds / own[run.setting]:.1f}" if run.setting in own else None,
             f"{1e3 * seconds:.2f}", f"{error:.1e}", evaluations)
            for run, seconds, error, evaluations in measured
        ]  # fmt: skip
        print_table(("", "rtol (step s)", f"times {OWN}'s", "ms", "error rad", "evaluations"), rows)
        header = [cell for wanted in WANTED for cell in ("ratio", f"ms at {wanted:.0e} rad")]
        methods = dict.fromkeys(run.method for run in self._runs)
        print_table(("at equal error", *header), [(name, *self._at_equal_error(name)) for name in methods])

    def _at_equal_error(self, method: str) -> Iterator[str | None]:
        for wanted in WANTED:
            own, seconds = self.seconds_at(OWN, wanted), self.seconds_at(method, wanted)
            yield f"{seconds / own:.1f}" if seconds and own else None
            yield f"{1e3 * seconds:.2f}" if seconds else None


def main() -> None:
    quick = is_quick(__doc__)
    budget, part = (QUICK_BUDGET, QUICK_DURATION) if quick else (BUDGET, 1.0)
    print(f"{heading('flexarm', 'casadi', 'scipy', quick=quick)}; processor time, medians")
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    usoro = Comparison(
        "arm of Usoro et al.", equations_of(arm, 3.0 * part, [-np.pi / 2, np.radians(5)]), budget
    )
    usoro.report()
    chain = equations_of(equal_links(6, 2), 0.5 * part, [0.3] * 6)
    Comparison("6 links in space, 2 modes each", chain, budget).report()
    own = usoro.seconds_at(OWN, ROW_ERROR)
    theirs = {name: usoro.seconds_at(method, ROW_ERROR) for method, name in PEERS.items()}
    rows = [SpeedRow(ROW, own, name, seconds) for name, seconds in theirs.items() if own and seconds]
    print_speed_rows(__file__, rows)


if __name__ == "__main__":
    main()

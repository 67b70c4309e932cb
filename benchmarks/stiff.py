"""Stiff equations: milliseconds and errors of implicit methods, of dop853 and of auto at equal tolerances.

All methods get the functions that flexarm compiles, f and its exact Jacobian: flexarm's own by their addresses, SciPy's
as Python callables. CVODES gets the same list of operations through CasADi, whose interpreter evaluates it. Errors are
the largest of all coordinates (or states) at SAMPLES instants, which most methods interpolate, against dop853 with a
relative tolerance of 1e-12; that this is right, radau with 1e-11 confirms.

Run: python benchmarks/stiff.py [--quick]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import casadi as ca
import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import SpeedRow, print_speed_rows, print_table
from measuring.timing import in_turn
from scipy.integrate import solve_ivp

import flexarm
from flexarm.codegen.native import compile_native, state_jacobian
from flexarm.codegen.parameter_hoisting import BoundFunction
from flexarm.simulation.forward.free_motion import free_motion, initial_state_of, with_jacobian
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.solve import solve

TOLERANCES = (1e-4, 1e-6, 1e-8)
ATOL = 1e-2
"""In units of rtol."""
REFERENCE, CONFIRMATION = 1e-12, 1e-11
SAMPLES = 61
BUDGET, QUICK_BUDGET = 2.0, 0.0  # s, each problem
QUICK_DURATION = 0.01
"""Of the whole time, with --quick."""
OWN, EXPLICIT, AUTO, SCIPY = "flexarm radau", "flexarm dop853", "flexarm auto", "SciPy Radau"
ROW_PROBLEM, ROW_RTOL = "axial modes, Kelvin-Voigt 5e-3 s", 1e-6
ROW = "two strongly damped links with axial modes, 1 s, rtol 1e-6: `radau`"
PEERS = {SCIPY: "SciPy's Radau on the same machine code", EXPLICIT: "`dop853`"}
"""The rows of docs/speed.md: what else is compared there."""

LINK = "length: 1.0, mu: 2.0, EI: 2000.0, EA: 2.0e+7"
AXIAL = "modes: [{family: clamped-free, count: 2}, {family: fixed-free, count: 1, direction: axial}]"
RELEASED = "initial: {joints: [-60 deg, 20 deg]}"


def two_links(rest: str, damping: str) -> str:
    """Two links that fall, with bending and axial modes."""
    link = f"{{{LINK}, {AXIAL}, damping: {damping}}}"
    return f"links:\n  - {link}\n  - {link}\n{rest}\n"


ARMS = {
    "axial modes, Kelvin-Voigt 1e-4 s": two_links(RELEASED, "{retardation: 1.0e-4}"),
    "axial modes, Kelvin-Voigt 5e-3 s": two_links(RELEASED, "{retardation: 5.0e-3}"),
    "joints of 1e6 N m/rad, rotors, stiff PD": """
links:
  - {length: 0.5, mu: 2.0}
  - {length: 0.5, mu: 1.0, EI: 100.0, modes: {family: clamped-free, count: 2}, damping: 0.01}
joints:
  - {stiffness: 1.0e+6, damping: 500, motor: {inertia: 1.0e-4, gear: 100}}
  - {stiffness: 1.0e+6, damping: 200, motor: {inertia: 1.0e-4, gear: 50}}
initial: {joints: [-70 deg, 60 deg], equilibrium: true}
drive:
  - {pd: {kp: 1.0e+5, kd: 5.0e+3, reference: "-1.2217 + 0.5*sin(2*t)"}}
  - {pd: {kp: 1.0e+5, kd: 2.0e+3, reference: "1.0472 + 0.5*sin(3*t)"}}
""",
    "dry friction, smoothed over 1e-3 rad/s": """
links:
  - {length: 0.5, mu: 2.0}
  - {length: 0.5, mu: 1.0, EI: 100.0, modes: {family: clamped-free, count: 2}, damping: 0.01}
joints:
  - {friction: {coulomb: 2.0, viscous: 0.1, smoothing: 1.0e-3}}
  - {friction: {coulomb: 1.0, viscous: 0.1, smoothing: 1.0e-3}}
initial: {joints: [-70 deg, 40 deg]}
""",
    "32 segments, Kelvin-Voigt 1e-4 s": """
links: [{length: 1.0, mu: 10.0, EI: 20.0, segments: 32, modes: 2, damping: {retardation: 1.0e-4}}]
initial: {joints: [0 deg]}
""",
    "a controller with a pole at 1e5 1/s": """
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 1.0, EI: 100.0, modes: {family: clamped-free, count: 2}, damping: 0.02}]
joints: [{stiffness: 1000, damping: 1.0, motor: {inertia: 1.0e-3, gear: 1}}]
drive: [{pd: {kp: 1000, kd: 100, reference: "0.5*sin(3*t)"}}]
""",
}


class Stiff(NamedTuple):
    """A stiff problem, its symbolic equations for CasADi, and what errors are measured of."""

    title: str
    problem: InitialValueProblem
    symbolic: tuple[ca.SX, ca.SX, ca.SX]
    measured: slice
    times: np.ndarray

    @property
    def jacobian(self) -> Any:
        """d f/d y, which every method here has."""
        assert self.problem.jacobian is not None
        return self.problem.jacobian


def of_arm(name: str, text: str, duration: float) -> Stiff:
    """The motion of an arm."""
    arm = flexarm.parse_arm(f"name: stiff\n{text}\nrun: {{duration: 1.0, sample: 0.01, method: radau}}")
    model = ParametricModel([arm])
    instance = model.instance(arm)
    problem = with_jacobian(free_motion(model, instance, initial_state_of(model, instance)), model, instance)
    rhs = model.state_equation.rhs
    t, y = ca.SX.sym("t"), ca.SX.sym("y", problem.y0.size)
    slope = rhs(t, y, instance.parameters, *[ca.DM.zeros(0, 1)] * (rhs.n_in() - 3))
    measured = slice(0, model.state_equation.layout.first_rate)
    return Stiff(name, problem, (t, y, slope), measured, np.linspace(0, duration, SAMPLES))


def van_der_pol(duration: float) -> Stiff:
    """Van der Pol's equation as in [HW96, section IV.10]: long stretches in which nothing but stiffness is fast."""
    t, y = ca.SX.sym("t"), ca.SX.sym("y", 2)
    slope = ca.vertcat(y[1], ((1 - y[0] ** 2) * y[1] - y[0]) / 1e-6)
    f = ca.Function("f", [t, y, ca.SX.sym("p", 0)], [slope])
    jacobian = BoundFunction(compile_native(state_jacobian(f)), np.empty(0))
    problem = InitialValueProblem(compile_native(f), 0.0, np.array([2.0, -0.66]), np.empty(0), jacobian)
    return Stiff(
        "van der Pol, epsilon 1e-6",
        problem,
        (t, y, slope),
        slice(0, 1),
        np.linspace(0, 2 * duration, SAMPLES),
    )


def own_run(s: Stiff, method: str, rtol: float) -> tuple[np.ndarray, int]:
    states, integration = solve(method, replace(s.problem, rtol=rtol, atol=ATOL * rtol), s.times)
    assert integration.failure is None, integration.failure
    return states, integration.steps


def scipy_run(s: Stiff, method: str, rtol: float) -> tuple[np.ndarray, None]:
    f, p, jacobian = s.problem.rhs, s.problem.p, s.jacobian
    n = s.problem.y0.size
    solution = solve_ivp(
        lambda t, y: f(t, y, p), (0, s.times[-1]), s.problem.y0, method, s.times, rtol=rtol, atol=ATOL * rtol,
        jac=lambda t, y: jacobian(t, y).reshape(n, n),
    )  # fmt: skip
    return solution.y.T, None


def casadi_run(s: Stiff, rtol: float) -> Callable[[], tuple[np.ndarray, None]]:
    t, y, slope = s.symbolic
    options = {"reltol": rtol, "abstol": ATOL * rtol, "max_num_steps": 10_000_000}
    solver = ca.integrator("cvodes", "cvodes", {"x": y, "t": t, "ode": slope}, 0, s.times[1:], options)
    return lambda: (np.vstack([s.problem.y0, solver(x0=s.problem.y0)["xf"].full().T]), None)


METHODS: dict[str, Callable[[Stiff, float], Callable[[], tuple[np.ndarray, int | None]]]] = {
    OWN: lambda s, rtol: lambda: own_run(s, "radau", rtol),
    EXPLICIT: lambda s, rtol: lambda: own_run(s, "dop853", rtol),
    AUTO: lambda s, rtol: lambda: own_run(s, "auto", rtol),
    SCIPY: lambda s, rtol: lambda: scipy_run(s, "Radau", rtol),
    "SciPy BDF": lambda s, rtol: lambda: scipy_run(s, "BDF", rtol),
    "SciPy LSODA": lambda s, rtol: lambda: scipy_run(s, "LSODA", rtol),
    "CVODES BDF, by CasADi": casadi_run,
}


class Measured(NamedTuple):
    """A method at one tolerance."""

    method: str
    rtol: float
    seconds: float
    error: float
    steps: int | None


def compare(s: Stiff, budget: float) -> list[Measured]:
    """Run every method at every tolerance, and print a table."""
    reference = own_run(s, "dop853", REFERENCE)[0][:, s.measured]
    doubt = np.abs(own_run(s, "radau", CONFIRMATION)[0][:, s.measured] - reference).max()
    print(f"{s.title}, {s.times[-1]:g} s: {s.problem.y0.size} states; reference within {doubt:.0e}")
    actions = {(name, rtol): make(s, rtol) for name, make in METHODS.items() for rtol in TOLERANCES}
    found = {key: action() for key, action in actions.items()}
    taken = in_turn({str(key): action for key, action in actions.items()}, budget, least=1, warm=False)
    rows = [
        Measured(*key, taken[str(key)].median, float(np.abs(states[:, s.measured] - reference).max()), steps)
        for key, (states, steps) in found.items()
    ]
    own = {row.rtol: row.seconds for row in rows if row.method == OWN}
    print_table(
        ("", "rtol", "times radau's", "ms", "error", "steps"),
        [
            (row.method, f"{row.rtol:.0e}", f"{row.seconds / own[row.rtol]:.2f}", f"{1e3 * row.seconds:.2f}",
             f"{row.error:.1e}", row.steps)
            for row in rows
        ],
    )  # fmt: skip
    return rows


def main() -> None:
    quick = is_quick(__doc__)
    budget, duration = (QUICK_BUDGET, QUICK_DURATION) if quick else (BUDGET, 1.0)
    print(f"{heading('flexarm', 'casadi', 'scipy', quick=quick)}; processor time, medians")
    problems = [of_arm(name, text, duration) for name, text in ARMS.items()]
    found = {problem.title: compare(problem, budget) for problem in [*problems, van_der_pol(duration)]}
    seconds = {row.method: row.seconds for row in found[ROW_PROBLEM] if row.rtol == ROW_RTOL}
    print_speed_rows(
        __file__, [SpeedRow(ROW, seconds[OWN], name, seconds[peer]) for peer, name in PEERS.items()]
    )


if __name__ == "__main__":
    main()

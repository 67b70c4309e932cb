"""Initial value problems with known solutions, compiled like an arm's equations."""

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native, state_jacobian
from flexarm.codegen.parameter_hoisting import BoundFunction
from flexarm.solvers.base import Failure, InitialValueProblem, Integration, start

T, P = ca.SX.sym("t"), ca.SX.sym("p", 0)


def problem(y, y_d, y0, **options):
    """y' = y_d(T, y) from y0 at t0, which is 0 unless it is given."""
    f = ca.Function("f", [T, y, P], [ca.densify(y_d)])
    options = {"step": 0.01, "t0": 0.0, **options}
    return InitialValueProblem(
        rhs=compile_native(f),
        jacobian=BoundFunction(compile_native(state_jacobian(f)), np.empty(0)),
        y0=np.array(y0, dtype=float),
        p=np.empty(0),
        **options,
    )


ECCENTRICITY = 0.3


def kepler(**options):
    """Motion about a centre of gravity, from the point closest to it; one turn takes 2 pi."""
    y = ca.SX.sym("y", 4)
    cubed = (y[0] ** 2 + y[1] ** 2) ** 1.5
    e = ECCENTRICITY
    start_state = [1 - e, 0, 0, np.sqrt((1 + e) / (1 - e))]
    return problem(y, ca.vertcat(y[2], y[3], -y[0] / cubed, -y[1] / cubed), start_state, **options)


def kepler_states(times):
    """Exact states of `kepler`, (k, 4), by Newton's method on Kepler's equation E - e sin E = t."""
    e, times = ECCENTRICITY, np.asarray(times, dtype=float)
    E = times.copy()
    for _ in range(50):
        E -= (E - e * np.sin(E) - times) / (1 - e * np.cos(E))
    b, E_d = np.sqrt(1 - e**2), 1 / (1 - e * np.cos(E))
    return np.column_stack([np.cos(E) - e, b * np.sin(E), -np.sin(E) * E_d, b * np.cos(E) * E_d])


def run(method, problem, times, chunks=1) -> tuple[np.ndarray, Integration]:
    """Integrate through all sample times, handed over in chunks."""
    integration = start(method, problem)
    pieces = [np.empty((0, problem.y0.size))]
    for chunk in np.array_split(np.asarray(times, dtype=float), chunks):
        pieces.extend(integration.pieces(chunk))
    return np.concatenate(pieces), integration


def one_step_per_call(integration) -> None:
    """Have the next call of a compiled integration end after one step."""
    getattr(integration, "present", integration)._budget.steps = 1


def failure(method, problem, end) -> tuple[np.ndarray, Failure]:
    """States at 100 samples up to `end`, as far as they go, and why they do not go further."""
    states, integration = run(method, problem, np.linspace(0, end, 101))
    assert integration.failure is not None
    return states, integration.failure

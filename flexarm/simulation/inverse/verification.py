"""Verification of an inverse motion: its torques, fed to the forward dynamics, must lead the tip along the path."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.errors import SolverError
from flexarm.formulations.formulation import make_formulation
from flexarm.progress import Progress
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.piecewise_polynomials import interpolated
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import Solution
from flexarm.simulation.inverse.task.minimal_coordinates import chain_motion_of, minimal_accelerations
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.intervals import Intervals
from flexarm.solvers.solve import solve

RTOL, ATOL = 1e-10, 1e-12
AMPLIFIED = 100.0
"""Factor by which an unstable arm may multiply an error before its simulation starts again from the computed state."""
POSTURES, SHIFT = 60, 1e-6
"""Postures at which the growth of errors is looked at, and the shift of the differences that show it."""
REFUTED = 1e-5
"""Distance of the simulated tip from its path, of the arm's length, from which on a motion is refuted."""


def verified_error(solution: Solution, progress: Progress | None = None) -> float:
    """Feed the torques to the forward dynamics; return the tip's largest distance from its path [m].

    The simulation starts from the computed state at t = 0 and runs without feedback to the end of the trajectory. Of
    angles of the tip, or joint angles, that are prescribed the largest error counts as well.

    An arm that falls over by itself multiplies any round-off by exp(growth t), so that no torques as functions of time
    alone keep it up for long. Where that factor exceeds :data:`AMPLIFIED` the simulation starts again from the computed
    state: an error of the torques shows within each piece all the same.

    Raises
    ------
    SolverError
        The integration fails.
    """
    problem, times = solution.problem, solution.problem.times()
    forward = _forward_dynamics(solution)
    motions = solution.at(times)
    states = np.concatenate(motions[:2], axis=1)
    growth = _growth(forward, times, states)
    thetas = np.empty_like(motions[0])
    first = 0
    while first < times.size - 1:
        grown = np.cumsum(growth[first:-1] * np.diff(times[first:]))
        last = first + max(1, int(np.searchsorted(grown, np.log(AMPLIFIED))))
        last = min(last, times.size - 1)
        thetas[first : last + 1] = _simulated(
            problem, forward, times[first : last + 1], states[first], progress
        )
        first = last
    missing = problem.task.error(problem.reference(times).p, problem.kinematics.map(thetas)[0])
    positions = problem.task.positions
    others = np.delete(missing, positions, axis=1)
    return float(max(np.linalg.norm(missing[:, positions], axis=1).max(), np.abs(others).max(initial=0.0)))


def refusal(solution: Solution, error: float) -> str:
    """Why a motion whose verification found some error [m, rad] is none to rely on; empty if it is one."""
    allowed = REFUTED * solution.problem.kinematics.size
    if error <= allowed:
        return ""
    return (
        f"the motion is refuted: simulated under its torques, the tip leaves its path by {error:.2g} m, and more than "
        f"{allowed:.2g} m is no round-off"
    )


def _forward_dynamics(solution: Solution) -> NativeFunction:
    """State equation (t, [theta, theta_d], p) of the arm under the torques found, which are functions of time alone."""
    problem = solution.problem
    arm, chain = problem.arm, problem.chain
    joints = [i for i, row in enumerate(chain.coordinates.joints) if row is not None]
    inside = (solution.mesh > 0) & (solution.mesh < problem.reference.duration)
    mesh = np.concatenate([[0.0], solution.mesh[inside], [problem.reference.duration]])
    torques = interpolated(lambda t: problem.recorder(t, solution.at(t))["torque"][:, joints], mesh)
    n, rows = chain.coordinates.n_dof, list(chain.coordinates.moving_joints)
    t, y, u = ca.SX.sym("t"), ca.SX.sym("y", 2 * n), ca.SX.sym("u", len(joints))
    moving = chain_motion_of(chain, y[:n], y[n:], ca.SX.zeros(n))
    forces = applied_forces(with_drives(arm), chain, Signals(t), moving.theta, moving.theta_d).forces(chain)
    forces[rows] += u
    accelerations = make_formulation(arm.run.formulation).accelerations(
        chain, moving.theta, moving.theta_d, forces
    )
    theta_dd = minimal_accelerations(chain, y[:n], y[n:], accelerations)
    f = ca.Function("verification", [t, y, ca.SX.sym("p", 0), u], [ca.densify(ca.vertcat(y[n:], theta_dd))])
    return compile_native(f, torques)


def _growth(forward: NativeFunction, times: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Largest growth rates (k,) [1/s] of deviations from states (k, n) at times (k,) [s], as if these stood still."""
    some = np.unique(np.linspace(0, times.size - 1, POSTURES).astype(int))
    matrices = np.empty((some.size, states.shape[1], states.shape[1]))
    for column in range(states.shape[1]):
        shift = np.zeros(states.shape[1])
        shift[column] = SHIFT
        ahead, behind = (forward.map(times[some], states[some] + sign * shift) for sign in (1.0, -1.0))
        matrices[:, :, column] = (ahead - behind) / (2 * SHIFT)
    rates = np.linalg.eigvals(np.nan_to_num(matrices)).real.max(axis=1)
    return np.interp(times, times[some], np.maximum(rates, 0.0))


def _simulated(
    problem: InverseProblem,
    forward: NativeFunction,
    times: np.ndarray,
    y0: np.ndarray,
    progress: Progress | None,
) -> np.ndarray:
    """Coordinates (k, n_dof) at times (k,) of the motion that starts at the first of them in y0 = [theta, theta_d]."""
    intervals = Intervals.around(problem.reference.breaks, float(times[0]), float(times[-1]))
    ivp = InitialValueProblem(
        forward, float(times[0]), y0, np.empty(0), rtol=RTOL, atol=ATOL, intervals=intervals
    )
    states, integration = solve("dop853", ivp.from_interval(0, y0), times, progress)
    if integration.failure is not None:
        raise SolverError(f"the simulation of the computed torques {integration.failure}")
    return states[:, : problem.chain.coordinates.n_dof]

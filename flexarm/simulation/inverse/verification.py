"""Verification of an inverse motion: its torques, fed to the forward dynamics, must lead the tip along the path."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.errors import SolverError
from flexarm.formulations.formulation import make_formulation
from flexarm.progress import Progress
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.piecewise_polynomials import interpolated
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import Solution
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.intervals import Intervals
from flexarm.solvers.solve import solve

RTOL, ATOL = 1e-10, 1e-12
REFUTED = 1e-5
"""Distance of the simulated tip from its path, of the arm's length, from which on a motion is refuted."""


def verified_error(solution: Solution, progress: Progress | None = None) -> float:
    """Feed the torques to the forward dynamics; return the tip's largest distance from its path [m].

    The simulation starts from the computed state at t = 0 and runs without feedback to the end of the trajectory. Of
    angles of the tip, or joint angles, that are prescribed the largest error counts as well.

    Raises
    ------
    SolverError
        The integration fails.
    """
    problem = solution.problem
    joints = [i for i, row in enumerate(problem.chain.coordinates.joints) if row is not None]
    inside = (solution.mesh > 0) & (solution.mesh < problem.reference.duration)
    mesh = np.concatenate([[0.0], solution.mesh[inside], [problem.reference.duration]])
    torques = interpolated(lambda t: problem.recorder(t, solution.at(t))["torque"][:, joints], mesh)
    theta, theta_d, _ = solution.at(np.zeros(1))
    times = problem.times()
    y0 = np.concatenate([theta[0], theta_d[0]])
    thetas = _forward_motion(problem, torques, y0, times, progress)
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


def _forward_motion(
    problem: InverseProblem,
    torques: list[PiecewisePolynomial],
    y0: np.ndarray,
    times: np.ndarray,
    progress: Progress | None,
) -> np.ndarray:
    """Coordinates (k, n_dof) at times (k,) under torques that are functions of time alone, one per moving joint.

    The motion starts at times[0] in the state y0 = [theta, theta_d].
    """
    arm, chain = problem.arm, problem.chain
    n, joints = chain.coordinates.n_dof, list(chain.coordinates.moving_joints)
    t, y, u = ca.SX.sym("t"), ca.SX.sym("y", 2 * n), ca.SX.sym("u", len(joints))
    forces = applied_forces(with_drives(arm), chain, Signals(t), y[:n], y[n:]).forces(chain)
    forces[joints] += u
    theta_dd = make_formulation(arm.run.formulation).accelerations(chain, y[:n], y[n:], forces)
    f = ca.Function("verification", [t, y, ca.SX.sym("p", 0), u], [ca.densify(ca.vertcat(y[n:], theta_dd))])
    intervals = Intervals.around(problem.reference.breaks, float(times[0]), float(times[-1]))
    integrated = InitialValueProblem(
        compile_native(f, torques),
        float(times[0]),
        y0,
        np.empty(0),
        rtol=RTOL,
        atol=ATOL,
        intervals=intervals,
    )
    states, integration = solve("dop853", integrated.from_interval(0, y0), times, progress)
    if integration.failure is not None:
        raise SolverError(f"the simulation of the computed torques {integration.failure}")
    return states[:, :n]

"""Why no bounded motion was found: what is known of the arm and its trajectory where Newton's method stalls."""

from __future__ import annotations

import numpy as np

from flexarm.errors import ModelError, SolverError
from flexarm.simulation.inverse.methods.actuation import ActuationInterval
from flexarm.simulation.inverse.methods.bounded_motion import BoundedMotion
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.zero_dynamics import linear_zero_dynamics
from flexarm.solvers.boundary_value_problem import ConvergenceError

POSTURES = 60
"""Postures along the trajectory at which the zeros are looked at."""


def no_solution(
    problem: InverseProblem, interval: ActuationInterval, failure: ConvergenceError, speed: float
) -> SolverError:
    """Error for a method that stalls, the trajectory having been followed at so much of its speed."""
    row = failure.row - len(problem.dynamics.joint_rows)
    labels = problem.chain.coordinates.labels
    name = labels[(problem.dynamics.joint_rows if row < 0 else problem.dynamics.mode_rows)[row]]
    reached = f"a bounded motion was found at {speed:.0%} of the speed, " if 0 < speed < 1 else ""
    message = (
        f"{problem.where}: stable inversion finds no bounded motion: {reached}"
        f"{failure.message}; the largest residual is {failure.size:.2g} in {name} at t = {failure.time:.4g} s"
    )
    reason = _changing_zeros(problem, interval)
    return SolverError(f"{message}; {reason}" if reason else message, hint=_remedy(problem, interval, reason))


def unresolved(
    problem: InverseProblem, interval: ActuationInterval, found: BoundedMotion, worst: int
) -> SolverError:
    """Error for a motion whose defect does not get smaller as the mesh is refined."""
    mesh = found.states.mesh
    message = (
        f"{problem.where}: stable inversion: at t = {mesh[worst]:.4g} s the equations are fulfilled to "
        f"{found.defects[worst]:.1g} of the forces only, with intervals of {np.diff(mesh)[worst]:.2g} s"
    )
    reason = _changing_zeros(problem, interval)
    return SolverError(f"{message}; {reason}" if reason else message, hint=_remedy(problem, interval, reason))


def _changing_zeros(problem: InverseProblem, interval: ActuationInterval) -> str:
    """Where on the way the number of unstable zeros changes, if it does."""
    reference = interval.reference
    times = np.linspace(0.0, reference.reference.duration, POSTURES)
    desired = reference(times)
    try:
        thetas = problem.kinematics.follow(times, desired.p, problem.start, problem.where)
    except ModelError:
        return ""
    frozen = linear_zero_dynamics(problem.dynamics, times, problem.dynamics.state(thetas), desired)
    counts = np.array([len(linear.unstable_zeros) for linear in frozen])
    if not np.any(np.diff(counts)):
        return ""
    k = int(np.flatnonzero(np.diff(counts))[0])
    signs = [np.linalg.slogdet(linear.M)[0] for linear in frozen[k : k + 2]]
    crossing = (
        "the matrix of the internal dynamics is singular there, a pair of zeros goes through infinity"
        if signs[0] != signs[1]
        else "zeros cross the imaginary axis there"
    )
    return (
        f"the number of unstable zeros changes from {counts[k]} to {counts[k + 1]} between t = {times[k]:.4g} and "
        f"{times[k + 1]:.4g} s: {crossing}, so that a bounded motion may not exist"
    )


def _remedy(problem: InverseProblem, interval: ActuationInterval, reason: str) -> str:
    """What has helped others."""
    if reason:
        return "look for a path along which the number of unstable zeros does not change"
    shape = problem.trajectory.line or problem.trajectory.circle
    others = [f"`law: {law}`" for law in ("nonic", "smooth") if shape and law != shape.law]
    if others and interval.first.unstable_zeros.size:
        return f"try {' or '.join(others)}, a slower trajectory or fewer modes"
    return "try a slower trajectory, a stiffer arm or fewer modes"

"""Rigid motion: how an arm with rigid links follows a trajectory; [SY94] figures 3 and 5 compare with it."""

from __future__ import annotations

import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.inverse.generalised_jacobian import check_dynamically_regular
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.intervals import Intervals
from flexarm.solvers.solve import solve

RTOL, ATOL = 1e-11, 1e-13
STEPS = 600
"""Intervals of the tables of a trajectory, and steps of its integration, at least."""
MANY, BLOCK = 2000, 20_000
"""Times at which postures are found one after the other; of more, so many at once, from some of them."""


def rigid_motion(
    problem: InverseProblem,
    reference: ExtendedTrajectory,
    times: np.ndarray,
    progress: Progress | None = None,
) -> Motion:
    """Follow a reference trajectory without deflections.

    Parameters
    ----------
    problem : InverseProblem
    reference : ExtendedTrajectory
        Of the problem.
    times : (k,) [s]
        Ascending, pre- and post-actuation included.

    Raises
    ------
    ModelError
        The trajectory is out of reach, or singular.
    SolverError
        The motion of spare joints, or of a floating base, was not integrated.

    Notes
    -----
    With as many task rows as joints the posture follows from the task. With fewer, the rates are those of least norm
    [Siciliano1990], and their integral depends on the path taken: after a closed path the posture is in general another
    one [KleinHuang1983]. So does where a floating base is: nothing drives it,
    and its equations of motion, free of its joints' torques, are integrated from where and how it begins.
    """
    dynamics, desired = problem.rigid_dynamics, reference(times)
    if not problem.floats and problem.task.size == len(problem.kinematics.joints):
        return dynamics.full_motion(times, _followed(problem, reference, times, progress), desired)
    return dynamics.full_motion(times, _integrated(problem, reference, times, progress), desired)


def _followed(
    problem: InverseProblem,
    reference: ExtendedTrajectory,
    times: np.ndarray,
    progress: Progress | None = None,
) -> np.ndarray:
    """Postures (k, n_dof) at times (k,), found one from the other to both sides of the start of the trajectory."""
    where, end = problem.where, reference.reference.duration
    before, inside, after = times[times < 0][::-1], times[(times >= 0) & (times <= end)], times[times > end]
    to_start, from_end = "on the way from rest to its start", "on the way from its end to rest"
    backward = _in_blocks(problem, reference, before, problem.start, f"{where}: {to_start}")[::-1]
    forward = _in_blocks(problem, reference, inside, problem.start, where, progress)
    last = forward[-1] if len(forward) else problem.start
    return np.concatenate(
        [backward, forward, _in_blocks(problem, reference, after, last, f"{where}: {from_end}")]
    )


def _in_blocks(
    problem: InverseProblem,
    reference: ExtendedTrajectory,
    times: np.ndarray,
    theta: np.ndarray,
    where: str,
    progress: Progress | None = None,
) -> np.ndarray:
    """Postures (k, n_dof) at times (k,) [s] from theta (n_dof,) on: one by one, or where there are many in blocks."""
    kinematics, found = problem.kinematics, []
    if times.size <= MANY:
        return kinematics.follow(times, reference(times).p, theta, where)
    undeformed = np.zeros((BLOCK, len(problem.dynamics.undriven_rows)))
    for begin in range(0, times.size, BLOCK):
        block = times[begin : begin + BLOCK]
        found.append(
            kinematics.follow_bent(block, reference(block).p, theta, undeformed[: block.size], where)
        )
        theta = found[-1][-1]
        if progress is not None:
            progress((begin + block.size) / times.size, float(block[-1]))
    return np.concatenate(found)


def _integrated(
    problem: InverseProblem, reference: ExtendedTrajectory, times: np.ndarray, progress: Progress | None
) -> np.ndarray:
    """States (k, n_y) at times (k,), integrated from the first of them or, if it is later, from 0."""
    dynamics, kinematics = problem.rigid_dynamics, problem.kinematics
    first, last = min(float(times[0]), 0.0), float(times[-1])
    theta = problem.start if first == 0 else _followed(problem, reference, _steps_back(first))[0]
    y0 = dynamics.state(theta, problem.start_rates(dynamics))
    step = reference.reference.duration / STEPS
    tabled = reference.tabled(first, max(last, first + step), step)
    ivp = InitialValueProblem(
        compile_native(dynamics.along(tabled), tabled.tables),
        first,
        y0,
        np.empty(0),
        rtol=RTOL,
        atol=ATOL,
        max_steps=problem.arm.run.max_steps,
        intervals=Intervals.around(np.append(tabled.breaks, tabled.duration), first, tabled.duration, step),
    )
    states, integration = solve("dop853", ivp.from_interval(0, y0), times, progress)
    n = theta.size
    at = np.concatenate([[first], times[: len(states)], [integration.t]])
    thetas = np.concatenate([y0[None], states, integration.y[None]])[:, :n]
    kinematics.check_regular(at, thetas, problem.where)
    check_dynamically_regular(problem, at, thetas)
    if (failure := integration.failure) is not None:
        what = "a floating base" if problem.floats else "joint rates of least norm"
        raise SolverError(
            f"{problem.where}: {what}: the rigid arm's motion stopped at t = {failure.time:.6g} s: {failure.reason}",
            hint="prescribe another path or posture"
            if problem.floats
            else "prescribe as many coordinates as there are joints",
        )
    thetas = states[:, :n]
    missing = kinematics.correct(thetas, reference(times).p)
    worst = int(np.abs(missing).max(axis=1).argmax())
    kinematics.check_reached(missing[worst], float(times[worst]), problem.where)
    return states


def _steps_back(first: float) -> np.ndarray:
    """Ascending times up to 0 [s], near enough for each posture to be found from the next."""
    return np.linspace(first, 0.0, 100)

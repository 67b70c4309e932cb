"""Rigid motion: how an arm with rigid links follows a trajectory; [SY94] figures 3 and 5 compare with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.errors import SolverError
from flexarm.simulation.inverse.generalised_jacobian import check_dynamically_regular
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.intervals import Intervals
from flexarm.solvers.solve import solve

if TYPE_CHECKING:
    from flexarm.simulation.inverse.problem import InverseProblem

RTOL, ATOL = 1e-11, 1e-13
STEPS = 600
"""Intervals of the tables of a trajectory, and steps of its integration, at least."""


def rigid_motion(problem: InverseProblem, reference: ExtendedTrajectory, times: np.ndarray) -> Motion:
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
        return dynamics.full_motion(times, _followed(problem, reference, times), desired)
    return dynamics.full_motion(times, _integrated(problem, reference, times), desired)


def _followed(problem: InverseProblem, reference: ExtendedTrajectory, times: np.ndarray) -> np.ndarray:
    """Postures (k, n_dof) at times (k,), found one from the other to both sides of the start of the trajectory."""
    kinematics, where, end = problem.kinematics, problem.where, reference.reference.duration
    before, inside, after = times[times < 0][::-1], times[(times >= 0) & (times <= end)], times[times > end]
    run_up, run_out = (
        f"{where}: on the way from rest to its start",
        f"{where}: on the way from its end to rest",
    )
    backward = kinematics.follow(before, reference(before).p, problem.start, run_up)[::-1]
    forward = kinematics.follow(inside, reference(inside).p, problem.start, where)
    last = forward[-1] if len(forward) else problem.start
    return np.concatenate([backward, forward, kinematics.follow(after, reference(after).p, last, run_out)])


def _integrated(problem: InverseProblem, reference: ExtendedTrajectory, times: np.ndarray) -> np.ndarray:
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
    states, integration = solve("dop853", ivp.from_interval(0, y0), times)
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

"""The inverse motion of the arm with rigid links: the curve that [SY94] figures 3 and 5 compare with."""

from __future__ import annotations

import numpy as np

from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.solvers.collocation import Boundary, collocate, gauss_times


def rigid_motion(
    dynamics: InternalDynamics,
    kinematics: InverseKinematics,
    course: ExtendedTrajectory,
    theta: np.ndarray,
    times: np.ndarray,
    where: str,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Follow a course without deflections.

    Parameters
    ----------
    dynamics : InternalDynamics
        Of the rigid arm.
    theta : (n_dof,)
        Posture at t = 0.
    times : (k,) [s]
        Ascending, within the margins.

    Returns
    -------
    theta, theta_d, theta_dd : (k, n_dof)

    Raises
    ------
    ModelError
        The course is out of reach or singular.

    Notes
    -----
    With as many task rows as joints the posture follows from the place of the tip. With fewer, the rates are those of
    least norm and their integral, which depends on the way, is found by collocation.
    """
    before, after = times[times < 0][::-1], times[times >= 0]
    backward = kinematics.follow(before, course(before).p, theta, where)[::-1]
    states = np.concatenate([backward, kinematics.follow(after, course(after).p, theta, where)])
    if kinematics.task.size < len(kinematics.joints):
        states = _integrated(dynamics, course, theta, times, states)
    return dynamics.full_motion(times, states, course(times))


def _integrated(
    dynamics: InternalDynamics,
    course: ExtendedTrajectory,
    theta: np.ndarray,
    times: np.ndarray,
    guess: np.ndarray,
) -> np.ndarray:
    """States at the times whose rates are of least norm, from the first posture of the guess or from theta at t = 0."""
    n = dynamics.n_y
    first = (0.0, theta) if times[0] > 0 else (times[0], guess[0])
    breaks = course.breaks[(course.breaks > first[0]) & (course.breaks < times[-1])]
    mesh = np.unique(np.concatenate([[first[0]], times, breaks]))
    inner = gauss_times(mesh).ravel()
    there = course(inner)

    def rates(times: np.ndarray, states: np.ndarray) -> np.ndarray:
        return dynamics.rates(inner, states.reshape(-1, n), there).reshape(states.shape)

    def jacobians(times: np.ndarray, states: np.ndarray) -> np.ndarray:
        return dynamics.jacobians(inner, states.reshape(-1, n), there).reshape(*states.shape, n)

    boundary = Boundary(
        start=lambda y: (y - first[1], np.eye(n)),
        end=lambda y: (np.empty(0), np.empty((0, n))),
    )
    start = np.array([np.interp(mesh, times, column) for column in guess.T]).T
    return collocate(rates, jacobians, boundary, mesh, start)(times)

"""Contacts that last: which points rest on their walls, and a state that keeps them there exactly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.contact_dynamics import ContactState
from flexarm.solvers.linear_complementarity import solve_lcp

RESTING_SPEED = 1e-6
"""Speed [m/s] below which a point at a wall counts as resting: it would rebound by 5e-14 m under gravity."""
RESTING_TIME = 1e-7
"""Rebound [s] that is over so soon that the point counts as resting too, up to RESTING_SPEED_LIMIT."""
RESTING_SPEED_LIMIT = 1e-4
"""Speed [m/s] with which no point rests, however briefly it would rebound: with RESTING_TIME it rises by 2.5 pm."""
PROJECTION_TOLERANCE = 1e-11
"""Gap [m] and speed [m/s] of held contacts beyond which the state is put back on their walls."""
RELEASE_ACCELERATION = 1e-9
"""Acceleration that a wall prevents, relative to those at all points, below which it does not hold a point."""


def resting_contacts(touch: ContactState, near: NDArray[np.intp]) -> NDArray[np.intp]:
    """Which of the points at walls do not bounce off any more.

    Bounces die out geometrically. But two points of a light part of the arm can throw each other up by turns, ever
    so slightly less, many times in a microsecond: hence a limit of the rebound's time besides that of its speed.
    """
    speed, pull = touch.speed[near], touch.pull[near]
    brief = (speed <= RESTING_SPEED_LIMIT) & (2 * speed <= -RESTING_TIME * pull)
    return near[(speed <= RESTING_SPEED) | brief]


def stop_resting(touch: ContactState, resting: NDArray[np.intp]) -> NDArray[np.float64]:
    """Change of the coordinates' rates (n,) that leaves no point that rests with a speed into its wall."""
    if not np.any(touch.speed[resting] < 0):
        return np.zeros(touch.J.shape[1])
    A = touch.delassus[np.ix_(resting, resting)]
    return touch.response[:, resting] @ solve_lcp(A, touch.speed[resting])


def held_contacts(touch: ContactState, resting: NDArray[np.intp]) -> NDArray[np.intp]:
    """Which of the points that rest are pressed against their walls; the others begin to leave.

    Notes
    -----
    The walls' forces lambda and the second rates of the gaps, ``J theta_dd + J_d theta_d``, are complementary: no
    force pulls, no point enters, and a force acts only where the point stays.
    """
    A = touch.delassus[np.ix_(resting, resting)]
    forces = solve_lcp(A, touch.pull[resting])
    return resting[forces * A.diagonal() > RELEASE_ACCELERATION * np.abs(touch.pull).max(initial=0.0)]


def project_onto_constraints(
    look: Callable[[NDArray[np.float64]], ContactState],
    shift: Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]],
    y: NDArray[np.float64],
    resting: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Put a state (n_y,) exactly on the walls on which it rests, by the smallest change in the metric of the masses.

    Parameters
    ----------
    look : callable
        State -> its contacts.
    shift : callable
        State and changes (n,) of the freely moving coordinates -> state moved by them.
    y : (n_y,)
    resting : (k,) int
    """
    if not resting.size:
        return y
    touch = look(y)
    for _ in range(5):
        if np.abs(touch.gap[resting]).max() < 1e-15:
            break
        y = shift(y, -_undone(touch, resting, touch.gap))
        touch = look(y)
    y = y.copy()
    y[y.size - touch.M.shape[0] :] -= _undone(touch, resting, touch.speed)
    return y


def _undone(touch: ContactState, resting: NDArray[np.intp], values: NDArray[np.float64]) -> np.ndarray:
    """Smallest change (n,), in the metric of the masses, with these values at the contacts."""
    A = touch.delassus[np.ix_(resting, resting)]
    return touch.response[:, resting] @ np.linalg.lstsq(A, values[resting], rcond=None)[0]

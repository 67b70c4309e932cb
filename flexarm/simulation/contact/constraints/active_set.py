"""Contacts that last: which closed contacts are persistent, which of them active, and a state that keeps them closed.

A contact is closed where its gap is zero, persistent where the gap's rate is zero too, and active where a force of the
wall keeps the gap's second rate at zero; see [PfeifferGlocker1996].
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.solvers.linear_complementarity import solve_lcp

RESTING_SPEED = 1e-6
"""Speed [m/s, rad/s] below which a closed contact is persistent: it would rebound by 5e-14 m under gravity."""
RESTING_TIME = 1e-7
"""Rebound [s] that is over so soon that the contact is persistent too, up to RESTING_SPEED_LIMIT."""
RESTING_SPEED_LIMIT = 1e-4
"""Speed [m/s] beyond which no contact is persistent, however short its rebound: with RESTING_TIME it rises 2.5 pm."""
PROJECTION_TOLERANCE = 1e-11
"""Gap [m, rad] and speed [m/s, rad/s] of active contacts beyond which the state is projected onto their walls again."""


def persistent_contacts(state: ContactState, closed: NDArray[np.intp]) -> NDArray[np.intp]:
    """Persistent contacts: numbers of those of the closed ones, (k,) int, whose points do not bounce off any more.

    Bounces die out geometrically. But two points of a light part of the arm can throw each other up by turns, ever
    so slightly less, many times in a microsecond: hence a limit of the rebound's time besides that of its speed.
    """
    speed, acceleration = state.speed[closed], state.free_gap_acceleration[closed]
    short = (speed <= RESTING_SPEED_LIMIT) & (2 * speed <= -RESTING_TIME * acceleration)
    return closed[(speed <= RESTING_SPEED) | short]


def inelastic_jump(state: ContactState, persistent: NDArray[np.intp]) -> NDArray[np.float64]:
    """Jump of the coordinates' rates (n,) [rad/s, m/s] in an inelastic impact of the persistent contacts, (k,) int."""
    if not np.any(state.speed[persistent] < 0):
        return np.zeros(state.J.shape[1])
    A = state.delassus(persistent)
    return state.response[:, persistent] @ solve_lcp(A, state.speed[persistent])


def has_drifted(state: ContactState, active: ActiveContacts) -> bool:
    """True if active contacts have drifted, or what sticks has slipped, so far that they need a projection."""
    contacts, sticking = active.contacts, active.sticking(state.gap.size, state.n_tangents)
    drifts = [state.gap[contacts], state.speed[contacts]]
    if sticking.size:
        drifts.append(state.slip[sticking])
    return bool(np.abs(np.concatenate(drifts)).max(initial=0.0) > PROJECTION_TOLERANCE)


def project_onto_constraints(
    contact_state: Callable[[NDArray[np.float64]], ContactState],
    shift: Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]],
    y: NDArray[np.float64],
    closed: NDArray[np.intp],
    sticking: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Project a state (n_y,) onto the walls: the smallest change, in the metric of the masses, that closes contacts.

    Parameters
    ----------
    contact_state : callable
        State -> its contacts.
    shift : callable
        State and changes (n,) of the freely moving coordinates -> state moved by them.
    y : (n_y,)
    closed : (k,) int
        Contacts whose gaps [m] and rates of gaps [m/s] shall be zero.
    sticking : (j,) int
        Slips [m/s] that shall be zero: of some of them, and rates of joints with dry friction.
    """
    if not closed.size and not sticking.size:
        return y
    state = contact_state(y)
    for _ in range(5):
        if np.abs(state.gap[closed]).max(initial=0.0) < 1e-15:
            break
        y = shift(y, -_smallest_change(state.delassus(closed), state.response[:, closed], state.gap[closed]))
        state = contact_state(y)
    A, response, speeds = state.delassus(closed), state.response[:, closed], state.speed[closed]
    if sticking.size:
        A = state.delassus_with_friction(closed, sticking)
        response = np.hstack([response, state.response_t[:, sticking]])
        speeds = np.concatenate([speeds, state.slip[sticking]])
    y = y.copy()
    y[y.size - state.M.shape[0] :] -= _smallest_change(A, response, speeds)
    return y


def _smallest_change(
    A: NDArray[np.float64], response: NDArray[np.float64], values: NDArray[np.float64]
) -> np.ndarray:
    """Smallest change (n,), in the metric of the masses, with these values (k,) in rows of the Delassus matrix A."""
    return response @ np.linalg.lstsq(A, values, rcond=None)[0]

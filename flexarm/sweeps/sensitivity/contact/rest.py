"""Derivatives of a state in which contacts last and friction holds: what they keep at zero does not change."""

from __future__ import annotations

import numpy as np

from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.solvers.base import RightHandSide
from flexarm.sweeps.sensitivity.contact.differentiated_contacts import DifferentiatedContacts
from flexarm.sweeps.sensitivity.contact.event_log import Stretch
from flexarm.sweeps.sensitivity.contact.no_derivative import Obstacles


class Rest:
    """Derivatives of states on the walls of contacts that last.

    Parameters
    ----------
    obstacles : Obstacles
    contacts : Contacts
    differentiated : DifferentiatedContacts
    free : RightHandSide and its parameters
        Of the free motion, whose first entries are the rates of the coordinates.
    """

    def __init__(
        self,
        obstacles: Obstacles,
        contacts: Contacts,
        differentiated: DifferentiatedContacts,
        free: tuple[RightHandSide, np.ndarray],
    ):
        self._obstacles, self._contacts = obstacles, contacts
        self._at, self._free = differentiated.at, free

    def behind(
        self, stretch: Stretch, y: np.ndarray, contacts: np.ndarray, moved: np.ndarray, dt: np.ndarray
    ) -> np.ndarray:
        """Derivatives behind an event, of contacts (c,) int that last, and of what sticks."""
        sticking = self._sticking(stretch)
        if sticking.size:
            slips = self._at(stretch.t, y, moved, dt, contacts[:0], sticking).speed[1:]
            self._obstacles.check_sticking(stretch, sticking, slips, moved)
        if not contacts.size and not sticking.size:
            return moved
        return self.projected(stretch, y, contacts, moved, dt)

    def _sticking(self, stretch: Stretch) -> np.ndarray:
        """Numbers of the slips that are kept at zero."""
        return stretch.active.sticking(self._contacts.n, self._contacts.n_tangents)

    def projected(
        self, stretch: Stretch, y: np.ndarray, contacts: np.ndarray, S: np.ndarray, dt: np.ndarray
    ) -> np.ndarray:
        """Derivatives of a state y (n_y,) behind its projection, which closes contacts (c,) int and lets them rest."""
        t = stretch.t
        moves, n = self._at(t, y, S, dt, contacts).closing(), self._contacts.n_free
        f, p = self._free
        S, n_theta = S.copy(), self._contacts.n_theta
        at_rest = np.concatenate([y[:-n], np.zeros(n)])
        still = f(t, at_rest, p)[:n_theta]
        for own, change in zip(S, moves, strict=True):
            own[:n_theta] += f(t, np.concatenate([y[:-n], change]), p)[:n_theta] - still
        state = self._at(t, y, S, dt, contacts, self._sticking(stretch))
        S[:, y.size - n :] += state.jump(np.zeros(state.speed.shape))[1]
        return S

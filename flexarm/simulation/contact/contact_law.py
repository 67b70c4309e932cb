"""Contact law: what a wall, or a stop of a joint, does to what strikes it and to what stays on it.

A further law is a subclass in a file of its own; :mod:`flexarm.simulation.forward.motion_with_contact` chooses it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contact_state import ContactState

RELEASE_ACCELERATION = 1e-9
"""Acceleration that a wall prevents, relative to those at all points, below which its contact is not active."""
LEAST_ACCELERATION = 1e-9
"""The same in m/s^2, rad/s^2: of an arm at rest without gravity all accelerations are round-off."""


CHATTER_TIME = 1e-6
"""Rebound [s] that no arm model resolves; chatter is made of such rebounds."""


class Impulses(NamedTuple):
    """Impulses of one impact on k contacts.

    Attributes
    ----------
    normal : (k,) [N s]
    tangential : (k, tangents) [N s]
        Along the walls; (k, 0) without friction.
    cases : tuple of k str
        What the slips do: "open", "slide", "stick" or "reverse"; empty without friction.
    """

    normal: NDArray[np.float64]
    tangential: NDArray[np.float64] = np.empty((0, 0))
    cases: tuple[str, ...] = ()


class Jammed(SolverError):
    """No forces of persistent contacts agree with their friction: an impact without collision follows (Painleve)."""


class ContactLaw(ABC):
    """Impulses and forces of rigid walls and stops, as functions of the state of all contacts."""

    @abstractmethod
    def impact(self, state: ContactState, contacts: NDArray[np.intp]) -> Impulses:
        """Impulses of one impact.

        Parameters
        ----------
        state : ContactState
            Just before the impact.
        contacts : (k,) int
            Numbers of the closed contacts; at least one of them closes further.

        Returns
        -------
        Impulses
            :func:`~flexarm.simulation.contact.impacts.resolve_impact` refuses those that would create energy.
        """

    @abstractmethod
    def active(
        self, state: ContactState, contacts: NDArray[np.intp], at_rest: NDArray[np.intp] | None = None
    ) -> ActiveContacts:
        """Those of the persistent contacts on which the wall acts; the others open; and how dry joints rub.

        Parameters
        ----------
        state : ContactState
        contacts : (k,) int
            Numbers of the persistent contacts.
        at_rest : (j,) int, optional
            What :meth:`at_rest` says, unless this state does: near an instant of which it is known.

        Returns
        -------
        ActiveContacts

        Raises
        ------
        Jammed
            There are no forces that keep them closed.
        """

    def at_rest(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the persistent contacts (k,) int, and dry joints, that friction may hold: (j,) int; none without."""
        return contacts[:0]


def release_acceleration(state: ContactState) -> float:
    """Acceleration [m/s^2] that a wall prevents, below which its contact is not active."""
    largest = float(np.abs(state.free_gap_acceleration).max(initial=0.0))
    return max(RELEASE_ACCELERATION * largest, LEAST_ACCELERATION)


def pressed(
    forces: NDArray[np.float64], inverse_inertia: NDArray[np.float64], least: float
) -> NDArray[np.bool_]:
    """Contacts (k,) whose forces (k,) [N] prevent more than the least acceleration [m/s^2], (k,) bool.

    `inverse_inertia` (k,) [1/kg] is the diagonal of the Delassus matrix.
    """
    return forces * inverse_inertia > least


def is_chatter(
    state: ContactState,
    contacts: NDArray[np.intp],
    rebound: NDArray[np.float64],
    inverse_inertia: NDArray[np.float64],
    least_energy: float,
) -> NDArray[np.bool_]:
    """Rebounds (k,) [m/s] that are over within :data:`CHATTER_TIME`, and hold too little energy to count, (k,) bool.

    `inverse_inertia` (k,) [1/kg] is the diagonal of the Delassus matrix, `least_energy` a fraction of the arm's kinetic
    energy.
    """
    short = 2 * rebound <= -CHATTER_TIME * state.free_gap_acceleration[contacts]
    weak = rebound**2 <= 2 * inverse_inertia * least_energy * state.kinetic_energy
    return short & weak

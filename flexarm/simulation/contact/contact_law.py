"""Contact law: what a wall, or a stop of a joint, does to what strikes it and to what stays on it.

A further law is a subclass in a file of its own; :mod:`flexarm.simulation.forward.motion_with_contact` chooses it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.contact_state import ContactState


class ContactLaw(ABC):
    """Impulses and forces of rigid walls and stops, as functions of the state of all contacts."""

    @abstractmethod
    def impact(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.float64]:
        """Impulses of one impact.

        Parameters
        ----------
        state : ContactState
            Just before the impact.
        contacts : (k,) int
            Numbers of the closed contacts; at least one of them closes further.

        Returns
        -------
        (k,) [N s]
            Along the normals; :func:`~flexarm.simulation.contact.impacts.resolve_impact` refuses those that would
            create energy.
        """

    @abstractmethod
    def forces(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.float64]:
        """Forces on points that stay on their walls.

        Parameters
        ----------
        state : ContactState
        contacts : (k,) int
            Numbers of the persistent contacts.

        Returns
        -------
        (k,) [N]
            Along the normals; zero where a contact opens.
        """

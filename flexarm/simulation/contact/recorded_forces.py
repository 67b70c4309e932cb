"""Forces of contacts behind the states of an arm, in the order in which a run records them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.constraints.held_contacts import ContactSamples


class RecordedForces:
    """What follows the state y of an arm with contacts: unknowns of its observables.

    Normal forces of all contacts; where walls rub forces along them, slips and states; torques of joints with dry
    friction; what impacts have taken. See :func:`~flexarm.simulation.contact.gaps.gap_functions.contact_forces`.

    Attributes
    ----------
    size : int
        How many numbers that is.
    """

    def __init__(self, contacts: Contacts):
        self._contacts = contacts
        n_walls = contacts.n_wall_contacts if contacts.has_friction else 0
        recorded = 2 * contacts.n_tangents + 1
        self.size = contacts.n + recorded * n_walls + contacts.dry_joints.n + contacts.accounts_for_impacts

    def states(
        self,
        times: NDArray[np.float64],
        y: NDArray[np.float64],
        active: ActiveContacts,
        energy_lost: float,
    ) -> NDArray[np.float64]:
        """States y (k, n_y) at times (k,) [s], followed by the forces of the active contacts, (k, n_y + size)."""
        contacts, n = self._contacts, y.shape[1]
        states = np.zeros((len(y), n + self.size))
        states[:, :n] = y
        if not len(y):
            return states
        if contacts.acts(active):
            states[:, n:] = self.of_samples(contacts.held.forces(times, y, active), active)
            if contacts.has_friction:
                first = n + contacts.n + 2 * contacts.n_tangents * contacts.n_wall_contacts
                of_walls = active.contacts < contacts.n_wall_contacts
                states[:, first + active.contacts[of_walls]] = active.friction.states[of_walls]
        if contacts.accounts_for_impacts:
            states[:, -1] = energy_lost
        return states

    def of_samples(self, samples: ContactSamples, active: ActiveContacts) -> NDArray[np.float64]:
        """Forces and slips of the active contacts where they are recorded, (k, size); zero elsewhere."""
        contacts = self._contacts
        normal, tangential, slip, joints = samples
        found = np.zeros((len(normal), self.size))
        found[:, active.contacts] = normal
        first = contacts.n
        if contacts.has_friction:
            of_walls = active.contacts < contacts.n_wall_contacts
            places = first + active.contacts[of_walls]
            recorded = np.concatenate([tangential, slip], axis=1)[:, :, of_walls]
            for k in range(recorded.shape[1]):
                found[:, places + k * contacts.n_wall_contacts] = recorded[:, k]
            first += (recorded.shape[1] + 1) * contacts.n_wall_contacts
        found[:, first : first + joints.shape[1]] = joints
        return found

"""Friction of contacts that last, and of joints: which of them slide and stick in a state of the arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.active_contacts import ActiveContacts, Rubbing
from flexarm.simulation.contact.constrained_motion import SLIDING_SPEED
from flexarm.simulation.contact.contact_law import Jammed, release_acceleration
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.dry_joints import DryJoints
from flexarm.simulation.contact.friction.contact_forces import FrictionProblem, friction_forces


@dataclass(frozen=True)
class PersistentFriction:
    """Coulomb friction of m contacts, and of joints.

    Attributes
    ----------
    kinetic, static : (m,)
        Coefficients of friction in sliding and at rest; 0 where there is none.
    joints : DryJoints
    """

    kinetic: NDArray[np.float64]
    static: NDArray[np.float64]
    joints: DryJoints

    def active(
        self, state: ContactState, contacts: NDArray[np.intp], at_rest: NDArray[np.intp] | None = None
    ) -> ActiveContacts:
        """Those of the persistent contacts (k,) int on which a force acts; how they, and joints, rub.

        Parameters are those of :meth:`~flexarm.simulation.contact.contact_law.ContactLaw.active`.

        Raises
        ------
        Jammed
            There are no forces that keep the contacts closed.
        """
        rubbing = np.flatnonzero(self.static[contacts] > 0)
        numbers, k_w = self._numbers(contacts), rubbing.size
        at_rest = self.at_rest(state, contacts) if at_rest is None else at_rest
        direction = np.where(np.isin(numbers, at_rest), 0.0, np.sign(state.slip[numbers]))
        kinetic = np.concatenate([self.kinetic[numbers[:k_w]], self.joints.kinetic])
        static = np.concatenate([self.static[numbers[:k_w]], self.joints.static])
        A, limit = state.delassus_with_friction(contacts, numbers), static
        b = np.concatenate([state.free_gap_acceleration[contacts], state.free_slip_acceleration[numbers]])
        problem = FrictionProblem(A, b, rubbing, kinetic, limit, direction, release_acceleration(state))
        while True:  # what begins to slide has the kinetic coefficient, which may change what the others do
            found = friction_forces(problem._replace(static=limit))
            if found is None:
                raise Jammed("no forces of the walls agree with their friction")
            begins = found.slips & (direction == 0) & (limit > kinetic)
            if not begins.any():
                break
            limit = np.where(begins, kinetic, limit)
        coefficient = np.where(found.sticks, 0.0, -found.direction * np.where(found.slips, kinetic, limit))
        bound = np.where(found.sticks, static, 0.0)
        rubs = Rubbing(found.sticks, found.slips, coefficient, bound)
        walls = rubs.of(slice(k_w)).among(contacts.size, rubbing)
        return ActiveContacts(contacts[found.pressed], walls.of(found.pressed), rubs.of(slice(k_w, None)))

    def at_rest(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the persistent contacts (k,) int with friction that do not slide, and joints likewise: (j,) int."""
        numbers = self._numbers(contacts)
        return numbers[np.abs(state.slip[numbers]) <= SLIDING_SPEED]

    def _numbers(self, contacts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Contacts with friction among (k,) int, then all joints, which are counted behind all contacts."""
        return np.concatenate(
            [contacts[self.static[contacts] > 0], self.static.size + np.arange(self.joints.n)]
        )

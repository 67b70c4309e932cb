"""Coulomb friction with unilateral contacts: impulses of impacts, forces of contacts that last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.active_contacts import ActiveContacts
from flexarm.simulation.contact.active_set import RESTING_SPEED
from flexarm.simulation.contact.constrained_motion import SLIDING_SPEED
from flexarm.simulation.contact.contact_law import (
    ContactLaw,
    Impulses,
    Jammed,
    is_chatter,
    release_acceleration,
)
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.friction.contact_forces import FrictionProblem, friction_forces
from flexarm.simulation.contact.impact_laws.newton import newton
from flexarm.simulation.contact.impact_laws.poisson import poisson

LAWS = {"poisson": poisson, "newton": newton}
"""Laws of impact by their names in descriptions."""


@dataclass(frozen=True)
class FrictionLaw(ContactLaw):
    """Contacts with Coulomb friction in the plane.

    Attributes
    ----------
    restitution : (m,)
        Coefficient of restitution of every contact.
    kinetic, static : (m,)
        Coefficients of friction in sliding and at rest; 0 where there is none.
    impact_law : str
        A name of :data:`LAWS`.
    least_energy : float
        As of :class:`~flexarm.simulation.contact.newton_law.NewtonLaw`.
    """

    restitution: NDArray[np.float64]
    kinetic: NDArray[np.float64]
    static: NDArray[np.float64]
    impact_law: str = "poisson"
    least_energy: float = 0.0

    def impact(self, state: ContactState, contacts: NDArray[np.intp]) -> Impulses:
        """Impulses on the closed contacts (k,) int, along the normals and along the walls."""
        speed, e = state.speed[contacts], self.restitution[contacts].copy()
        collides = speed < -RESTING_SPEED  # the others begin without a speed: Painleve's impact
        A, k = state.delassus_with_friction(contacts, contacts), contacts.size
        e[collides & is_chatter(state, contacts, -e * speed, A.diagonal()[:k], self.least_energy)] = 0.0
        by_contact = np.arange(2 * k).reshape(2, k).T.ravel()  # normal and tangent of each in turn
        G, speeds = A[np.ix_(by_contact, by_contact)], np.stack([speed, state.slip[contacts]], axis=1)
        found = LAWS[self.impact_law](G, speeds, self.kinetic[contacts], e)
        return Impulses(found.impulses[:, 0], found.impulses[:, 1], found.cases)

    def active(
        self, state: ContactState, contacts: NDArray[np.intp], at_rest: NDArray[np.intp] | None = None
    ) -> ActiveContacts:
        """Those of the persistent contacts (k,) int on which a force acts, and how they rub; see the base class."""
        rubbing = np.flatnonzero(self.static[contacts] > 0)
        numbers = contacts[rubbing]
        at_rest = self.at_rest(state, contacts) if at_rest is None else at_rest
        direction = np.where(np.isin(numbers, at_rest), 0.0, np.sign(state.slip[numbers]))
        kinetic, limit = self.kinetic[numbers], self.static[numbers]
        A = state.delassus_with_friction(contacts, numbers)
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
        coefficient, bound = np.zeros(contacts.size), np.zeros(contacts.size)
        sticks, slips = np.zeros(contacts.size, dtype=bool), np.zeros(contacts.size, dtype=bool)
        sticks[rubbing], slips[rubbing] = found.sticks, found.slips
        limit = np.where(found.slips, kinetic, limit)
        coefficient[rubbing] = np.where(found.sticks, 0.0, -found.direction * limit)
        bound[rubbing] = np.where(found.sticks, self.static[numbers], 0.0)
        kept = found.pressed
        return ActiveContacts(contacts[kept], sticks[kept], slips[kept], coefficient[kept], bound[kept])

    def at_rest(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the persistent contacts (k,) int with friction that do not slide: (j,) int."""
        numbers = contacts[self.static[contacts] > 0]
        return numbers[np.abs(state.slip[numbers]) <= SLIDING_SPEED]

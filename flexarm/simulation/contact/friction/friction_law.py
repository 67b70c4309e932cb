"""Coulomb friction with unilateral contacts: impulses of impacts, forces of contacts that last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.active_set import RESTING_SPEED
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.constraints.dry_joints import DryJoints
from flexarm.simulation.contact.contact_law import ContactLaw, Impulses, is_chatter
from flexarm.simulation.contact.friction.persistent_friction import PersistentFriction
from flexarm.simulation.contact.impact_laws.newton import newton
from flexarm.simulation.contact.impact_laws.poisson import poisson

LAWS = {"poisson": poisson, "newton": newton}
"""Laws of impact by their names in descriptions."""


@dataclass(frozen=True)
class FrictionLaw(ContactLaw):
    """Walls with Coulomb friction, and joints with dry friction.

    Attributes
    ----------
    restitution : (m,)
        Coefficient of restitution of every contact.
    kinetic, static : (m,)
        Coefficients of friction in sliding and at rest; 0 where there is none.
    joints : DryJoints
    impact_law : str
        A name of :data:`LAWS`.
    least_energy : float
        As of :class:`~flexarm.simulation.contact.newton_law.NewtonLaw`.
    """

    restitution: NDArray[np.float64]
    kinetic: NDArray[np.float64]
    static: NDArray[np.float64]
    joints: DryJoints
    impact_law: str = "poisson"
    least_energy: float = 0.0

    def impact(self, state: ContactState, contacts: NDArray[np.intp]) -> Impulses:
        """Impulses on the closed contacts (k,) int, along the normals and along the walls."""
        speed, e = state.speed[contacts], self.restitution[contacts].copy()
        collides = speed < -RESTING_SPEED  # the others begin without a speed: Painleve's impact
        along, k, d = state.along_walls(contacts), contacts.size, 1 + state.n_tangents
        A = state.delassus_with_friction(contacts, along)
        e[collides & is_chatter(state, contacts, -e * speed, A.diagonal()[:k], self.least_energy)] = 0.0
        by_contact = np.arange(d * k).reshape(d, k).T.ravel()  # normal and tangents of each in turn
        speeds = np.concatenate([speed, state.slip[along]]).reshape(d, k).T
        found = LAWS[self.impact_law](A[np.ix_(by_contact, by_contact)], speeds, self.kinetic[contacts], e)
        return Impulses(found.impulses[:, 0], found.impulses[:, 1:], found.cases)

    def active(
        self, state: ContactState, contacts: NDArray[np.intp], at_rest: NDArray[np.intp] | None = None
    ) -> ActiveContacts:
        """Those of the persistent contacts (k,) int on which a force acts, and how they rub; see the base class."""
        return self._friction.active(state, contacts, at_rest)

    def at_rest(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the persistent contacts (k,) int with friction that do not slide, and joints likewise: (j,) int."""
        return self._friction.at_rest(state, contacts)

    @property
    def _friction(self) -> PersistentFriction:
        return PersistentFriction(self.kinetic, self.static, self.joints)

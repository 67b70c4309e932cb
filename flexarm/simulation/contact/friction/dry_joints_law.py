"""Frictionless walls and stops beside joints with dry friction, which has no impulse, as its torques are bounded."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.constraints.dry_joints import DryJoints
from flexarm.simulation.contact.friction.persistent_friction import PersistentFriction
from flexarm.simulation.contact.newton_law import NewtonLaw


@dataclass(frozen=True)
class DryJointsLaw(NewtonLaw):
    """Newton's impact law, frictionless, for an arm whose joints have dry friction.

    Attributes
    ----------
    joints : DryJoints
    """

    joints: DryJoints = field(kw_only=True)

    def active(
        self, state: ContactState, contacts: NDArray[np.intp], at_rest: NDArray[np.intp] | None = None
    ) -> ActiveContacts:
        """Those of the persistent contacts (k,) int on which a force acts, and how the joints rub."""
        return self._friction.active(state, contacts, at_rest)

    def at_rest(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Numbers (j,) int of the joints that do not turn."""
        return self._friction.at_rest(state, contacts)

    @property
    def _friction(self) -> PersistentFriction:
        none = np.zeros_like(self.restitution)
        return PersistentFriction(none, none, self.joints)

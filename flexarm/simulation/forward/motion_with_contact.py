"""Flight among walls: what `flexarm simulate` runs for a description with contact."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.simulation.contact.contact_dynamics import Contacts
from flexarm.simulation.contact.event_driven import EventDrivenIntegration
from flexarm.simulation.contact.gap_functions import check_outside, described_contact
from flexarm.simulation.contact.impact_law import ImpactList
from flexarm.simulation.forward.free_motion import ForwardRun, free_motion, start_of
from flexarm.simulation.forward.parametric_model import ParametricModel


@dataclass
class FlightRun(ForwardRun):
    """A prepared flight among walls."""

    ledger: ImpactList = field(default_factory=lambda: ImpactList(1))

    @property
    def sizes(self) -> dict[str, int]:
        """Length of every dimension of the complete result."""
        contact = described_contact(self.member.arm)
        points = contact.places(len(self.member.chain.links))
        return {**super().sizes, "contact_point": len(points), "wall": len(contact.walls)}

    @property
    def impacts(self) -> dict[str, np.ndarray]:
        """Datasets of all impacts of the run; the last step may have found some beyond its end."""
        return self.ledger.datasets(self.member.arm.run.duration)


def prepare_flight(arm: Arm, command: str = "", family: ParametricModel | None = None) -> FlightRun:
    """Set up the flight of an arm among walls, with the equations of its family or else its own.

    Raises
    ------
    ModelError
        The mass matrix is singular at the initial state, there is no equilibrium to start from, or a point starts
        inside a wall.
    """
    family = family or ParametricModel([arm])
    member, contact = family.member(arm), described_contact(arm)
    at = start_of(family, member)
    check_outside(arm, member.chain, at[0])
    contacts = Contacts(family.contacts, member.parameters)
    restitution = np.tile(contact.restitutions, contacts.n // len(contact.walls))
    flight = EventDrivenIntegration(
        free_motion(family, member, at), contacts, restitution, len(contact.walls)
    )
    return FlightRun(member, family.system, flight, command=command, ledger=flight.ledger)

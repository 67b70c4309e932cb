"""Motion of an arm among walls: free motion, impacts and contacts that last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.walls import Contact
from flexarm.simulation.contact.contact_law import ContactLaw
from flexarm.simulation.contact.contacts import Contacts
from flexarm.simulation.contact.event_driven import EventDrivenIntegration
from flexarm.simulation.contact.gap_functions import check_outside, described_contact
from flexarm.simulation.contact.impacts import impact_datasets
from flexarm.simulation.contact.newton_law import NewtonLaw
from flexarm.simulation.forward.free_motion import SingleRun, free_motion, initial_state_of, with_jacobian
from flexarm.simulation.forward.parametric_model import ParametricModel


@dataclass
class ContactRun(SingleRun):
    """A prepared run of an arm among walls."""

    integration: EventDrivenIntegration

    @property
    def impacts(self) -> dict[str, np.ndarray]:
        """Datasets of all impacts of the run, (k,) in the units of :data:`~flexarm.results.schema.IMPACTS`."""
        arm = self.instance.arm
        return impact_datasets(self.integration.impacts, len(described_contact(arm).walls), arm.run.duration)


def prepare_motion_with_contact(
    arm: Arm, command: str = "", model: ParametricModel | None = None
) -> ContactRun:
    """Set up the motion of an arm among walls, with the equations of a parametric model or else its own.

    Raises
    ------
    ModelError
        The mass matrix is singular at the initial state, there is no equilibrium to start from, or a point starts
        inside a wall.
    """
    model = model or ParametricModel([arm])
    instance, contact = model.instance(arm), described_contact(arm)
    initial = initial_state_of(model, instance)
    check_outside(arm, instance.chain, initial[0])
    contacts = Contacts(model.contacts, instance.parameters, contact.walls)
    problem = with_jacobian(free_motion(model, instance, initial), model, instance)
    law = contact_law(contact, contacts.n)
    integration = EventDrivenIntegration(arm.run.method, problem, contacts, law)
    return ContactRun(instance, model.state_equation, integration, command=command, jump=problem.jump)


def contact_law(contact: Contact, n: int) -> ContactLaw:
    """Contact law of n contacts that a description asks for: Newton's, the only one so far."""
    return NewtonLaw(np.tile(contact.restitutions, n // len(contact.walls)))

"""Flight among walls: what `flexarm simulate` runs for a description with contact."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexarm.codegen.motion_equations import MotionEquations
from flexarm.errors import ModelError
from flexarm.simulation.bouncing import Bouncing
from flexarm.simulation.contact import derive_contacts
from flexarm.simulation.forward import ForwardRun
from flexarm.simulation.impact import Ledger
from flexarm.simulation.initial import check_mass_matrix, initial_state
from flexarm.simulation.system import Derivation, derive_system
from flexarm.simulation.walls import check_outside, described_contact, touching
from flexarm.solvers.base import Problem
from flexarm.spec.arm import Arm


@dataclass
class FlightRun(ForwardRun):
    """A prepared flight among walls."""

    ledger: Ledger = field(default_factory=lambda: Ledger(1))

    @property
    def sizes(self) -> dict[str, int]:
        """Length of every dimension of the complete result."""
        contact = described_contact(self.system.arm)
        points = contact.places(len(self.system.chain.links))
        return {**super().sizes, "contact_point": len(points), "wall": len(contact.walls)}

    @property
    def impacts(self) -> dict[str, np.ndarray]:
        """Datasets of all impacts of the run; the last step may have found some beyond its end."""
        return self.ledger.datasets(self.system.arm.run.duration)


def prepare_flight(arm: Arm, command: str = "") -> FlightRun:
    """Derive and compile an arm among walls and set up its flight.

    Raises
    ------
    ModelError
        The mass matrix is singular at the initial state, there is no equilibrium to start from, or a point starts
        inside a wall.
    """
    if arm.run.method != "dop853":
        raise ModelError(f"{arm.name}: walls need method dop853, got {arm.run.method}")
    derived = Derivation.of(arm)
    system = derive_system(derived, touching(derived))
    contacts = derive_contacts(derived)
    theta, theta_d = initial_state(arm, system.chain)
    check_outside(arm, system.chain, theta)
    check_mass_matrix(MotionEquations(system.chain, arm.run.formulation), theta)
    y0 = system.unknowns.state(theta, theta_d)
    run, contact = arm.run, described_contact(arm)
    n_points = contacts.n // len(contact.walls)
    problem = Problem(
        system.native_rhs, 0.0, y0, np.empty(0), rtol=run.rtol, atol=run.atol, max_steps=run.max_steps
    )
    flight = Bouncing(problem, contacts, np.tile(contact.restitutions, n_points), len(contact.walls))
    return FlightRun(system, flight.problem.y0, flight, command=command, ledger=flight.ledger)

"""Observables of soft walls, beside those of rigid ones: forces, depths, and the energy that the walls store."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.simulation.forces.walls.point_positions import described_contact
from flexarm.simulation.forces.walls.soft_walls import SoftContacts

SLIDING = 1
"""State of a contact that does not stick, as it is recorded."""


def soft_wall_observables(
    arm: Arm, soft: SoftContacts, known: Mapping[str, tuple[ca.SX, tuple[int, ...]]]
) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
    """Express the datasets of contacts, of an arm with soft walls.

    Parameters
    ----------
    arm : Arm
    soft : SoftContacts
        In a state of the arm that says itself which points are in them.
    known : mapping
        Other observables, among them the datasets of the rigid walls alone, if the motion meets them.
    """
    contact, n_t = described_contact(arm), arm.n_directions
    rows, shape = [wall.number for wall in contact.soft], soft.gap.shape[::-1]
    size = len(contact.walls), shape[0]
    own = len(contact.rigid), shape[0]

    def whole(of_soft: ca.SX, of_rigid: ca.SX | None = None) -> ca.SX:
        values = ca.SX.zeros(*size)
        values[rows, :] = of_soft
        if of_rigid is not None and contact.rigid:
            values[list(contact.rigid), :] = of_rigid
        return values

    def rigid(name: str) -> list[ca.SX]:
        """Values (n_rigid, n_points) of a dataset of rigid walls, along each tangent."""
        if name not in known:
            return [ca.SX.zeros(*own)] * max(n_t, 1)
        parts = ca.vertsplit(ca.reshape(known[name][0], -1, own[0] * own[1]))
        return [ca.reshape(part.T, *own) for part in parts]

    shape = size[::-1]
    forces = whole(soft.normal, rigid("contact_force")[0])
    inside = soft.gap < 0
    found = {
        "contact_force": (forces, shape),
        "contact_penetration": (whole(ca.fmax(-soft.gap, 0.0)), shape),
        "energy_contact": (soft.stored, ()),
    }
    if not n_t:
        return found
    along = shape if n_t == 1 else (*shape, n_t)
    for name, values in (
        ("contact_tangential_force", soft.tangential),
        ("contact_slip", [inside * slip for slip in soft.slips]),
    ):
        parts = [whole(*pair) for pair in zip(values, rigid(name), strict=True)]
        found[name] = ca.vertcat(*(ca.vec(part).T for part in parts)), along
    slides = SLIDING * (forces > 0)
    state = rigid("contact_state")[0] if "contact_state" in known else slides[list(contact.rigid), :]
    found["contact_state"] = whole(SLIDING * (soft.normal > 0), state), shape
    return found

"""Whether the energy of an arm is its own."""

from __future__ import annotations

from flexarm.description.arm.arm import Arm


def is_conservative(arm: Arm) -> bool:
    """Whether nothing puts energy into the arm or takes it out."""
    driven = arm.loads or any(arm.drive)
    damped = any(any(link.damping) for link in arm.links)
    rubbed = any(joint.friction.viscous or joint.friction.coulomb for joint in arm.joints)
    struck = arm.contact is not None and any(e != 1 for e in arm.contact.restitutions)
    return not (driven or damped or rubbed or struck)

"""Energy balance of an arm: conservation of its total energy."""

from __future__ import annotations

from flexarm.description.arm.arm import Arm


def is_conservative(arm: Arm) -> bool:
    """True for a conservative arm: one without drives, loads, damping, friction and inelastic impacts."""
    driven = arm.loads or any(arm.drive)
    damped = any(link.is_damped for link in arm.links)
    friction = any(joint.friction.viscous or joint.friction.coulomb or joint.damping for joint in arm.joints)
    inelastic = arm.contact is not None and any(e != 1 for e in arm.contact.restitutions)
    return not (driven or damped or friction or inelastic)

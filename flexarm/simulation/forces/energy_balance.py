"""Energy balance of an arm: conservation of its total energy."""

from __future__ import annotations

from flexarm.description.arm.arm import Arm


def is_conservative(arm: Arm) -> bool:
    """True for a conservative arm: one without drives, loads, damping, friction and inelastic impacts."""
    driven = arm.loads or any(arm.drive) or arm.disturbances
    damped = any(link.is_damped for link in arm.links)
    friction = any(joint.friction.viscous or joint.friction.coulomb or joint.damping for joint in arm.joints)
    restitutions = () if arm.contact is None else arm.contact.restitutions
    restitutions += tuple(joint.limits.restitution for joint in arm.joints if joint.limits is not None)
    inelastic = any(e != 1 for e in restitutions)
    inelastic |= arm.contact is not None and any(wall.damping for wall in arm.contact.soft)
    return not (driven or damped or friction or inelastic or arm.has_wall_friction)

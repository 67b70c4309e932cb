"""Datasets that runs of an arm record: the one list that says which arms have which of those of the schema."""

from __future__ import annotations

from collections.abc import Iterator

from flexarm.description.arm.arm import Arm
from flexarm.results.dimensions import sensor_datasets
from flexarm.results.schema import (
    BASE_SHIFT,
    BASE_TURN,
    DATASETS,
    FURTHER_DATASETS,
    SENSOR_DATASETS,
    STRESS,
    required_datasets,
)

MOTORS = ("motor_angle", "motor_velocity", "motor_acceleration")
SPRINGS = ("spring_torque", "energy_spring")
MOMENTA = ("momentum", "angular_momentum", "mass_centre")
OF_FRICTION = ("contact_tangential_force", "contact_slip", "contact_state")
"""Datasets of walls that rub, beside their forces."""
OF_SOFT_WALLS = ("contact_penetration", "energy_contact", "energy_lost_contact")


def recorded_datasets(arm: Arm, kind: str = "forward") -> tuple[str, ...]:
    """Datasets over time that runs of a kind record of an arm, "forward" or "inverse", in the order of the schema.

    Without the time, and of inverse runs without what a task alone has.
    """
    found = {*required_datasets(kind), *_of_the_arm(arm), *sensor_datasets(arm)}
    if kind == "forward":
        found.update(_of_drives(arm), _of_contacts(arm))
        found.update(("friction_torque",) if arm.dry_joints or arm.dry_joints_in_motion else ())
    else:
        found.update(("friction_torque",) if any(joint.friction.is_dry for joint in arm.joints) else ())
    return tuple(name for name in DATASETS if name in found and name != "time")


def _of_the_arm(arm: Arm) -> Iterator[str]:
    """Those of its base and joints, and what its runs are asked to record."""
    if arm.base != "fixed":
        yield from (*BASE_SHIFT, *MOMENTA)
    if arm.base == "free" or (arm.base != "fixed" and arm.base_body is not None):
        yield from BASE_TURN
    if any(joint.is_elastic for joint in arm.joints):
        yield from MOTORS
    if any(joint.stiffness is not None for joint in arm.joints):
        yield from SPRINGS
    for asked in arm.run.record:
        yield from FURTHER_DATASETS[asked]
    if "loads" in arm.run.record and any(link.section is not None for link in arm.links):
        yield STRESS


def _of_drives(arm: Arm) -> Iterator[str]:
    """Parts of the torques of its drives, if any has several; outputs of controllers, and readings that are held."""
    drives = [drive for drive in arm.drive if drive is not None]
    if any(drive.is_combined for drive in drives):
        yield from (f"torque_{part}" for drive in drives for part in drive.torque_parts)
    if arm.controllers:
        yield "controller_output"
    if arm.sensors and arm.clocks:
        yield SENSOR_DATASETS[1]


def _of_contacts(arm: Arm) -> Iterator[str]:
    """Forces of walls, of limits and of dry friction, and the energy that these take."""
    if arm.contact is not None:
        yield "contact_force"
    if arm.has_wall_friction:
        yield from OF_FRICTION
    if arm.has_soft_walls:
        yield from OF_SOFT_WALLS
    if arm.limited_joints:
        yield "limit_torque"
    if arm.has_integrated_friction:
        yield "energy_lost_friction"
    if arm.accounts_for_impacts:
        yield "energy_lost_impacts"

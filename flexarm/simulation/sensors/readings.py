"""True values and readings of sensors, as expressions: the one list of kinds of sensors."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca

from flexarm.description.arm.control.sensor import Sensor
from flexarm.formulations.kinematics.stations import curvature, deflection
from flexarm.simulation.sensors.sensed_motion import SensedMotion


def true_value(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    """What a sensor measures, in its unit."""
    return VALUES[sensor.kind](sensor, moving)


def reading(sensor: Sensor, value: ca.SX) -> ca.SX:
    """Reading of a sensor from the true value: with its bias, in steps of its resolution, within its range."""
    read = value if sensor.bias is None else value + sensor.bias
    if sensor.resolution is not None:
        read = sensor.resolution * ca.floor(read / sensor.resolution + 0.5)
    if sensor.range is not None:
        least, largest = sensor.range
        read = ca.fmin(ca.fmax(read, least), largest)
    return read


def _of_joint(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    i, chain = (sensor.joint or 1) - 1, moving.chain
    if sensor.of == "torque":
        assert moving.torques is not None
        return moving.torques[i]
    row = chain.coordinates.driven[i]
    if sensor.of in ("motor", "motor_rate") and row is not None:
        return moving.theta[row] if sensor.of == "motor" else moving.theta_d[row]
    rates = sensor.of in ("rate", "motor_rate")
    return (moving.state.q_d if rates else moving.state.q)[chain.joint_bodies[i]]


def _of_point(order: int) -> Callable[[Sensor, SensedMotion], ca.SX]:
    def value(sensor: Sensor, moving: SensedMotion) -> ca.SX:
        place = sensor.point(len(moving.chain.links))
        return moving.point(place, order, sensor.frame or "base")[sensor.axis]

    return value


def _deflection(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    at = sensor.deflection
    assert at is not None
    return deflection(moving.chain, moving.state, at.link - 1, at.at)[sensor.axis]


def _curvature(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    at = sensor.curvature or sensor.strain
    assert at is not None
    turn = curvature(moving.chain, moving.state, at.link - 1, at.at)
    return turn[2] if sensor.axis == 1 else -turn[1]


def _strain(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    """Strain of a fibre at a distance c from the neutral axis, -c times the curvature."""
    assert sensor.distance is not None
    return -sensor.distance * _curvature(sensor, moving)


def _of_base(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    layout = moving.chain.coordinates
    if sensor.base in ("position", "angle"):
        return moving.theta[layout.base_theta[sensor.axis]]
    free = len(layout.base) == 6 and sensor.base == "rate"
    return moving.theta_d[layout.base[sensor.axis + 3 * free]]


def _of_contact(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    if "contact_force" not in moving.contact:  # the motion does not touch
        return ca.SX(0)
    n = len(moving.chain.links)
    places = moving.arm.contact.places(n)  # pyright: ignore[reportOptionalMemberAccess]  (there are walls)
    return moving.contact["contact_force"][(sensor.wall or 1) - 1, places.index(sensor.point(n))]


def _of_stop(sensor: Sensor, moving: SensedMotion) -> ca.SX:
    torques = moving.contact.get("limit_torque")
    return ca.SX(0) if torques is None else torques[(sensor.stop or 1) - 1]


VALUES: dict[str, Callable[[Sensor, SensedMotion], ca.SX]] = {
    "joint": _of_joint,
    "position": _of_point(0),
    "velocity": _of_point(1),
    "acceleration": _of_point(2),
    "deflection": _deflection,
    "curvature": _curvature,
    "strain": _strain,
    "base": _of_base,
    "contact": _of_contact,
    "stop": _of_stop,
}
"""Kind of sensor -> the expression of its true value."""

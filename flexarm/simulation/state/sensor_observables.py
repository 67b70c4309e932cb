"""Observables of an arm's sensors: their true values, and their readings if any of these is off."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain
from flexarm.results.dimensions import sensor_datasets
from flexarm.simulation.sensors.readings import reading, true_value
from flexarm.simulation.sensors.sensed_motion import SensedMotion

CONTACT_FORCES = ("contact_force", "limit_torque")
"""Observables of contacts that sensors may measure."""


def sensor_observables(
    arm: Arm,
    chain: Chain,
    motion: tuple[ca.SX, ca.SX, ca.SX],
    known: Mapping[str, tuple[ca.SX, tuple[int, ...]]],
) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
    """Express :data:`~flexarm.results.schema.SENSOR_DATASETS`.

    Parameters
    ----------
    motion : tuple of SX
        theta (n_theta,), theta_d (n_dof,), theta_dd (n_dof,).
    known : mapping
        Other observables, the torques of joints and the forces of contacts among them.
    """
    forces = {name: known[name][0] for name in CONTACT_FORCES if name in known}
    sensed = SensedMotion(arm, chain, *motion, torques=known["torque"][0], contact=forces)
    sensors, shape = [sensor for _, sensor in arm.sensors], (len(arm.sensors),)
    true = [true_value(sensor, sensed) for sensor in sensors]
    found = {"sensor_value": (ca.vertcat(*true), shape)}
    if len(sensor_datasets(arm)) > 1:
        readings = [reading(*pair) for pair in zip(sensors, true, strict=True)]
        found["sensor_reading"] = ca.vertcat(*readings), shape
    return found

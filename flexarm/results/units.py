"""Units and meanings of the datasets of a result about an arm, where these depend on its joints and modes."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.joint.words import worded
from flexarm.model.coordinate_units import FORCE_UNITS, coordinate_units
from flexarm.results.schema import CONTROLLER_LABELS, DATASETS, MODE_LABELS, SENSOR_LABELS, TIMELESS, Dataset

_OF_JOINTS = {
    "rad": "unit",
    "rad/s": "rate_unit",
    "rad/s^2": "acceleration_unit",
    "N m": "force_unit",
    "N m s": "impulse_unit",
}
"""Unit for joints that turn -> the entry of a joint type that is meant."""
ENTRIES = {**DATASETS, **TIMELESS, **MODE_LABELS, **SENSOR_LABELS, **CONTROLLER_LABELS}


def units_of(name: str, arm: Arm, joint: int | None = None) -> tuple[str, str]:
    """Return unit and meaning of a dataset of a result about an arm.

    Parameters
    ----------
    name : str
    arm : Arm
    joint : int, optional
        Which one is meant, counted from 0, of a dataset with one column for each joint.

    Notes
    -----
    Where joints differ, the unit is a list with one for each joint: "rad, m". Mode shapes have no unit, so the
    amplitude of bending and axial modes is a length in m, that of torsion modes an angle in rad; with torsion modes
    the unit stays "1" and the meaning names both. Forces on all coordinates name the units that there are.
    """
    entry = ENTRIES[name]
    if "joint" in entry.dims and "axis" not in entry.dims and entry.units in _OF_JOINTS:
        return _of_joints(entry, arm.joints if joint is None else arm.joints[joint : joint + 1])
    if {"motion_impulse_row", "limit_impact"} & {*entry.dims} and entry.units in _OF_JOINTS:
        limited = "limit_impact" in entry.dims
        kinds = {
            joint.kind.unit: joint
            for joint, own in zip(arm.joints, arm.drive, strict=True)
            if (joint.limits if limited else own and own.motion)
        }
        units, meaning = _of_joints(entry, tuple(kinds.values()))
        return units.replace(", ", " or "), meaning
    if "sensor" in entry.dims and name not in SENSOR_LABELS:
        units = [sensor.unit(arm.joints) for _, sensor in arm.sensors] or [entry.units]
        return units[0] if len(set(units)) == 1 else ", ".join(units), entry.long_name
    if "coordinate" in entry.dims:
        forces = dict.fromkeys(FORCE_UNITS[unit] for unit in coordinate_units(arm))
        return " or ".join(forces) or entry.units, entry.long_name
    if name.startswith("mode_") and name not in MODE_LABELS:
        if any("torsion" in link.mode_directions for link in arm.links):
            return entry.units, f"{entry.long_name} (m for bending and axial modes, rad for torsion)"
        return entry.units.replace("1", "m", 1), entry.long_name
    return entry.units, entry.long_name


def _of_joints(entry: Dataset, joints: Sequence[Joint]) -> tuple[str, str]:
    """Unit and meaning of a dataset about some joints: one unit if they share it, else one for each."""
    units = [getattr(joint.kind, _OF_JOINTS[entry.units]) for joint in joints] or [entry.units]
    meaning = worded(entry.long_name, joints, "or")
    return units[0] if len(set(units)) == 1 else ", ".join(units), meaning

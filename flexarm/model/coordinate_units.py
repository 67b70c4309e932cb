"""Units of the generalised coordinates and forces of an arm."""

from __future__ import annotations

from flexarm.description.arm.arm import Arm
from flexarm.model.coordinates import arm_coordinates

FORCE_UNITS = {"rad": "N m", "m": "N"}
"""Unit of a coordinate -> unit of the generalised force on it."""
_TURNS = {"phi", "w_x", "w_y", "w_z"}
"""Coordinates of a floating base that turn it."""


def coordinate_units(arm: Arm) -> tuple[str, ...]:
    """Return the unit, rad or m, of each row of theta_d without its "per second", (n_dof,)."""
    layout = arm_coordinates(arm)
    units = ["m"] * layout.n_dof
    for joint, row in zip(arm.joints, layout.joints, strict=True):
        if row is not None:
            units[row] = joint.kind.unit
    for joint, row in zip(arm.joints, layout.motors, strict=True):
        if row is not None:
            units[row] = joint.kind.unit
    for link, rows in zip(arm.links, layout.modes, strict=True):
        for row, direction in zip(rows, link.mode_directions, strict=True):
            units[row] = "rad" if direction == "torsion" else "m"
    for row in layout.base:
        units[row] = "rad" if layout.labels[row] in _TURNS else "m"
    return tuple(units)

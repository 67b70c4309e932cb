"""Units in which columns of measurements may be, and their sizes in those of a description."""

from __future__ import annotations

import math

from flexarm.errors import ModelError

_TURN = math.pi / 180
SIZES: dict[str, dict[str, float]] = {
    "s": {"ms": 1e-3, "us": 1e-6, "min": 60.0},
    "m": {"mm": 1e-3, "um": 1e-6, "cm": 1e-2, "in": 0.0254},
    "m/s": {"mm/s": 1e-3, "cm/s": 1e-2},
    "m/s^2": {"g": 9.80665, "mm/s^2": 1e-3},
    "rad": {"deg": _TURN, "mrad": 1e-3, "rev": 360 * _TURN},
    "rad/s": {"deg/s": _TURN, "rpm": 6 * _TURN, "mrad/s": 1e-3},
    "1": {"um/m": 1e-6, "%": 1e-2, "mm/m": 1e-3},
    "N": {"mN": 1e-3, "kN": 1e3},
    "N m": {"mN m": 1e-3, "N mm": 1e-3, "kN m": 1e3},
    "V": {"mV": 1e-3},
}
"""Unit -> others for the same quantity, and their sizes in it."""


def size_in(typed: str, unit: str, column: str) -> float:
    """Size of a typed unit in the unit of what a column holds; no unit is that unit itself.

    Raises
    ------
    ModelError
        The column cannot be in this unit.
    """
    known = {unit: 1.0, **SIZES.get(unit, {})}
    name = typed.replace("µ", "u").replace("μ", "u").replace("°", "deg").replace("N·m", "N m")
    if not name or name == "-":
        return 1.0
    if name not in known:
        raise ModelError(f"column {column}: got unit {typed}, expected {' or '.join(known)}")
    return known[name]

"""Sensible ranges of numbers by their unit: beyond them double precision, or a slip of the pen, makes nonsense."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from pydantic.fields import FieldInfo

RANGES: dict[str, tuple[float, float]] = {
    "-": (1e-18, 1e9),
    "1/s": (1e-12, 1e18),
    "1/m": (0.0, 1e18),
    "m": (1e-9, 1e9),
    "m^2": (1e-18, 1e18),
    "m^3": (1e-27, 1e27),
    "m^4": (1e-36, 1e36),
    "s": (1e-12, 1e9),
    "rad": (0.0, 1e6),
    "rad/s": (0.0, 1e9),
    "m/s^2": (0.0, 1e9),
    "kg": (1e-15, 1e12),
    "kg/m": (1e-15, 1e12),
    "kg/m^3": (1e-9, 1e12),
    "kg m": (1e-24, 1e15),
    "kg m^2": (1e-24, 1e18),
    "N": (1e-15, 1e18),
    "N/m^exponent": (1e-9, 1e18),
    "s/m": (1e-12, 1e12),
    "Pa": (1e-6, 1e18),
    "N m": (1e-18, 1e18),
    "N m^2": (1e-24, 1e21),
    "N m/rad": (1e-18, 1e18),
    "N m s/rad": (1e-18, 1e18),
    "N m/(rad s)": (1e-18, 1e18),
    "ohm": (1e-9, 1e12),
    "N m/A": (1e-12, 1e9),
    "V": (1e-18, 1e18),
    "m, rad": (0.0, 1e9),
    "m/s, rad/s": (0.0, 1e9),
    "m or rad": (0.0, 1e9),
    "1 or m": (0.0, 1e9),
    "1/s or m/s": (0.0, 1e9),
}
"""Unit -> smallest size of a single number that is not zero, and largest size of any."""

PRISMATIC = ", prismatic: "
"""What stands between the units of a key of a joint that turns and of one that slides."""
_UNIT = re.compile(r"\[([^][]*)\]$")


def unit_of(field: FieldInfo) -> str:
    """Unit of a field, with which its description ends; of "rad, prismatic: m" that of joints that turn."""
    found = _UNIT.search(field.description or "")
    return found[1].partition(PRISMATIC)[0] if found else ""


def fault_of_size(unit: str, value: Any) -> str:
    """Say what is wrong with the size of numbers in a unit of :data:`RANGES`; empty if nothing is.

    Zero, infinity where a key takes it, and small entries of vectors and lists, are no fault here.
    """
    least, largest = RANGES[unit]
    if isinstance(value, tuple):
        least = 0.0
    for number in _numbers(value):
        if largest < abs(number) < math.inf or 0 < abs(number) < least:
            bounds = f"a size from {least:g} to {largest:g}" if least else f"a size of at most {largest:g}"
            its = "" if unit == "-" else f" {unit}"
            return f"got {number:g}{its}, expected {bounds}{its}"
    return ""


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif (values := getattr(value, "values", None)) is not None and not callable(values):  # of a profile
        yield from _numbers(values)

"""Values of a varied key as they are typed: levels, ranges to draw from, their units."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import PlainValidator

from flexarm.description.values.expression import names_in
from flexarm.description.values.input_model import InputModel, expected, wrong
from flexarm.description.values.quantities import is_number

_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(deg/s|rad/s|deg|rad)?\s*")
FORMS = "START:STOP:COUNT, a list such as 1,2,5, LOW:HIGH to draw from (:log spaces by ratio), or expressions A; B"
MOST_LEVELS = 1_000_000


class Levels(InputModel):
    """Levels: the values that a key takes, in their unit.

    Attributes
    ----------
    values : tuple of float
    unit : str
        deg, rad, deg/s or rad/s as typed; empty for the key's own unit.
    texts : tuple of str
        Expressions, where the key takes those; the values are then their numbers, counted from 1.
    """

    values: tuple[float, ...]
    unit: str = ""
    texts: tuple[str, ...] = ()


class Range(InputModel):
    """Range from which the values of a key are drawn at random."""

    low: float
    high: float
    log: bool = False
    unit: str = ""


def varied(value: Any) -> Levels | Range:
    """Read ``0:2:11``, ``-90 deg:90 deg:7``, ``1:1000:4:log``, ``1,2,5``, ``500:2000``, ``2*t; sin(t)``, or a list.

    Raises
    ------
    ValueError
        The fault, in a form that the loader places in the file.
    """
    if isinstance(value, Levels | Range):
        return value
    if is_number(value):
        value = [value]
    if isinstance(value, list | tuple):
        texts = [entry for entry in value if isinstance(entry, str) and _NUMBER.fullmatch(entry) is None]
        value = (";" if texts else ",").join(map(str, value)) if value else ""
    if not isinstance(value, str):
        raise expected(FORMS)
    if ";" in value or (":" not in value and _NUMBER.fullmatch(value.split(",")[0]) is None):
        return _expressions(value)
    if ":" not in value:
        numbers, unit = _numbers(value.split(","), value)
        if len(set(numbers)) < len(numbers):
            raise wrong(f"got {value!r}, in which a value occurs twice")
        return Levels(values=numbers, unit=unit)
    return _spread(value)


def _expressions(text: str) -> Levels:
    """Several expressions, or one that is more than a word."""
    parts = [part.strip() for part in text.split(";")]
    if any(names_in(part) is None for part in parts) or re.fullmatch(r"\s*\w*\s*", text):
        hint = "expressions are separated by semicolons" if any("(" in part for part in parts) else ""
        raise wrong(f"got {text!r}, expected {FORMS}", hint)
    if len(set(parts)) < len(parts):
        raise wrong(f"got {text!r}, in which a value occurs twice")
    return Levels(values=tuple(float(k) for k in range(1, len(parts) + 1)), texts=tuple(parts))


def _spread(text: str) -> Levels | Range:
    """Range, as such or divided into levels."""
    parts = [part.strip() for part in text.split(":")]
    log = parts[-1] == "log"
    parts = parts[: len(parts) - log]
    if len(parts) not in (2, 3):
        raise wrong(f"got {text!r}, expected {FORMS}")
    (start, stop), unit = _numbers(parts[:2], text)
    if log and not (start > 0 and stop > 0):
        raise wrong(f"got {text!r}, but :log needs limits > 0")
    if len(parts) == 2:
        if not start < stop:
            raise wrong(f"got {text!r}, expected LOW:HIGH with LOW below HIGH")
        return Range(low=start, high=stop, log=log, unit=unit)
    if not re.fullmatch(r"\d{1,7}", parts[2]) or not 2 <= int(parts[2]) <= MOST_LEVELS:
        raise wrong(f"got {text!r}, expected a whole number of levels, at least 2, after the limits")
    if start == stop:
        raise wrong(f"got {text!r}, expected two different limits")
    import numpy as np

    spaced = (np.geomspace if log else np.linspace)(start, stop, int(parts[2]))
    return Levels(values=tuple(spaced.tolist()), unit=unit)


def _numbers(parts: list[str], text: str) -> tuple[tuple[float, ...], str]:
    """Numbers with the unit that all of them share."""
    found = [_NUMBER.fullmatch(part) for part in parts]
    if not all(found):
        raise wrong(f"got {text!r}, expected {FORMS}")
    units = {match[2] or "" for match in found if match}
    if len(units) > 1:
        raise wrong(f"got {text!r}, expected the same unit everywhere", "write it after every number")
    return tuple(float(match[1]) for match in found if match), units.pop()


Varied = Annotated[
    Levels | Range, PlainValidator(varied, json_schema_input_type=float | str | list[float | str])
]


def quantity_limit(text: str) -> float:
    """Read a number with an optional unit of angle, in SI units and radians.

    Raises
    ------
    ValueError
        The text is no number.
    """
    (number,), unit = _numbers([text], text)
    return in_radians(number, unit)


def in_radians(value: float, unit: str) -> float:
    """Convert a number from the unit in which it was typed, as the arm's description would."""
    return math.radians(value) if unit.startswith("deg") else value

"""What a sweep varies and what it records: a YAML file, or the options of `flexarm sweep`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PlainValidator, PrivateAttr, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from flexarm.description.reading.messages import problems
from flexarm.description.reading.yaml_text import Document
from flexarm.description.values.input_model import Path, SpecModel, expected, key, located, wrong
from flexarm.description.values.quantities import WHOLE, Count, is_number
from flexarm.errors import Problem, SpecError

_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(deg/s|rad/s|deg|rad)?\s*")
FORMS = "START:STOP:COUNT, a list such as 1,2,5, or LOW:HIGH to draw from; :log at the end spaces by ratio"
MOST_LEVELS = 1_000_000


class Levels(SpecModel):
    """The values that a key takes, in their unit.

    Attributes
    ----------
    values : tuple of float
    unit : str
        deg, rad, deg/s or rad/s as typed; empty for the key's own unit.
    """

    values: tuple[float, ...]
    unit: str = ""


class Range(SpecModel):
    """The range from which the values of a key are drawn at random."""

    low: float
    high: float
    log: bool = False
    unit: str = ""


def varied(value: Any) -> Levels | Range:
    """Read ``0:2:11``, ``-90 deg:90 deg:7``, ``1:1000:4:log``, ``1,2,5``, ``500:2000``, or a list of numbers.

    Raises
    ------
    ValueError
        What is wrong, in a form that the loader places in the file.
    """
    if isinstance(value, Levels | Range):
        return value
    if is_number(value):
        value = [value]
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value)) if value else ""
    if not isinstance(value, str):
        raise expected(FORMS)
    if ":" not in value:
        numbers, unit = _numbers(value.split(","), value)
        if len(set(numbers)) < len(numbers):
            raise wrong(f"got {value!r}, in which a value stands twice")
        return Levels(values=numbers, unit=unit)
    return _spread(value)


def _spread(text: str) -> Levels | Range:
    """A range, as such or cut into levels."""
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


class Sampling(SpecModel):
    """How many points are drawn from the ranges, and how."""

    count: Count = key("number of points")
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63), WHOLE] = key(
        "which random points; the same seed gives the same points", default=0
    )
    method: Literal["lhs", "sobol"] = key(
        "lhs = Latin hypercube, sobol = scrambled Sobol sequence", default="lhs"
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.method == "sobol" and self.count & (self.count - 1):
            below = 1 << (self.count.bit_length() - 1)
            message = f"got {self.count}, but Sobol's points fill space evenly in powers of two only"
            raise located([(("count",), wrong(message, f"{below} or {2 * below}"))])
        return self


def _some(value: Any) -> Any:
    if value == {}:
        raise expected("at least one key with its values")
    return value


def _one_or_several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_one_or_several, json_schema_input_type=str | list[str])]


class SweepSpec(SpecModel):
    """A sweep: the arm, the keys that are varied, and what is recorded of every run."""

    arm: str = key("YAML file of the arm, seen from the sweep's file")
    vary: Annotated[dict[str, Varied], BeforeValidator(_some)] = key(
        f"dotted keys of the arm, such as links[0].EI or links[*].EI (indices from 0), and their values: {FORMS}"
    )
    sample: Sampling | None = key("how many points are drawn from the ranges LOW:HIGH", default=None)
    record: Names = key("numbers to record of every run; the usual ones unless given", default=())
    series: Names = key("datasets to keep over time, on the samples of the run block", default=())

    _source: str = PrivateAttr("")
    _lines: dict[Path, int] = PrivateAttr(default_factory=dict)

    def fault(self, entry: str, name: str, message: str, hint: str = "") -> SpecError:
        """An error about something named under vary, record or series, placed where it stands in the sweep's file."""
        if not self._source:
            return SpecError([Problem(entry, None, "", message, hint)])
        line = self._lines.get((entry, name), self._lines.get((entry,)))
        return SpecError([Problem(self._source, line, entry, message, hint)])

    @model_validator(mode="after")
    def _check(self) -> Self:
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Iterator[tuple[Path, PydanticCustomError]]:
        ranges = [name for name, values in self.vary.items() if isinstance(values, Range)]
        if ranges and self.sample is None:
            yield (
                ("vary", ranges[0]),
                wrong(
                    "got a range LOW:HIGH, but no sample, which says how many points are drawn from it",
                    "or write START:STOP:COUNT",
                ),
            )
        if not ranges and self.sample is not None:
            yield ("sample",), wrong("got sample, but no key has a range LOW:HIGH to draw from")


def sweep_spec(**entries: Any) -> SweepSpec:
    """Make a sweep from its entries, as from a file.

    Raises
    ------
    SpecError
        Every problem of the entries.
    """
    try:
        return SweepSpec.model_validate(entries)
    except ValidationError as error:
        raise SpecError(problems(error, Document("", entries), "sweep", SweepSpec)) from None


def quantity_limit(text: str) -> float:
    """Read a number with an optional unit of angle, in SI units and radians.

    Raises
    ------
    ValueError
        It is none.
    """
    (number,), unit = _numbers([text], text)
    return in_radians(number, unit)


def in_radians(value: float, unit: str) -> float:
    """Convert a number from the unit in which it was typed, as the arm's description would."""
    return math.radians(value) if unit.startswith("deg") else value

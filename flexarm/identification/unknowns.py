"""Unknowns of a fit: numbers of the description, starts of single runs, offsets and delays of columns."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from pydantic_core import PydanticCustomError

from flexarm.description.arm.arm import Arm
from flexarm.description.values.quantities import angle
from flexarm.errors import InputProblem, ModelError, SpecError
from flexarm.identification.measured.columns import Output
from flexarm.identification.measured.measurements import Measurement
from flexarm.sweeps.parameters.keys import KeyFault, meaning
from flexarm.sweeps.parameters.variation import Variation

_FIT = re.compile(
    r"\s*(?P<name>[^=\s]+)\s*(=\s*(?P<start>[^=]+?))?\s*"
    r"(\bin\s*\[(?P<low>[^,\]]+),(?P<high>[^,\]]+)\]\s*)?"
)
LONGEST_DELAY = 0.25
"""Delay up to which one is looked for, of a run's duration, unless bounds are given."""


@dataclass(frozen=True)
class Unknown:
    """Number that is looked for.

    Attributes
    ----------
    name : str
        As it is reported.
    kind : {"number", "start", "offset", "delay"}
        Of the description; of the start of one run; added to a column; by which a column is late [s].
    target : str
        Key of the description, or the column.
    start : float
        Where the search begins, in the unit of the number.
    low, high : float
        Bounds.
    scale : float
        Size of a change that counts as 1 in the search; of positive numbers their logarithm is searched, and it is 0.
    run : int or None
        Number of the run that it belongs to.
    unit : str
        Of the number; 1 where the description has none.
    """

    name: str
    kind: Literal["number", "start", "offset", "delay"]
    target: str
    start: float
    low: float
    high: float
    scale: float
    run: int | None = None
    unit: str = "1"

    @property
    def is_logarithmic(self) -> bool:
        """Whether the logarithm of the number is searched."""
        return self.scale == 0

    def value(self, x: float) -> float:
        """Value at a place x of the search, whose 0 is the start."""
        if self.is_logarithmic:
            return float(self.start * np.exp(np.clip(x, -300, 300)))
        return self.start + self.scale * x

    def place(self, value: float) -> float:
        """Place in the search at which a value is."""
        if math.isinf(value):
            return value
        if self.is_logarithmic:
            return math.log(value / self.start) if value > 0 else -math.inf
        return (value - self.start) / self.scale

    def slope(self, value: float) -> float:
        """Change of the value for a change of the place."""
        return value if self.is_logarithmic else self.scale


@dataclass(frozen=True)
class FitText:
    """What ``--fit`` says: ``links[0].EI``, ``links[0].EI=2 in [1, 10]``, ``offset:hub``."""

    name: str
    start: float | None
    bounds: tuple[float, float] | None


def parse_fit(text: str) -> FitText:
    """Read what is to be fitted.

    Raises
    ------
    ModelError
        It is not written so, or the bounds are none.
    """
    found = _FIT.fullmatch(text)
    if found is None:
        raise ModelError(f"fit: got {text!r}, expected KEY, KEY=START or KEY=START in [LEAST, LARGEST]")
    start = None if found["start"] is None else _number(text, found["start"])
    if found["low"] is None:
        return FitText(found["name"], start, None)
    low, high = _number(text, found["low"]), _number(text, found["high"])
    if not low < high:
        raise ModelError(f"fit: {text!r}: the least number is not below the largest")
    return FitText(found["name"], start, (low, high))


def _number(text: str, typed: str) -> float:
    value: object = typed.strip()
    with suppress(PydanticCustomError):
        value = angle(value)
    with suppress(TypeError, ValueError):
        value = float(value)  # pyright: ignore[reportArgumentType]
    if isinstance(value, float) and not math.isnan(value):
        return value
    raise ModelError(f"fit: {text!r}: {typed.strip()!r} is no number")


def unknowns_of(
    arm: Arm, fits: Sequence[str], outputs: Sequence[Output], runs: Sequence[Measurement]
) -> tuple[Unknown, ...]:
    """Unknowns of a fit.

    Raises
    ------
    ModelError
        Something is there twice, has no column, begins out of its bounds, or cannot be changed.
    SpecError
        Keys that the arm does not have.
    """
    found: list[Unknown] = []
    for text in map(parse_fit, fits):
        kind, colon, column = text.name.partition(":")
        if colon and kind in ("offset", "delay"):
            found.append(_of_column(text, kind, column, outputs, runs))
        elif colon:
            raise ModelError(f"fit: got {text.name!r}, expected a key, offset:COLUMN or delay:COLUMN")
        else:
            found += _of_description(arm, text, runs)
    names = [one.name for one in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ModelError(f"fit: {twice[0]} is there twice")
    if not found:
        raise ModelError("fit: got nothing to fit")
    return tuple(map(_checked, found))


def _of_column(
    text: FitText, kind: str, column: str, outputs: Sequence[Output], runs: Sequence[Measurement]
) -> Unknown:
    names = [one.name for one in outputs]
    if column not in names:
        expected = f"expected one of {', '.join(names)}" if names else "there are no runs over time"
        raise ModelError(f"fit: {text.name}: no column {column!r} is measured, {expected}")
    k = names.index(column)
    if kind == "offset":
        values = np.concatenate([run.outputs[:, k] for run in runs])
        low, high = text.bounds or (-math.inf, math.inf)
        return Unknown(
            text.name,
            "offset",
            column,
            text.start or 0.0,
            low,
            high,
            float(values.std()) or 1.0,
            unit=outputs[k].unit,
        )
    interval = float(min(np.median(np.diff(run.times)) for run in runs))
    low, high = text.bounds or (0.0, LONGEST_DELAY * float(min(run.times[-1] for run in runs)))
    start = interval if text.start is None else text.start
    return Unknown(text.name, "delay", column, start, low, high, interval, unit="s")


def _of_description(arm: Arm, text: FitText, runs: Sequence[Measurement]) -> list[Unknown]:
    key = text.name
    if key.startswith("run."):
        raise ModelError(f"fit: {key} says how the motion is computed, not what moves")
    try:
        variation = Variation(arm.text, [key])
        value = variation.present(key)
    except KeyFault as fault:
        raise SpecError([InputProblem("fit", None, key, fault.message, fault.hint)]) from None
    _, unit = meaning(variation.data, variation.base, variation.slots[0][0])
    start = value if text.start is None else text.start
    low, high = text.bounds or (-math.inf, math.inf)
    initial = key.startswith("initial.")
    positive = (start > 0 and (text.bounds is None or low >= 0)) or (start == 0 and low > 0)
    if positive and not initial:
        low = max(low, 0.0)
        start = start or math.sqrt(low * high)
        scale = 0.0
    else:
        scale = high - low if math.isfinite(high - low) else abs(start) or 1.0
    if not initial or not runs:
        return [Unknown(key, "number", key, start, low, high, scale, unit=unit)]
    several = len(runs) > 1
    return [
        Unknown(f"{key} of {run.name}" if several else key, "start", key, start, low, high, scale, k, unit)
        for k, run in enumerate(runs)
    ]


def _checked(one: Unknown) -> Unknown:
    """The unknown, if it begins within its bounds; those of a delay move along."""
    if one.kind == "delay" and not one.low < one.start < one.high:
        one = replace(one, start=(one.low + one.high) / 2)
    if not one.low <= one.start <= one.high:
        raise ModelError(
            f"fit: {one.name} begins at {one.start:g}, which is not within {one.low:g} to {one.high:g}",
            hint=f"say where: {one.name}=START in [{one.low:g}, {one.high:g}]",
        )
    return one

"""Profiles: quantities along a link, constant or linear between stations."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BeforeValidator, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from flexarm.description.values.input_model import InputModel, expected, key, located, wrong
from flexarm.description.values.number_tables import CLOSEST, Table
from flexarm.description.values.quantities import NonNegative, Positive, Real, is_number

if TYPE_CHECKING:
    import numpy as np


class Profile(InputModel):
    """Profile: values at stations xi = eta / length; linear in between."""

    eta: tuple[Real, ...] = key("stations as fractions of the link's length, from 0 to 1")
    values: tuple[Positive, ...] = key("values at the stations")

    @classmethod
    def constant(cls, value: float) -> Self:
        """Build the profile of one value all along."""
        return cls(eta=(0.0, 1.0), values=(value, value))

    @property
    def is_constant(self) -> bool:
        """True if all values are equal."""
        return len(set(self.values)) == 1

    @property
    def mean(self) -> float:
        """Mean over the length, in the unit of the values."""
        pairs = zip(itertools.pairwise(self.eta), itertools.pairwise(self.values), strict=True)
        return sum((end - start) * (before + after) / 2 for (start, end), (before, after) in pairs)

    @property
    def knots(self) -> tuple[float, ...]:
        """Stations between which the profile is linear, as fractions of the length."""
        return self.eta

    def at(self, xi: np.ndarray) -> np.ndarray:
        """Evaluate the profile at the fractions `xi` of the length, (...) [1]; (...) in the unit of the values."""
        import numpy as np

        return np.interp(xi, self.eta, self.values)

    def scaled(self, factor: float) -> Self:
        """Same profile with all values times a factor."""
        return self.model_copy(update={"values": tuple(factor * value for value in self.values)})

    def stretch(self, k: int, n: int) -> Self:
        """Stretch k, from 0, of n equal ones, as a profile of its own."""
        if self.is_constant:
            return self
        inside = [xi for xi in self.eta if k / n < xi < (k + 1) / n]
        values = self.at([k / n, *inside, (k + 1) / n]).tolist()  # pyright: ignore[reportArgumentType]
        return self.model_construct(eta=(0.0, *(xi * n - k for xi in inside), 1.0), values=tuple(values))


class StationedProfile(Profile):
    """Profile as typed, with stations in metres; the link turns it into fractions of its length."""

    eta: tuple[NonNegative, ...] = key("distances from the start of the link, from 0 to its length", "m")

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_increasing("eta", self.eta, "values", len(self.values))
        return self

    def over(self, length: float) -> Profile:
        """Same profile with stations as fractions of the link's length [m], which they must span."""
        fractions = [eta / length for eta in self.eta]
        return Profile(eta=(*fractions[:-1], 1.0), values=self.values)


class TabledProfile(InputModel):
    """Profile as a table of distances and values."""

    table: Table = key("CSV file with two columns: distance from the start of the link [m] and value")


def check_increasing(name: str, points: tuple[float, ...], other: str, count: int) -> None:
    """Refuse points that do not increase, or that are not as many as the other list has entries."""
    if len(points) < 2:
        raise located([((name,), wrong(f"got {len(points)} entries, expected at least 2"))])
    for k, (before, after) in enumerate(itertools.pairwise(points), start=1):
        if after <= before:
            raise located([((name, k), wrong(f"got {after} after {before}, expected increasing numbers"))])
        if after - before < CLOSEST * (points[-1] - points[0]):
            raise located([((name, k), wrong(f"got {after} after {before}, too close to tell them apart"))])
    if count != len(points):
        message = f"got {count} {other}, expected {len(points)}, one for each entry of {name}"
        raise located([((other,), wrong(message))])


def span_fault(eta: tuple[float, ...], length: float) -> PydanticCustomError | None:
    """Fault of stations that do not reach from 0 to the link's length [m]."""
    if eta[0] == 0.0 and abs(eta[-1] - length) <= 1e-9 * length:
        return None
    return wrong(f"got stations from {eta[0]} to {eta[-1]} m, expected 0 to {length} m, the link's length")


def read_profile(value: Any, info: ValidationInfo) -> Profile:
    """Profile as typed: a number, stations and values, or a table."""
    if isinstance(value, Profile):
        return value
    if is_number(value):
        return Profile.constant(_positive(value))
    if not isinstance(value, dict):
        raise expected("a number, {eta: [..], values: [..]} or {table: FILE}")
    if "table" in value:
        rows = TabledProfile.model_validate(value, context=info.context).table
        if len(rows[0]) != 2:
            raise located(
                [(("table",), wrong(f"got {len(rows[0])} columns, expected 2: distance and value"))]
            )
        eta, values = zip(*rows, strict=True)
        return StationedProfile(eta=eta, values=values)
    return StationedProfile.model_validate(value, context=info.context)


def _positive(value: float) -> float:
    if not 0 < value < float("inf"):
        raise expected("a finite number > 0")
    return float(value)


ProfileInput = Annotated[
    Profile,
    BeforeValidator(read_profile, json_schema_input_type=Positive | StationedProfile | TabledProfile),
]

"""Payload and external loads of an arm."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from flexarm.description.values.input_model import InputModel, absent, expected, key, located, wrong
from flexarm.description.values.quantities import Count, Inertia6, NonNegative, SignalVector, Vector

Fraction = Annotated[float, Field(strict=True, ge=0, le=1)]
LOAD_VECTORS = ("force", "moment", "distributed")
"""Keys of the vectors of a load."""


class Payload(InputModel):
    """Payload: a rigid body at the tip, in the axes of the last link's end section."""

    mass: NonNegative = key("mass", "kg", default=0.0)
    inertia: Inertia6 = key(
        "inertia about its own mass centre",
        "kg m^2",
        default=(0.0,) * 6,
    )
    offset: Vector = key("mass centre, from the tip", "m", default=(0.0, 0.0, 0.0))


class Station(InputModel):
    """Station: a point of a link's axis."""

    link: Count = key("number of the link, from 1")
    at: Fraction = key("place along the link, 0 = start, 1 = end", "-")


class Stretch(InputModel):
    """Stretch: a part of a link's axis."""

    model_config = ConfigDict(populate_by_name=True)

    link: Count = key("number of the link, from 1")
    first: Fraction = key("where it begins, 0 = start of the link", "-", default=0.0, alias="from")
    last: Fraction = key("where it ends, 1 = end of the link", "-", default=1.0, alias="to")

    @model_validator(mode="after")
    def _has_length(self) -> Self:
        if not self.first < self.last:
            raise located([(("to",), wrong(f"got {self.last:g}, expected more than from, {self.first:g}"))])
        return self


def _place(value: Any) -> Any:
    if isinstance(value, Station | Stretch):
        return value
    if value == "tip":
        return None
    if not isinstance(value, dict):
        raise expected("tip or {link: 1, at: 0.5}, of a distributed force {link: 1}")
    return (Station if "at" in value else Stretch).model_validate(value)


class Load(InputModel):
    """External load: a force and a moment at one station of the arm, or a force that is spread over a link."""

    at: Annotated[
        Station | Stretch | None,
        BeforeValidator(_place, json_schema_input_type=Literal["tip"] | Station | Stretch),
    ] = key(
        "where: tip, or {link: 1, at: 0.5}; of a distributed force {link: 1}, or {link: 1, from: 0, to: 0.5}"
    )
    force: SignalVector = key(
        "force along x, y, z: numbers or expressions of t", "N", default=(0.0, 0.0, 0.0)
    )
    moment: SignalVector = key(
        "moment about x, y, z: numbers or expressions of t", "N m", default=(0.0, 0.0, 0.0)
    )
    distributed: SignalVector = key(
        "force per length of the link along x, y, z: numbers or expressions of t",
        "N/m",
        default=(0.0, 0.0, 0.0),
    )
    frame: Literal["base", "link"] = key(
        "axes of the forces and of the moment: the base's, or those of the link's undeformed frame",
        default="base",
    )

    @model_validator(mode="after")
    def _fits_its_place(self) -> Self:
        given = self.model_fields_set
        if isinstance(self.at, Stretch):
            if points := [name for name in ("force", "moment") if name in given]:
                hint = f"write at: {{link: {self.at.link}, at: 0.5}} for the place where it acts"
                raise located([((points[0],), wrong("acts at one station, not along a link", hint))])
            if "distributed" not in given:
                need = "force per length [N/m]; or at: {link: 1, at: 0.5}, where a force acts on the link"
                raise located([(("distributed",), absent(need))])
        elif "distributed" in given:
            hint = "write at: {link: 1} for all of a link, {link: 1, from: 0, to: 0.5} for a part"
            raise located([(("distributed",), wrong("acts along a link, not at one station", hint))])
        return self

    @property
    def link(self) -> int:
        """Index of the loaded link, from 0."""
        return -1 if self.at is None else self.at.link - 1

    @property
    def stretch(self) -> tuple[float, float] | None:
        """Ends of the part of the link that carries a distributed force, as fractions of its length."""
        return (self.at.first, self.at.last) if isinstance(self.at, Stretch) else None

    @property
    def station(self) -> float:
        """Fraction of that link's length, from 0 to 1; of a distributed force the middle of its stretch."""
        if isinstance(self.at, Stretch):
            return (self.at.first + self.at.last) / 2
        return 1.0 if self.at is None else self.at.at

    @property
    def signals(self) -> dict[str, SignalVector]:
        """Vectors that the load is made of, by their keys."""
        return {name: getattr(self, name) for name in LOAD_VECTORS}

    def on(self, n_links: int) -> Load:
        """Same load with its link named: the tip is the end of the last one."""
        return self.model_copy(update={"at": Station(link=n_links, at=1.0)}) if self.at is None else self

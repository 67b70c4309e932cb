"""Payload and external loads of an arm."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from flexarm.description.values.input_model import InputModel, expected, key
from flexarm.description.values.quantities import Count, Inertia6, NonNegative, SignalVector, Vector


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
    at: Annotated[float, Field(strict=True, ge=0, le=1)] = key(
        "place along the link, 0 = start, 1 = end", "-"
    )


def _station(value: Any) -> Any:
    if isinstance(value, Station):
        return value
    if value == "tip":
        return None
    if not isinstance(value, dict):
        raise expected("tip or {link: 1, at: 0.5}")
    return Station.model_validate(value)


class Load(InputModel):
    """External load: a force and a moment on the arm at one station."""

    at: Annotated[
        Station | None, BeforeValidator(_station, json_schema_input_type=Literal["tip"] | Station)
    ] = key("where: tip, or {link: 1, at: 0.5}")
    force: SignalVector = key(
        "force along x, y, z: numbers or expressions of t", "N", default=(0.0, 0.0, 0.0)
    )
    moment: SignalVector = key(
        "moment about x, y, z: numbers or expressions of t", "N m", default=(0.0, 0.0, 0.0)
    )
    frame: Literal["base", "link"] = key(
        "axes of force and moment: the base's, or those of the link's undeformed frame", default="base"
    )

    @property
    def link(self) -> int:
        """Index of the loaded link, from 0."""
        return -1 if self.at is None else self.at.link - 1

    @property
    def station(self) -> float:
        """Fraction of that link's length, from 0 to 1."""
        return 1.0 if self.at is None else self.at.at

    def on(self, n_links: int) -> Load:
        """Same load with its link named: the tip is the end of the last one."""
        return self.model_copy(update={"at": Station(link=n_links, at=1.0)}) if self.at is None else self

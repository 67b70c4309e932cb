"""Shapes of a trajectory: waypoints, straight line, circle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, model_validator

from flexarm.catalogue import TIME_LAWS
from flexarm.description.values.input_model import InputModel, expected, key, located, wrong
from flexarm.description.values.profile import check_increasing
from flexarm.description.values.quantities import Angle, Positive, Real, Vector

if TYPE_CHECKING:
    Law = str
else:
    Law = Literal[tuple(TIME_LAWS)]

LAW = "time law: " + "; ".join(f"{name}, {law.description}" for name, law in TIME_LAWS.items())
EndRates = dict[str, tuple[Angle, Angle]]


def _text_or_rates(value: Any) -> Any:
    if isinstance(value, dict) or value in ("rest", "free"):
        return value
    raise expected("rest, free or the rates at both ends, e.g. {x: [0, 0.1], y: [0, 0]}")


def _two_or_three(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) not in (2, 3):
        raise expected("a list of 2 or 3 numbers [x, y] or [x, y, z]")
    return value


Ends = Annotated[Literal["rest", "free"] | EndRates, BeforeValidator(_text_or_rates)]


def _coordinates_beside_times(schema: dict[str, Any]) -> None:
    """Describe way-points as they are typed: any further key is a coordinate."""
    entry = schema["properties"].pop("coordinates")
    schema["required"].remove("coordinates")
    schema["additionalProperties"] = {**entry["additionalProperties"], "description": entry["description"]}


class Waypoints(InputModel):
    """Waypoints: points to pass at given times, joined by a cubic spline: between them the acceleration is linear."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_coordinates_beside_times)

    times: tuple[Real, ...] = key("times, from 0 to the end of the trajectory", "s")
    coordinates: dict[str, tuple[Angle, ...]] = key("values of each coordinate at these times", "m or rad")
    ends: Ends = key(
        "rates at both ends: rest, free (no kink at the second and last but one point), or {x: [first, last], ..}",
        default="rest",
    )

    @model_validator(mode="before")
    @classmethod
    def _collect_coordinates(cls, data: Any) -> Any:
        """Coordinates are typed beside the times."""
        if not isinstance(data, dict) or "coordinates" in data:
            return data
        own = {name: data[name] for name in ("times", "ends") if name in data}
        return own | {"coordinates": {name: value for name, value in data.items() if name not in own}}

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name, values in self.coordinates.items():
            check_increasing("times", self.times, name, len(values))
        if self.times[0] != 0:
            raise located(
                [(("times", 0), wrong(f"got {self.times[0]}, expected 0, where the trajectory starts"))]
            )
        return self


class LinePath(InputModel):
    """Straight line, at rest at both ends."""

    start: tuple[Angle, ...] = key(
        "where it starts: x, y[, z], or one angle, or position, per joint", "m or rad", alias="from"
    )
    end: tuple[Angle, ...] = key("where it ends", "m or rad", alias="to")
    law: Law = key(LAW, default="quintic")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.end) != len(self.start):
            fault = wrong(f"got {len(self.end)} coordinates, expected {len(self.start)} as in 'from'")
            raise located([(("to",), fault)])
        return self


class CirclePath(InputModel):
    """Circle of the tip, at rest at both ends; its angle counts from y x normal (from x if the normal is y)."""

    center: Annotated[tuple[Real, ...], BeforeValidator(_two_or_three)] = key("centre: x, y or x, y, z", "m")
    radius: Positive = key("radius", "m")
    normal: Vector = key("axis about which the tip moves", default=(0.0, 0.0, 1.0))
    start: Angle = key("angle at which it starts", "rad", default=0.0)
    turn: Angle = key("angle to go through", "rad", default=6.283185307179586)
    law: Law = key(LAW, default="quintic")

    @model_validator(mode="after")
    def _check(self) -> Self:
        x, y, z = self.normal
        if not (x or y or z):
            raise located([(("normal",), wrong("got a vector of length 0, expected a direction"))])
        if len(self.center) == 2 and (x or y):
            raise located(
                [(("normal",), wrong("got a circle out of the xy plane around a centre without z"))]
            )
        return self

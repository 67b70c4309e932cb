"""Trajectory of the tip or of the joints: the task of inverse dynamics and of the load carrying capacity."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, PlainValidator, PrivateAttr, model_validator

from flexarm.description.values.expression import Expression, undefined_value
from flexarm.description.values.input_model import Faults, InputModel, absent, expected, key, located, wrong
from flexarm.description.values.number_tables import Table
from flexarm.description.values.profile import check_increasing
from flexarm.description.values.quantities import Angle, Positive, Real, Vector, signal

TIP_COORDINATES = ("x", "y", "z", "yaw", "pitch", "roll")
"""Position of the tip in base axes, and the turns about z, y and x that lead to the axes of its section."""
KINDS = ("path", "waypoints", "line", "circle", "table")

Law = Literal["quintic", "trapezoidal"]
EndRates = dict[str, tuple[Angle, Angle]]


def _expression(value: Any) -> Expression:
    value = signal(value)
    return value if isinstance(value, Expression) else Expression(repr(value))


def _text_or_rates(value: Any) -> Any:
    if isinstance(value, dict) or value in ("rest", "free"):
        return value
    raise expected("rest, free or the rates at both ends, e.g. {x: [0, 0.1], y: [0, 0]}")


def _two_or_three(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) not in (2, 3):
        raise expected("a list of 2 or 3 numbers [x, y] or [x, y, z]")
    return value


Formula = Annotated[Expression, PlainValidator(_expression, json_schema_input_type=float | str)]
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
        "where it starts: x, y[, z], or one angle per joint", "m or rad", alias="from"
    )
    end: tuple[Angle, ...] = key("where it ends", "m or rad", alias="to")
    law: Law = key(
        "how it is run through: quintic, or trapezoidal with ramps of a quarter", default="quintic"
    )

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
    normal: Vector = key("axis about which the tip goes round", default=(0.0, 0.0, 1.0))
    start: Angle = key("angle at which it starts", "rad", default=0.0)
    turn: Angle = key("angle to go through", "rad", default=6.283185307179586)
    law: Law = key(
        "how it is run through: quintic, or trapezoidal with ramps of a quarter", default="quintic"
    )

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


class Trajectory(InputModel):
    """Trajectory as described by a YAML file: the course of some coordinates of the tip or of the joints."""

    space: Literal["tip", "joint"] = key(
        "what is prescribed: the tip's or the joints' coordinates", default="tip"
    )
    duration: Positive | None = key(
        "length of the trajectory; that of waypoints and tables is their last time", "s", default=None
    )
    path: dict[str, Formula] | None = key(
        "expressions of t, one for each coordinate: x, y, z [m], yaw, pitch, roll [rad]; joints q1, q2, .. [rad]",
        default=None,
    )
    waypoints: Waypoints | None = key("points to pass at given times", default=None)
    line: LinePath | None = key("a straight line", default=None)
    circle: CirclePath | None = key("a circle of the tip", default=None)
    table: Table | None = key(
        "CSV file: time [s], then one column per coordinate, joined by a spline", default=None
    )
    columns: tuple[str, ...] = key(
        "coordinates in the columns of the table; x, y, z or q1, q2, ..", default=()
    )
    ends: Ends = key("rates at both ends of a table: rest, free or {x: [first, last], ..}", default="free")
    sample: Positive | None = key(
        "time between two samples of the result; a 300th unless given", "s", default=None
    )
    near: tuple[Angle, ...] = key(
        "joint angles near which the arm starts, one per joint that moves", "rad", default=()
    )
    elbow: Literal["positive", "negative"] | None = key(
        "sign of the second moving joint's angle at the start, where the tip can be reached with both",
        default=None,
    )
    deviation: Positive | None = key(
        "how far the tip may deviate from its path when the load carrying capacity is sought",
        "m",
        default=None,
    )

    _text: str = PrivateAttr("")
    _source: str = PrivateAttr("trajectory")

    @property
    def text(self) -> str:
        """YAML text that describes this trajectory by itself; empty if it was not read from text."""
        return self._text

    @property
    def source(self) -> str:
        """File that messages about this trajectory name."""
        return self._source

    @property
    def kind(self) -> str:
        """Which of :data:`KINDS` describes the course."""
        return next(name for name in KINDS if getattr(self, name) is not None)

    @property
    def length(self) -> float:
        """Duration [s], whether typed or given by the last waypoint."""
        if self.duration is not None:
            return self.duration
        return self.waypoints.times[-1] if self.waypoints else self.table[-1][0]  # type: ignore[index]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the prescribed coordinates."""
        match self.kind:
            case "path":
                return tuple(self.path or ())
            case "waypoints":
                return tuple(self.waypoints.coordinates)  # type: ignore[union-attr]
            case "line":
                return self._counted(len(self.line.start))  # type: ignore[union-attr]
            case "circle":
                return TIP_COORDINATES[: len(self.circle.center)]  # type: ignore[union-attr]
        return self.columns or self._counted(len(self.table[0]) - 1)  # type: ignore[index]

    def _counted(self, number: int) -> tuple[str, ...]:
        return (
            TIP_COORDINATES[:number] if self.space == "tip" else tuple(f"q{i}" for i in range(1, number + 1))
        )

    def __eq__(self, other: object) -> bool:
        """Whether both describe the same course, in whatever words."""
        return isinstance(other, Trajectory) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _lengths_have_no_degrees(cls, data: Any) -> Any:
        in_space = isinstance(data, dict) and data.get("space", "tip") == "tip"
        if in_space and (faults := list(_angles_as_lengths(data))):
            raise located(faults)
        return data

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in KINDS if getattr(self, name) is not None]
        if len(given) != 1:
            raise wrong(f"got {', '.join(given) or 'no course'}, expected one of {', '.join(KINDS)}")
        if faults := list(self._faults()):
            raise located(faults)
        if faults := list(self._value_faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        timed = self.kind in ("waypoints", "table")
        if timed and self.duration is not None:
            yield (
                ("duration",),
                wrong(f"got a duration besides {self.kind}, whose last time gives it", "remove it"),
            )
        if not timed and self.duration is None:
            yield ("duration",), absent("length of the trajectory [s]")
        if self.circle is not None and self.space == "joint":
            yield ("circle",), wrong("a circle is a course of the tip", "space: tip")
        if self.elbow is not None and self.near:
            yield (
                ("elbow",),
                wrong("got elbow besides near, which gives the posture already", "remove one of them"),
            )
        if self.kind != "table":
            yield from (((name,), wrong("only a table has this key")) for name in ("columns", "ends")
                        if name in self.model_fields_set)  # fmt: skip
        elif self.columns and len(self.columns) != len(self.table[0]) - 1:  # type: ignore[index]
            message = (
                f"got {len(self.columns)} names for a table of time and {len(self.table[0]) - 1} columns"  # type: ignore[index]
            )
            yield ("columns",), wrong(message)
        elif self.table[0][0] != 0:  # type: ignore[index]
            yield ("table",), wrong(f"got {self.table[0][0]} s as the first time, expected 0")  # type: ignore[index]
        if not (self.circle and self.space == "joint"):
            yield from self._name_faults()

    def _name_faults(self) -> Faults:
        names = self.coordinates
        place = {"waypoints": ("waypoints",), "path": ("path",)}.get(self.kind, ())
        if not names:
            yield place, wrong("got no coordinate, expected at least one")
        for name in names:
            known = name in TIP_COORDINATES if self.space == "tip" else name[:1] == "q" and name[1:].isdigit()
            if not known:
                what = ", ".join(TIP_COORDINATES) if self.space == "tip" else "q1, q2, .."
                where = (*place, name) if place else (self.kind if self.kind == "line" else "columns",)
                yield where, wrong(f"unknown coordinate {name!r}", f"space: {self.space} has {what}")
        if len(set(names)) < len(names):
            yield ("columns",), wrong(f"got a coordinate twice: {', '.join(names)}")
        ends = self.waypoints.ends if self.waypoints else self.ends
        if isinstance(ends, dict) and set(ends) != set(names):
            yield (
                (*place, "ends"),
                wrong(f"got rates of {', '.join(ends)}, expected those of {', '.join(names)}"),
            )

    def _value_faults(self) -> Faults:
        for name, expression in (self.path or {}).items():
            if fault := undefined_value(expression, self.length, "the trajectory's end"):
                yield ("path", name), fault


def _angles_as_lengths(data: dict[str, Any]) -> Faults:
    """Positions of the tip typed with a unit of angle."""
    line, points = data.get("line"), data.get("waypoints")
    lists = [(("line", name), line.get(name)) for name in ("from", "to")] if isinstance(line, dict) else []
    if isinstance(points, dict):
        lists += [(("waypoints", name), points.get(name)) for name in ("x", "y", "z")]
    for path, values in lists:
        for k, value in enumerate(values if isinstance(values, list) else ()):
            if isinstance(value, str):
                yield (*path, k), wrong(f"got {value!r}, expected a number in m")

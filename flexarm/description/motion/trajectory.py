"""Trajectory of the tip or of the joints: the task of inverse dynamics and of the load carrying capacity."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import PlainValidator, PrivateAttr, model_validator

from flexarm.description.motion.path_shapes import CirclePath, Ends, LinePath, Waypoints
from flexarm.description.values.expression import Expression, undefined_value
from flexarm.description.values.input_model import Faults, InputModel, absent, key, located, wrong
from flexarm.description.values.number_tables import Table
from flexarm.description.values.quantities import PARAMETERS_TEXT, Angle, Parameters, Positive, signal

TIP_COORDINATES = ("x", "y", "z", "yaw", "pitch", "roll")
"""Position of the tip in base axes, and the turns about z, y and x that lead to the axes of its section."""
KINDS = ("path", "waypoints", "line", "circle", "table")


def _expression(value: Any) -> Expression:
    value = signal(value)
    return value if isinstance(value, Expression) else Expression.constant(value)


Formula = Annotated[Expression, PlainValidator(_expression, json_schema_input_type=float | str)]


class Trajectory(InputModel):
    """Trajectory as described by a YAML file: the course of some coordinates of the tip or of the joints."""

    parameters: Parameters = key(PARAMETERS_TEXT, default=())
    space: Literal["tip", "joint"] = key(
        "what is prescribed: the tip's or the joints' coordinates", default="tip"
    )
    duration: Positive | None = key(
        "length of the trajectory; that of waypoints and tables is their last time", "s", default=None
    )
    path: dict[str, Formula] | None = key(
        "expressions of t, one for each coordinate: x, y, z [m], yaw, pitch, roll [rad]; joints q1, q2, .. [rad, "
        "prismatic: m]",
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
        "time between two samples of the result; 1/300 of the duration by default", "s", default=None
    )
    near: tuple[Angle, ...] = key(
        "joint angles, or positions, near which the arm starts, one per joint that moves",
        "rad, prismatic: m",
        default=(),
    )
    elbow: Literal["positive", "negative"] | None = key(
        "sign of the second joint's angle at the start, where the tip can be reached with both; counted among the "
        "joints whose motion the arm does not prescribe",
        default=None,
    )
    deviation: Positive | None = key(
        "how far the tip may deviate from its path under the largest load",
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
        """Kind of the trajectory, one of :data:`KINDS`."""
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
        """True if both describe the same course, in whatever words."""
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
        if self.sample is not None and self.sample > self.length:
            message = f"got {self.sample:g}, expected at most the length of the trajectory, {self.length:g} s"
            yield ("sample",), wrong(message)
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

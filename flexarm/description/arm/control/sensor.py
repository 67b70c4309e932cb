"""Sensors: what they measure, where and along which axis, and how far they are off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from flexarm.description.arm.control.controller_kinds import Bounds, bounds_faults
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.load import Station
from flexarm.description.arm.walls import ContactPoint, contact_points
from flexarm.description.values.input_model import Faults, InputModel, absent, expected, key, located, wrong
from flexarm.description.values.quantities import Count, Fixed, FixedTime, NonNegative, Positive, Real
from flexarm.hints import listed

MOTION, BENDING = ("position", "velocity", "acceleration"), ("deflection", "curvature", "strain")
"""Kinds of sensors of the motion of a point, and of how a link is bent at a station."""
KINDS = ("joint", *MOTION, *BENDING, "base", "contact", "stop")
"""Keys of a sensor that say what it measures: one of them each."""
UNITS = {
    "position": "m", "velocity": "m/s", "acceleration": "m/s^2",
    "deflection": "m", "curvature": "1/m", "strain": "1", "contact": "N",
}  # fmt: skip
"""Units of the kinds that have one of their own."""
BASE_UNITS = {"position": "m", "velocity": "m/s", "angle": "rad", "rate": "rad/s"}


def _place(value: Any) -> Any:
    if isinstance(value, Station) or value == "tip":
        return value
    if isinstance(value, str) and re.fullmatch(r"O[1-9]\d*", value):
        return value
    if not isinstance(value, dict):
        raise expected("tip, O1, O2 and so on, or {link: 1, at: 0.5}")
    return Station.model_validate(value)


Place = Annotated[str | Station, BeforeValidator(_place, json_schema_input_type=str | Station)]


class Sensor(InputModel):
    """Sensor: what it measures, and how far its reading is off.

    Its reading is the true value plus `bias` and noise, in steps of `resolution`, within `range`; with a period it is
    held from one measurement to the next, and `delay` old.
    """

    joint: Count | None = key("number of the joint, from 1, that is measured", default=None)
    position: Place | None = key(
        "point whose position is measured: tip, O1, O2 and so on, or {link: 1, at: 0.5}", default=None
    )
    velocity: Place | None = key("point whose velocity is measured, likewise", default=None)
    acceleration: Place | None = key(
        "point whose acceleration is measured, likewise; the weight is none of it", default=None
    )
    deflection: Station | None = key(
        "station of a link, {link: 1, at: 0.5}, whose deflection in the link's axes is measured", default=None
    )
    curvature: Station | None = key(
        "station of a link at which its curvature in the plane of deflection is measured", default=None
    )
    strain: Station | None = key("station of a link at which a gauge measures its strain", default=None)
    base: Literal["position", "velocity", "angle", "rate"] | None = key(
        "what is measured of a floating base", default=None
    )
    contact: Place | None = key(
        "point that may touch, as contact.points has it: the force of a wall on it", default=None
    )
    stop: Count | None = key(
        "number of the joint, from 1, the torque of whose stops is measured", default=None
    )
    of: Literal["angle", "rate", "torque", "motor", "motor_rate"] | None = key(
        "joint only: what is measured of it, by default its angle; motor = the angle of the motor behind its gear",
        default=None,
    )
    along: Literal["x", "y", "z"] | None = key(
        "axis along which a point, or the base, is measured, about which the base turns, or along which a link is "
        "deflected, y unless given",
        default=None,
    )
    frame: Literal["base", "link"] | None = key(
        "axes of the motion of a point: the fixed ones unless given, or those of the link's undeformed frame",
        default=None,
    )
    wall: Count | None = key("contact only: number of the wall, from 1; the first unless given", default=None)
    distance: Positive | None = key(
        "strain only: distance of the gauge from the neutral axis, by default half the section's size",
        "m",
        default=None,
    )
    noise: NonNegative | None = key(
        "standard deviation of the noise of each measurement; it needs a period",
        "unit of the sensor",
        default=None,
    )
    delay: FixedTime | None = key(
        "how old a reading is, a multiple of the period; before the first one the arm has been where it starts",
        "s",
        default=None,
    )
    period: FixedTime | None = key(
        "time between measurements, each held until the next; by default that of the controllers that read the sensor",
        "s",
        default=None,
    )
    offset: Annotated[NonNegative, AfterValidator(Fixed)] = key(
        "time of its first measurement; it needs a period of its own", "s", default=0.0
    )
    bias: Real | None = key("what is added to the true value", "unit of the sensor", default=None)
    resolution: Positive | None = key(
        "steps of the reading; none unless given", "unit of the sensor", default=None
    )
    range: Bounds | None = key(
        "least and largest reading; without bounds unless given", "unit of the sensor", default=None
    )

    @property
    def kind(self) -> str:
        """Key of :data:`KINDS` that says what is measured."""
        return next(name for name in KINDS if getattr(self, name) is not None)

    @property
    def is_exact(self) -> bool:
        """Whether the reading is the true value."""
        return not self.needs_period and self.period is None and self.bias is None and self.range is None

    @property
    def needs_period(self) -> bool:
        """Whether its reading is that of single measurements."""
        return self.noise is not None or self.delay is not None or self.resolution is not None

    @property
    def order(self) -> int | None:
        """Of which rate of a function of the coordinates it measures: 0, 1 or 2; None of torques and forces."""
        if self.kind in ("contact", "stop") or self.of == "torque":
            return None
        if self.kind in MOTION:
            return MOTION.index(self.kind)
        return int(self.of in ("rate", "motor_rate") or self.base in ("velocity", "rate"))

    @property
    def follows_torques(self) -> bool:
        """Whether it follows the torques of drives at once."""
        return self.acceleration is not None or self.of == "torque"

    @property
    def axis(self) -> int:
        """Index of the axis along which it measures."""
        return "xyz".index(self.along or "y")

    def point(self, n_links: int) -> ContactPoint:
        """Place of a point whose motion, or whose contact, is measured."""
        where = getattr(self, self.kind)
        return contact_points([f"O{n_links + 1}" if where == "tip" else where], n_links)[0]

    def unit(self, joints: Sequence[Joint]) -> str:
        """Unit of the reading."""
        if self.kind == "base":
            return BASE_UNITS[self.base or "position"]
        if (unit := UNITS.get(self.kind)) is not None:
            return unit
        number = self.joint or self.stop or 1
        kind = joints[number - 1].kind
        if self.kind == "stop" or self.of == "torque":
            return kind.force_unit
        return kind.rate_unit if self.of in ("rate", "motor_rate") else kind.unit

    def completed(self, links: Sequence[Link]) -> Sensor:
        """Same sensor; of a gauge the distance is known if the link has a section."""
        if self.strain is None or self.distance is not None:
            return self
        section = links[self.strain.link - 1].section
        if section is None:
            return self
        half = dict(zip("yz", section.at(self.strain.at).half_sizes, strict=True))
        return self.model_copy(update={"distance": half[self.along or "y"]})

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in KINDS if getattr(self, name) is not None]
        if len(given) != 1:
            got = " and ".join(given) or "none"
            raise wrong(f"got {got} of {listed(KINDS)}, expected one of them", "a sensor measures one thing")
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        kind = self.kind
        takes = {
            "of": ("joint",),
            "along": (*MOTION, *BENDING, "base"),
            "frame": MOTION,
            "wall": ("contact",),
            "distance": ("strain",),
        }
        for name, kinds in takes.items():
            if getattr(self, name) is not None and kind not in kinds:
                yield (
                    (name,),
                    wrong(f"a sensor of {kind} has none: it goes with {listed(kinds)}", "remove it"),
                )
        if self.along is None and kind in (*MOTION, "base"):
            yield ("along",), absent("axis along which it measures: x, y or z")
        if self.along == "x" and kind in ("curvature", "strain"):
            yield ("along",), wrong(f"got x, but {kind} goes with a deflection along y or z")
        if self.offset and self.period is None:
            yield ("offset",), wrong("got an offset without a period", "give period, or remove it")
        yield from bounds_faults("range", self.range)

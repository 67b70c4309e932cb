"""Faults of sensors that measure what their arm has not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flexarm.description.arm.control.sensor import BENDING, MOTION, Sensor
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.load import Station
from flexarm.description.arm.walls import Contact, point_names
from flexarm.description.values.input_model import Faults, KeyPath, wrong
from flexarm.hints import listed

Sensors = Sequence[tuple[str, Sensor]]


@dataclass(frozen=True)
class Measured:
    """What sensors of an arm can measure.

    Attributes
    ----------
    links, joints : sequences
    base : str
        Kind of the base's coordinates.
    contact : Contact or None
    limited : sequence of int
        Joints with stops, from 0.
    """

    links: Sequence[Link]
    joints: Sequence[Joint]
    base: str
    contact: Contact | None
    limited: Sequence[int]

    def faults(self, sensors: Sensors) -> Faults:
        """Faults of sensors by name."""
        of_kind: dict[str, Callable[[Sensor], Faults]] = {
            "joint": self._joint,
            **dict.fromkeys(MOTION, self._point),
            **dict.fromkeys(BENDING, self._bending),
            "base": self._base,
            "contact": self._contact,
            "stop": self._stop,
        }
        for name, sensor in sensors:
            for path, fault in of_kind[sensor.kind](sensor):
                yield ("sensors", name, *path), fault

    def _joint(self, sensor: Sensor) -> Faults:
        n, number = len(self.joints), sensor.joint or 1
        if number > n:
            yield ("joint",), _beyond("joint", number, n)
        elif not self.joints[number - 1].moves and sensor.of != "torque":
            yield ("joint",), wrong(f"joint {number} is fixed, so nothing of it changes", "remove the sensor")

    def _point(self, sensor: Sensor) -> Faults:
        where, n = getattr(sensor, sensor.kind), len(self.links)
        if isinstance(where, Station):
            if where.link > n:
                yield (sensor.kind, "link"), _beyond("link", where.link, n)
        elif where != "tip" and where not in (names := point_names(n)):
            message = f"got {where!r}, which is no point of the arm"
            yield (sensor.kind,), wrong(message, f"its points are {', '.join(names)}, tip")

    def _bending(self, sensor: Sensor) -> Faults:
        where, kind, n = getattr(sensor, sensor.kind), sensor.kind, len(self.links)
        if where.link > n:
            yield (kind, "link"), _beyond("link", where.link, n)
            return
        link = self.links[where.link - 1]
        along = sensor.along or "y"
        if not link.n_modes:
            yield (kind, "link"), wrong(f"link {where.link} is rigid, so nothing bends it", "give it modes")
        elif kind != "deflection" and along not in (*link.mode_directions, *((link.matrices and "yz") or "")):
            message = f"link {where.link} has no modes along {along}, so nothing of it is measured"
            yield (kind,), wrong(message, f"it bends along {listed(dict.fromkeys(link.mode_directions))}")
        elif kind == "strain" and sensor.distance is None:
            message = f"link {where.link} has no section that gives its height"
            yield (kind,), wrong(message, "give distance: that of the gauge from the neutral axis [m]")

    def _base(self, sensor: Sensor) -> Faults:
        turns = sensor.base in ("angle", "rate")
        if self.base == "fixed":
            yield ("base",), wrong("the base is fixed, so nothing of it is measured", "write base: planar")
        elif turns and self.base == "planar":
            yield ("base",), wrong("a planar base without a body does not turn", "measure joint 1 instead")
        elif sensor.base == "angle" and self.base == "free":
            yield ("base",), wrong("got angle, but a free base turns about any axis", "measure its rate")
        elif self.base != "free" and (sensor.along == "z") != turns:
            expected = "z" if turns else "x or y"
            yield ("along",), wrong(f"got {sensor.along}, expected {expected}: the base moves in the plane")

    def _contact(self, sensor: Sensor) -> Faults:
        if self.contact is None:
            yield ("contact",), wrong("there are no walls", "give contact: {walls: ..}")
            return
        if faults := list(self._point(sensor)):
            yield from faults
            return
        n, walls = len(self.links), len(self.contact.walls)
        if sensor.point(n) not in (places := self.contact.places(n)):
            names = ", ".join(place.name for place in places)
            yield (
                ("contact",),
                wrong(f"{sensor.point(n).name} is none of contact.points", f"these are {names}"),
            )
        if (sensor.wall or 1) > walls:
            yield ("wall",), _beyond("wall", sensor.wall or 1, walls)

    def _stop(self, sensor: Sensor) -> Faults:
        n, number = len(self.joints), sensor.stop or 1
        if number > n:
            yield ("stop",), _beyond("joint", number, n)
        elif number - 1 not in self.limited:
            yield ("stop",), wrong(f"joint {number} has no stops", f"give joints[{number - 1}].limits")


def stations(sensors: Sensors) -> Iterator[tuple[KeyPath, Station]]:
    """Stations of links that sensors name, and their keys."""
    for name, sensor in sensors:
        if isinstance(where := getattr(sensor, sensor.kind), Station):
            yield ("sensors", name, sensor.kind), where


def _beyond(what: str, number: int, count: int):
    message = f"got {what} {number}, but the arm has {count} {what}{'s' * (count != 1)}"
    return wrong(message, f"{what}s count from 1")

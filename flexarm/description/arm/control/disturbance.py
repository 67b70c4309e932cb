"""Disturbances: torques on joints and forces on points that no controller asks for, noise or signals of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import model_validator

from flexarm.description.arm.control.sensor import Place
from flexarm.description.arm.load import Station
from flexarm.description.arm.walls import ContactPoint, contact_points, point_names
from flexarm.description.motion.drive import SignalOrTable
from flexarm.description.values.input_model import Faults, InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import Count, FixedTime, NonNegative


class Disturbance(InputModel):
    """Disturbance: a torque on a joint, or a force on a point, of a signal and of noise.

    With a period it is held from one instant to the next, and may have noise.
    """

    torque: Count | None = key("number of the joint, from 1, on whose link a torque acts", default=None)
    force: Place | None = key(
        "point on which a force acts: tip, O1, O2 and so on, or {link: 1, at: 0.5}", default=None
    )
    along: Literal["x", "y", "z"] | None = key("fixed axis along which a force acts", default=None)
    signal: SignalOrTable | None = key(
        "a number, an expression of t or a table", "N m, of a force N", default=None
    )
    noise: NonNegative | None = key(
        "standard deviation of the noise that each period adds", "N m, of a force N", default=None
    )
    period: FixedTime | None = key("time for which a value is held; noise needs one", "s", default=None)

    @property
    def axis(self) -> int:
        """Index of the axis of a force."""
        return "xyz".index(self.along or "x")

    def point(self, n_links: int) -> ContactPoint:
        """Place of a force."""
        where = f"O{n_links + 1}" if self.force == "tip" or self.force is None else self.force
        return contact_points([where], n_links)[0]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.torque is None) == (self.force is None):
            got = "torque and force" if self.torque is not None else "neither torque nor force"
            raise wrong(f"got {got}, expected one of them")
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        if self.force is not None and self.along is None:
            yield ("along",), absent("fixed axis along which the force acts: x, y or z")
        if self.torque is not None and self.along is not None:
            yield ("along",), wrong("a torque acts about the axis of its joint", "remove it")
        if self.signal is None and self.noise is None:
            yield ("signal",), absent("a number or an expression of t; or noise: .. with a period")
        if self.noise is not None and self.period is None:
            yield (
                ("noise",),
                wrong("a noise needs a period: each value is held for that long", "give a period"),
            )


def disturbance_faults(disturbances: Sequence[tuple[str, Disturbance]], n_links: int) -> Faults:
    """Faults of disturbances of what an arm has not."""
    for name, one in disturbances:
        if one.torque is not None and one.torque > n_links:
            message = f"got joint {one.torque}, but the arm has {n_links}"
            yield ("disturbances", name, "torque"), wrong(message, "joints count from 1")
        elif isinstance(one.force, Station) and one.force.link > n_links:
            message = f"got link {one.force.link}, but the arm has {n_links}"
            yield ("disturbances", name, "force", "link"), wrong(message, "links count from 1")
        elif isinstance(one.force, str) and one.force not in ("tip", *(names := point_names(n_links))):
            message = f"got {one.force!r}, which is no point of the arm"
            yield ("disturbances", name, "force"), wrong(message, f"its points are {', '.join(names)}, tip")

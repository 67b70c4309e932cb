"""Description of a serial arm: links, joints, payload, loads, walls, initial state, drives and run settings."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, PrivateAttr, model_validator

from flexarm.description.arm.consistency import contact_faults, count_faults, proportion_faults, time_faults
from flexarm.description.arm.initial_values import complete_initial, initial_faults
from flexarm.description.arm.joint import Joint
from flexarm.description.arm.link import SMALL_ROTATION, Link
from flexarm.description.arm.load import Load, Payload
from flexarm.description.arm.required_capabilities import formulation_faults, required_capabilities
from flexarm.description.arm.walls import Contact
from flexarm.description.motion.drive import DriveInput
from flexarm.description.motion.initial import Initial
from flexarm.description.motion.run_settings import RunSettings
from flexarm.description.values.input_model import (
    InputModel,
    at_least_one,
    at_most,
    key,
    located,
    validated_as,
)
from flexarm.description.values.quantities import Flag, Vector

MOST_LINKS = 1000
"""Links of an arm; deriving and compiling the equations of so many takes a minute."""


@cache
def _plain_joint() -> Joint:
    """Default joint, one object for all arms, which compare and hash quicker so."""
    return Joint()


class SegmentChoice(NamedTuple):
    """Number of segments of a link, from 0, whose description leaves it open, and the turn [rad] expected of it."""

    link: int
    segments: int
    turn: float

    def __str__(self) -> str:
        """Say what was chosen and why."""
        each, beyond = f"{SMALL_ROTATION}", ""
        if self.turn > self.segments * SMALL_ROTATION * (1 + 1e-9):
            each, beyond = (
                f"{self.turn / self.segments:.2g}",
                f", beyond the {each} rad that the model is meant for",
            )
        why = (
            f"statics and the first mode predict a turn of {self.turn:.2g} rad, {each} rad a segment{beyond}"
        )
        return f"link {self.link + 1}: segments: auto takes {self.segments}: {why}"


class Arm(InputModel):
    """Serial arm as described by a YAML file.

    After validation ``joints`` and ``drive`` have one entry per link, ``initial`` one per joint and per mode,
    and every load names its link.
    """

    name: Annotated[str, Field(strict=True, pattern=r"^\w[\w.-]*$", max_length=100)] = key(
        "name of the arm, which also names its result files"
    )
    gravity: Vector = key("acceleration of gravity along x, y, z", "m/s^2", default=(0.0, -9.81, 0.0))
    base: Literal["fixed", "planar", "free"] = key(
        "what the first joint stands on: fixed, planar = it floats along x and y, free = it floats and turns in "
        "space",
        default="fixed",
    )
    link_rotation: Literal["finite", "small"] = key(
        "end rotation of a deflected link: finite (a rotation), small (as published)", default="finite"
    )
    geometric_stiffening: Flag = key(
        "whether a bent link shortens, so that a pull along it stiffens and a push softens it; false: as published",
        default=True,
    )
    links: Annotated[
        tuple[Annotated[Link, validated_as(Link)], ...],
        at_least_one("link"),
        at_most(MOST_LINKS, "links"),
    ] = key(
        f"links from the base to the tip, at most {MOST_LINKS}",
        json_schema_extra={"minItems": 1, "maxItems": MOST_LINKS},
    )
    joints: tuple[Annotated[Joint, validated_as(Joint)], ...] = key(
        "joints, one at the start of each link; revolute unless given", default=()
    )
    payload: Payload = key("rigid body at the tip", default=Payload())
    initial: Annotated[Initial, validated_as(Initial)] = key("state at t = 0", default=Initial())
    drive: tuple[DriveInput, ...] = key(
        "what drives each joint: one entry per joint, null = free; none given = all free", default=()
    )
    loads: tuple[Load, ...] = key("external forces and moments", default=())
    contact: Contact | None = key(
        "walls that the arm may strike and rest on; none unless given", default=None
    )
    run: Annotated[RunSettings, validated_as(RunSettings)] = key(
        "how the motion is computed; 1 s in samples of 0.01 s unless given",
        default=RunSettings(duration=1.0, sample=0.01),
    )

    _text: str = PrivateAttr("")
    _open_text: str = PrivateAttr("")
    _segment_choices: tuple[SegmentChoice, ...] = PrivateAttr(())

    @property
    def text(self) -> str:
        """YAML text that describes this arm by itself; empty for an arm that was not read from text."""
        return self._text

    @property
    def segment_choices(self) -> tuple[SegmentChoice, ...]:
        """Numbers of segments that the description left open (`segments: auto`); its :attr:`text` has the numbers."""
        return self._segment_choices

    @property
    def mass(self) -> float:
        """Mass of links, hubs and payload [kg]."""
        links = sum(link.mass for link in self.links)
        return links + sum(joint.mass for joint in self.joints) + self.payload.mass

    @property
    def flies(self) -> bool:
        """True if the arm floats or may strike walls: its simulation is a flight."""
        return self.base != "fixed" or self.contact is not None

    def __eq__(self, other: object) -> bool:
        """True if both describe the same arm, in whatever words."""
        return isinstance(other, Arm) and self.__dict__ == other.__dict__

    __hash__ = InputModel.__hash__

    @model_validator(mode="after")
    def _complete(self) -> Self:
        n = len(self.links)
        self._assign(joints=self.joints or (_plain_joint(),) * n, drive=self.drive or (None,) * n)
        parts = self.initial, self.links, self.joints, self.base
        if faults := [
            *count_faults(self.links, self.joints, self.drive, self.loads),
            *initial_faults(*parts),
            *proportion_faults(self.payload, self.links),
        ]:
            raise located(faults)
        required = required_capabilities(self.base, self.link_rotation, self.geometric_stiffening, self.links)
        self._assign(initial=complete_initial(*parts), loads=tuple(load.on(n) for load in self.loads))
        if faults := [
            *contact_faults(self.contact, self.links, self.joints, self.drive, self.base, self.run.method),
            *formulation_faults(self.run.formulation, self.run.record, required),
            *time_faults(self.drive, self.loads, self.run.duration),
        ]:
            raise located(faults)
        return self

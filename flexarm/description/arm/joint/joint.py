"""Joints between the links: type, placement, hub and spring."""

from __future__ import annotations

import math
from typing import Literal, Self

from pydantic import model_validator

from flexarm.catalogue import JOINT_TYPES, JointType
from flexarm.description.arm.joint.limits import LimitsInput
from flexarm.description.arm.joint.motor import Friction, Motor
from flexarm.description.values.input_model import Faults, InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import (
    Angle,
    AngleVector,
    Inertia3,
    NonNegative,
    Positive,
    Real,
    Vector,
)

Z_AXIS = (0.0, 0.0, 1.0)


class Origin(InputModel):
    """Place of a joint's frame, seen from the end of the link before, or from the base: first shifted, then turned."""

    xyz: Vector = key("shift along the axes of the end before", "m", default=(0.0, 0.0, 0.0))
    rpy: AngleVector = key(
        "roll, pitch, yaw: turned about the fixed x, then y, then z axis", "rad", default=(0.0, 0.0, 0.0)
    )


class Joint(InputModel):
    """Joint at the start of a link, whose frame it turns about its axis or shifts along it."""

    type: Literal["revolute", "prismatic", "fixed"] = key(
        "revolute = turns about its axis, prismatic = slides along it, fixed = locked at an angle",
        default="revolute",
    )
    twist: Angle = key("Denavit-Hartenberg alpha: turn about x before the joint's own", "rad", default=0.0)
    offset: Real = key("Denavit-Hartenberg d: shift along the joint's axis", "m", default=0.0)
    origin: Origin | None = key(
        "place of the joint's frame in that at the end of the link before, instead of twist and offset",
        default=None,
    )
    axis: Vector = key("axis in the joint's frame, of any length but 0", "-", default=Z_AXIS)
    angle: Angle = key("fixed joints only: the angle at which the joint is locked", "rad", default=0.0)
    friction: Friction = key("friction of the joint", default=Friction())
    mass: NonNegative = key("mass of the hub, at the joint", "kg", default=0.0)
    inertia: Inertia3 = key(
        "moments of inertia of the hub about the link frame's axes",
        "kg m^2",
        default=(0.0, 0.0, 0.0),
    )
    motor: Motor = key("motor and gear", default=Motor())
    stiffness: Positive | None = key(
        "stiffness of the joint's spring: to the motor or, without a motor inertia, to the rest angle",
        "N m/rad, prismatic: N/m",
        default=None,
    )
    damping: NonNegative = key("damping beside that spring", "N m s/rad, prismatic: N s/m", default=0.0)
    rest: Angle = key(
        "without a motor inertia: where the spring is relaxed",
        "rad, prismatic: m",
        default=0.0,
    )
    limits: LimitsInput = key(
        "stops at the ends of the joint's range: [lower, upper], or with their restitution, 0 unless given",
        "rad, prismatic: m",
        default=None,
    )

    @property
    def kind(self) -> JointType:
        """How the joint moves, and its units."""
        return JOINT_TYPES[self.type]

    @property
    def moves(self) -> bool:
        """True for a joint that has a coordinate."""
        return self.kind.moves

    @property
    def turns(self) -> bool:
        """True for a joint that moves and turns what it carries."""
        return self.moves and self.kind.turn != 0

    @property
    def keeps_normal(self) -> bool:
        """True if the z axis of the link before stays, up to its sign, that of the link: both bend in one plane."""
        roll, pitch, _ = (self.twist, 0.0, 0.0) if self.origin is None else self.origin.rpy
        turns_about = self.axis if self.kind.turn else Z_AXIS
        tilts = math.sin(roll), math.sin(pitch), *turns_about[:2]
        return all(abs(tilt) < 1e-9 for tilt in tilts)

    @property
    def stays_in_plane(self) -> bool:
        """True if what the joint carries stays in the xy plane of what carries the joint."""
        level = self.offset == 0 if self.origin is None else self.origin.xyz[2] == 0
        return level and self.keeps_normal and (self.kind.is_angle or self.axis[2] == 0)

    @property
    def reach(self) -> float:
        """Distance [m] between the end before and the joint, as far as an origin says."""
        return 0.0 if self.origin is None else math.hypot(*self.origin.xyz)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if faults := [*self._placement_faults(), *self._angle_faults(), *self._spring_faults()]:
            raise located(faults)
        size = math.hypot(*self.axis)
        x, y, z = (part / size for part in self.axis)
        self._assign(axis=(x, y, z))
        if faults := [*self._limit_faults()]:
            raise located(faults)
        return self

    def _placement_faults(self) -> Faults:
        if not any(self.axis):
            yield ("axis",), wrong("got a vector of length 0, expected a direction", "axis: [0, 0, 1]")
        for name in ("twist", "offset"):
            if name not in self.model_fields_set:
                continue
            if self.origin is not None:
                message = f"got {name} besides origin: both place the joint"
                yield (name,), wrong(message, "remove one of them")
            elif "axis" in self.model_fields_set and self.axis != Z_AXIS:
                message = (
                    f"got {name} besides an axis other than z, about which Denavit-Hartenberg joints turn"
                )
                yield (name,), wrong(message, "origin: {xyz: [..], rpy: [..]}")

    def _limit_faults(self) -> Faults:
        if self.limits is not None and not self.moves:
            yield ("limits",), wrong("a fixed joint has no limits: it does not move", "remove them")
        elif self.limits is not None and not self.kind.is_angle and self.limits.has_angles:
            fault = wrong("got an angle, but this joint is prismatic", f"write numbers in {self.kind.unit}")
            yield ("limits",), fault

    def _angle_faults(self) -> Faults:
        if self.moves and "angle" in self.model_fields_set:
            fault = wrong("only a fixed joint has 'angle'", f"a {self.type} joint starts at initial.joints")
            yield ("angle",), fault

    @property
    def is_elastic(self) -> bool:
        """True if the angle of the joint's motor is a coordinate of its own, behind a spring."""
        return self.stiffness is not None and self.motor.inertia > 0

    def _spring_faults(self) -> Faults:
        """Faults of the spring of a joint, and of a motor that turns against it."""
        given = [name for name in ("stiffness", "damping", "rest") if name in self.model_fields_set]
        if self.type == "fixed":
            for name in given:
                yield (name,), wrong("a fixed joint has no spring", "remove it, or let the joint move")
            return
        if self.stiffness is None:
            for name in given:
                hint = "friction.viscous damps a joint without one" if name == "damping" else ""
                yield (name,), wrong(f"{name} belongs to a spring, which takes stiffness [N m/rad]", hint)
        elif self.is_elastic and "rest" in given:
            message = (
                "only a spring without a motor inertia has a rest angle; this one is between motor and link"
            )
            yield ("rest",), wrong(message, "initial.motors says where the motor begins")
        elif not self.motor.inertia and "gear" in self.motor.model_fields_set:
            need = "the motor of an elastic joint moves on its own, which takes an inertia [kg m^2]"
            zero = "inertia" in self.motor.model_fields_set
            fault = wrong("got 0, expected a number > 0 beside stiffness", need) if zero else absent(need)
            yield ("motor", "inertia"), fault

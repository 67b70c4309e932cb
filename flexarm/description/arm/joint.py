"""Joints between the links, with hub, motor and friction."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from flexarm.description.values.input_model import Faults, InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import Angle, Inertia3, NonNegative, Positive, Real


class Friction(InputModel):
    """Friction torque ``-viscous q_d - coulomb tanh(q_d / smoothing)`` on the joint."""

    viscous: NonNegative = key("viscous friction", "N m s/rad", default=0.0)
    coulomb: NonNegative = key("dry friction torque", "N m", default=0.0)
    smoothing: Positive = key("speed at which dry friction reaches 76 % (tanh 1)", "rad/s", default=0.01)


class Motor(InputModel):
    """Motor behind a gear; its rotor adds ``gear^2 inertia`` to the joint.

    Its limits matter to the load carrying capacity only: at the joint it can give the torque
    ``gear stall_torque (1 - |q_d| gear / no_load_speed)`` in the direction in which the joint turns, and
    ``gear stall_torque`` against it.
    """

    inertia: NonNegative = key("moment of inertia of the rotor", "kg m^2", default=0.0)
    gear: Positive = key("gear ratio, motor speed over joint speed", "-", default=1.0)
    stall_torque: Positive | None = key(
        "largest torque of the motor itself, at standstill", "N m", default=None
    )
    no_load_speed: Positive | None = key(
        "speed of the motor itself at which its torque is used up; none = its torque does not depend on the speed",
        "rad/s",
        default=None,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.no_load_speed is not None and self.stall_torque is None:
            raise located(
                [(("stall_torque",), absent("a motor with a no_load_speed has a stall_torque [N m]"))]
            )
        return self


class Joint(InputModel):
    """Joint at the start of a link; it turns about the z axis of the link's frame."""

    type: Literal["revolute", "fixed"] = key("revolute, or fixed = locked at an angle", default="revolute")
    twist: Angle = key("Denavit-Hartenberg alpha: turn about x before the joint's own", "rad", default=0.0)
    offset: Real = key("Denavit-Hartenberg d: shift along the joint's axis", "m", default=0.0)
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
        "elastic joint: of the spring between motor and link; without a motor inertia of a spring that draws the joint "
        "to rest, beside its drive",
        "N m/rad",
        default=None,
    )
    damping: NonNegative = key("elastic joint: of the damper beside that spring", "N m s/rad", default=0.0)
    rest: Angle = key(
        "elastic joint without a motor inertia: joint angle at which the spring is relaxed",
        "rad",
        default=0.0,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.type == "revolute" and "angle" in self.model_fields_set:
            fault = wrong("only a fixed joint has 'angle'", "a revolute joint starts at initial.joints")
            raise located([(("angle",), fault)])
        if faults := list(self._spring_faults()):
            raise located(faults)
        return self

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
            message = "the motor of an elastic joint moves on its own, which takes an inertia [kg m^2]"
            yield ("motor", "inertia"), absent(message)

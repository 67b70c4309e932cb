"""Joints between the links, with hub, motor and friction."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from flexarm.catalogue import JOINT_TYPES, JointType
from flexarm.description.values.input_model import InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import Angle, Inertia3, NonNegative, Positive, Real


class Friction(InputModel):
    """Friction torque ``-viscous q_d - coulomb tanh(q_d / smoothing)`` on the joint."""

    viscous: NonNegative = key("viscous friction", "N m s/rad, prismatic: N s/m", default=0.0)
    coulomb: NonNegative = key("dry friction torque", "N m, prismatic: N", default=0.0)
    smoothing: Positive = key(
        "speed at which dry friction reaches 76 % (tanh 1)", "rad/s, prismatic: m/s", default=0.01
    )


class Motor(InputModel):
    """Motor behind a gear; its rotor adds ``gear^2 inertia`` to the joint.

    Its limits matter to the load carrying capacity only: at the joint it can give the torque
    ``gear stall_torque (1 - |q_d| gear / no_load_speed)`` in the direction in which the joint turns, and
    ``gear stall_torque`` against it.
    """

    inertia: NonNegative = key("moment of inertia of the rotor", "kg m^2", default=0.0)
    gear: Positive = key("gear ratio, motor speed over joint speed", "-, prismatic: rad/m", default=1.0)
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

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.type == "revolute" and "angle" in self.model_fields_set:
            fault = wrong("only a fixed joint has 'angle'", "a revolute joint starts at initial.joints")
            raise located([(("angle",), fault)])
        return self

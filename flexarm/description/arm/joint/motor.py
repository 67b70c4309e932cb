"""What drives and brakes a joint: motor behind a gear, friction."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from flexarm.description.values.input_model import InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import NonNegative, Positive


class Friction(InputModel):
    """Friction ``-viscous q_d - coulomb tanh(q_d / smoothing)`` on the joint, a torque or a force.

    Without smoothing it is dry friction: ``coulomb`` against the motion, and at rest what holds the joint, up to
    ``static``.
    """

    viscous: NonNegative = key("viscous friction", "N m s/rad, prismatic: N s/m", default=0.0)
    coulomb: NonNegative = key("dry friction torque", "N m, prismatic: N", default=0.0)
    static: NonNegative | None = key(
        "with smoothing 0: largest torque that holds the joint at rest, by default coulomb",
        "N m, prismatic: N",
        default=None,
    )
    smoothing: NonNegative = key(
        "speed at which dry friction reaches 76 % (tanh 1), so that a joint creeps; 0: it sticks",
        "rad/s, prismatic: m/s",
        default=0.01,
    )

    @property
    def is_dry(self) -> bool:
        """Whether the joint sticks: dry friction is not smoothed."""
        return self.smoothing == 0 and self.coulomb > 0

    @property
    def smoothed(self) -> float:
        """Dry friction [N m, N] that is a smooth function of the rate."""
        return 0.0 if self.smoothing == 0 else self.coulomb

    @property
    def at_rest(self) -> float:
        """Largest torque [N m, N] that holds a joint which sticks."""
        return self.coulomb if self.static is None else self.static

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.smoothing == 0 and "coulomb" not in self.model_fields_set:
            need = absent("smoothing: 0 makes dry friction stick, which takes coulomb [N m, prismatic: N]")
            raise located([(("coulomb",), need)])
        if self.static is None:
            return self
        if "coulomb" not in self.model_fields_set:
            need = absent("static friction holds a joint whose dry friction is coulomb [N m, prismatic: N]")
            raise located([(("coulomb",), need)])
        if self.smoothing > 0:
            fault = wrong("friction that is smoothed holds nothing at rest", "add smoothing: 0")
            raise located([(("static",), fault)])
        if self.static < self.coulomb:
            message = f"got {self.static:g}, expected at least coulomb ({self.coulomb:g})"
            fault = wrong(message, "a joint at rest holds as much as one that moves, or more")
            raise located([(("static",), fault)])
        return self


class Motor(InputModel):
    """Motor behind a gear; its rotor adds ``gear^2 inertia`` to the joint.

    Its limits matter to the load carrying capacity and to drives that `saturate`: at the joint it can give the torque
    ``gear stall_torque (1 - |q_d| gear / no_load_speed)`` in the direction in which the joint turns, and
    ``gear stall_torque`` against it. Resistance and torque constant are those of a DC motor that a drive feeds by a
    `voltage`.
    """

    inertia: NonNegative = key("moment of inertia of the rotor", "kg m^2", default=0.0)
    gear: Positive = key("gear ratio, motor speed over joint speed", "-, prismatic: rad/m", default=1.0)
    stall_torque: Positive | None = key(
        "largest torque of the motor itself, at standstill", "N m", default=None
    )
    no_load_speed: Positive | None = key(
        "speed of the motor itself at which it has no torque left; none = its torque does not depend on the speed",
        "rad/s",
        default=None,
    )
    resistance: Positive | None = key(
        "resistance of the winding of a DC motor that is fed by a voltage", "ohm", default=None
    )
    torque_constant: Positive | None = key(
        "torque of the motor itself over its current, and back-emf over its speed [V s/rad]",
        "N m/A",
        default=None,
    )

    @property
    def reflected_inertia(self) -> float:
        """Inertia of the rotor as felt behind the gear [kg m^2; of a joint that slides kg]: gear^2 times its own."""
        return self.gear**2 * self.inertia

    @property
    def constant_at_joint(self) -> float:
        """Torque at the joint over the current, back-emf over the joint's speed [N m/A; of a joint that slides N/A]."""
        assert self.torque_constant is not None, "a drive by voltage has one"
        return self.gear * self.torque_constant

    @property
    def torque_per_volt(self) -> float:
        """Torque at the joint at standstill over the voltage [N m/V; of a joint that slides N/V]."""
        assert self.resistance is not None, "a drive by voltage has one"
        return self.constant_at_joint / self.resistance

    @property
    def back_emf_damping(self) -> float:
        """Torque with which the back-emf brakes the joint, over its speed [N m s/rad; of a joint that slides N s/m]."""
        assert self.resistance is not None, "a drive by voltage has one"
        return self.constant_at_joint**2 / self.resistance

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.no_load_speed is not None and self.stall_torque is None:
            raise located(
                [(("stall_torque",), absent("a motor with a no_load_speed has a stall_torque [N m]"))]
            )
        return self

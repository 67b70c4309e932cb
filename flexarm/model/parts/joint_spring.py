"""Springs of joints: between motor and link of an elastic joint [Spong1987], or from the joint to a rest angle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.joint.motor import Friction, Motor


@dataclass(frozen=True)
class JointSpring:
    """Spring and damper of a joint, with the motor that turns against it if there is one; numbers may be symbols.

    Attributes
    ----------
    joint : int
        Number of the joint in the description, from 0.
    has_motor : bool
        Whether the spring is between a motor with an angle of its own and the link; else it draws the joint to `rest`.
    stiffness, damping : float [N m/rad, N m s/rad]
    rest : float [rad, m]
        Joint angle at which a spring without a motor is relaxed.
    motor_inertia : float [kg m^2]
        Of the rotor as felt behind the gear, gear^2 times its own.
    viscous, coulomb, smoothing : float [N m s, N m, rad/s]
        Friction of motor and gear, ``viscous theta_m_d + coulomb tanh(theta_m_d / smoothing)``; that of a joint without
        a motor is the joint's own.
    """

    joint: int
    has_motor: bool
    stiffness: float
    damping: float
    rest: float = 0.0
    motor_inertia: float = 0.0
    viscous: float = 0.0
    coulomb: float = 0.0
    smoothing: float = 1.0


def joint_springs(joints: Sequence[Joint]) -> tuple[JointSpring, ...]:
    """Springs of the joints that have one."""
    return tuple(_spring(i, joint) for i, joint in enumerate(joints) if joint.stiffness is not None)


def _spring(i: int, joint: Joint) -> JointSpring:
    assert joint.stiffness is not None
    if not joint.is_elastic:
        return JointSpring(i, False, joint.stiffness, joint.damping, joint.rest)
    friction, motor = joint.friction, joint.motor
    return JointSpring(
        i,
        True,
        joint.stiffness,
        joint.damping,
        motor_inertia=motor.reflected_inertia,
        viscous=friction.viscous,
        coulomb=friction.smoothed,
        smoothing=friction.smoothing or 1.0,
    )


def without_motor(joint: Joint) -> Joint:
    """The joint as its link feels it: the inertia and friction of an elastic joint's motor are not part of it."""
    if not joint.is_elastic:
        return joint
    return joint.model_copy(update={"friction": Friction(), "motor": Motor()})

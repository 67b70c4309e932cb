"""Motor limits: speed-torque lines at the joints, [SY94] section 7."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.motor import Motor


def torque_bounds(
    motor: Motor, q_d: Any, least: Callable[[Any, Any], Any], largest: Callable[[Any, Any], Any]
) -> tuple[Any, Any]:
    """Largest and least torque [N m] that a motor with a stall torque gives the joint at its rate q_d.

    Parameters
    ----------
    motor : Motor
    q_d : array or SX
    least, largest : callable
        The smaller, and the larger, of two values of that kind.

    Notes
    -----
    Speed-torque line of a direct current motor, ``k1 - k2 q_d`` above and ``-k1 - k2 q_d`` below, with k1 the stall
    torque at the joint (a force, with a gear in rad/m) and k1/k2 the no-load speed there. Where the motor brakes, the
    line would promise more than k1; the current that a motor bears at rest is taken to be its largest, so both bounds
    stay within -k1 and k1. A joint that moves faster than without load is braked: both bounds are then on one side of
    zero.
    """
    assert motor.stall_torque is not None
    k1 = motor.gear * motor.stall_torque
    k2 = k1 * motor.gear / motor.no_load_speed if motor.no_load_speed is not None else 0.0
    return largest(-k1, least(k1, k1 - k2 * q_d)), least(k1, largest(-k1, -k1 - k2 * q_d))


def available_torque(arm: Arm, joint_velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Torque bounds of the motors at the speed of every joint, see :func:`torque_bounds`.

    Parameters
    ----------
    joint_velocity : (k, joints) [rad/s, prismatic: m/s]

    Returns
    -------
    upper, lower : (k, joints) [N m, prismatic: N]
        Infinite where a motor has no limit.
    """
    shape = joint_velocity.shape
    upper, lower = np.full(shape, np.inf), np.full(shape, -np.inf)
    for i, joint in enumerate(arm.joints):
        if joint.motor.stall_torque is not None:
            q_d = joint_velocity[:, i]
            upper[:, i], lower[:, i] = torque_bounds(joint.motor, q_d, np.minimum, np.maximum)
    return upper, lower


def has_limits(arm: Arm) -> bool:
    """True if any motor has a torque limit."""
    return any(joint.motor.stall_torque is not None for joint in arm.joints)

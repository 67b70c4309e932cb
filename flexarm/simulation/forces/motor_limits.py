"""Motor limits: speed-torque lines at the joints, [SY94] section 7."""

from __future__ import annotations

import numpy as np

from flexarm.description.arm.arm import Arm


def available_torque(arm: Arm, joint_velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Torque bounds of the motors at the speed of every joint.

    Parameters
    ----------
    joint_velocity : (k, joints) [rad/s, prismatic: m/s]

    Returns
    -------
    upper, lower : (k, joints) [N m, prismatic: N]
        Infinite where a motor has no limit.

    Notes
    -----
    Speed-torque line of a direct current motor, ``k1 - k2 q_d`` above and ``-k1 - k2 q_d`` below, with k1 the stall
    torque at the joint (a force, with a gear in rad/m) and k1/k2 the no-load speed there. Where the motor brakes, the
    line would promise more than k1; the current that a motor bears at rest is taken to be its largest, so the bound
    stays at k1 there.
    """
    shape = joint_velocity.shape
    upper, lower = np.full(shape, np.inf), np.full(shape, -np.inf)
    for i, motor in enumerate(joint.motor for joint in arm.joints):
        if motor.stall_torque is None:
            continue
        k1 = motor.gear * motor.stall_torque
        k2 = k1 * motor.gear / motor.no_load_speed if motor.no_load_speed else 0.0
        upper[:, i] = np.minimum(k1, k1 - k2 * joint_velocity[:, i])
        lower[:, i] = np.maximum(-k1, -k1 - k2 * joint_velocity[:, i])
    return upper, lower


def has_limits(arm: Arm) -> bool:
    """True if any motor has a torque limit."""
    return any(joint.motor.stall_torque is not None for joint in arm.joints)

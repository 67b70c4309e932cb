"""Dry friction of joints whose motion is given: against their rates."""

from __future__ import annotations

from collections.abc import Collection

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain

AT_REST = 1e-8
"""Rate [rad/s, m/s] up to which a joint is at rest: then friction holds it by a torque that its motion does not say."""


def sliding_friction(arm: Arm, chain: Chain, theta_d: ca.SX, joints: Collection[int]) -> ca.SX:
    """Torques (n_joints,) [N m, N] of the dry friction of some joints at the rates theta_d (n_dof,); 0 at rest.

    Of an elastic joint it acts on the motor.
    """
    torques = ca.SX.zeros(len(arm.joints))
    for i in joints:
        row, friction = chain.coordinates.driven[i], arm.joints[i].friction
        if row is not None and friction.is_dry:
            moves = ca.fabs(theta_d[row]) > AT_REST
            torques[i] = ca.if_else(moves, -friction.coulomb * ca.sign(theta_d[row]), 0.0)
    return torques

"""Joint friction: viscous, and Coulomb smoothed about standstill."""

from __future__ import annotations

import casadi as ca

from flexarm.model.joint import JointModel


def friction(joint: JointModel, q_d: ca.SX) -> ca.SX:
    """Friction of a joint, a scalar at the rate q_d [rad/s, m/s], viscous and smoothed Coulomb [N m, N]."""
    torque = joint.viscous * q_d
    if not ca.SX(joint.coulomb).is_zero():  # a number, or a symbol
        torque += joint.coulomb * ca.tanh(q_d / joint.smoothing)
    return torque

"""Friction of joints and motors: viscous, and Coulomb smoothed about standstill."""

from __future__ import annotations

import casadi as ca

from flexarm.model.parts.joint import JointModel
from flexarm.model.parts.joint_spring import JointSpring


def friction(joint: JointModel | JointSpring, q_d: ca.SX) -> ca.SX:
    """Friction of a joint, or of the motor behind its spring, at the rate q_d [rad/s, m/s]: a scalar [N m, N].

    Viscous, and Coulomb's smoothed.
    """
    torque = joint.viscous * q_d
    if not ca.SX(joint.coulomb).is_zero():  # a number, or a symbol
        torque += joint.coulomb * ca.tanh(q_d / joint.smoothing)
    return torque

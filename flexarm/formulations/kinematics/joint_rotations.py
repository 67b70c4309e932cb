"""Rotations of joints: twist about x, then the joint's angle about z."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.kinematics.deflection_rotation import DeflectionRotation
from flexarm.formulations.kinematics.rotations import (
    about,
    by_cosine_and_sine,
)
from flexarm.model.joint import JointModel


def axis_of(joint: JointModel) -> ca.SX:
    """Axis of a joint in the frame before it, (3,)."""
    return ca.SX(ca.vertcat(0, -joint.sin_twist, joint.cos_twist))


def joint_rotation(joint: JointModel, q: ca.SX) -> ca.SX:
    """A_i: the fixed twist about x, then the joint's angle about z."""
    turn = about(2, q)
    return turn if untwisted(joint) else by_cosine_and_sine(0, joint.cos_twist, joint.sin_twist) @ turn


def untwisted(joint: JointModel) -> bool:
    """Whether a joint turns about its parent's z; sine and cosine may be symbols."""
    return ca.SX(joint.sin_twist).is_zero() and ca.SX(joint.cos_twist).is_one()


def link_to_link(rotation: DeflectionRotation, joint: JointModel, q: ca.SX) -> ca.SX:
    """E_{i-1} A_i, [GA09] eq. 4; where both turn about z, their angles add."""
    if rotation.angle_z is not None and untwisted(joint):
        return about(2, rotation.angle_z + q)
    return rotation.E @ joint_rotation(joint, q)

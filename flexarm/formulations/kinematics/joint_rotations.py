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
    """Axis of a joint in its parent's end frame, (3,)."""
    return ca.SX(ca.vertcat(0, -joint.sin_twist, joint.cos_twist))


def joint_rotation(joint: JointModel, q: ca.SX) -> ca.SX:
    """Rotation A_i (3, 3) of a joint: the fixed twist about x, then the angle q [rad] about z, [GA09] eq. 5."""
    rotation = about(2, q)
    return (
        rotation if untwisted(joint) else by_cosine_and_sine(0, joint.cos_twist, joint.sin_twist) @ rotation
    )


def untwisted(joint: JointModel) -> bool:
    """True if a joint's axis is its parent's z; sine and cosine of the twist may be symbols."""
    return ca.SX(joint.sin_twist).is_zero() and ca.SX(joint.cos_twist).is_one()


def link_to_link(rotation: DeflectionRotation, joint: JointModel, q: ca.SX) -> ca.SX:
    """Rotation E_{i-1} A_i (3, 3), [GA09] eq. 4; where both are about z, their angles add."""
    if rotation.angle_z is not None and untwisted(joint):
        return about(2, rotation.angle_z + q)
    return rotation.E @ joint_rotation(joint, q)

"""Transforms of joints, as expressions: fixed turns, then the joint's own motion about and along its axis."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from flexarm.formulations.kinematics.deflection_rotation import DeflectionRotation
from flexarm.formulations.kinematics.rotations import about, by_cosine_and_sine, cosine_and_sine, skew
from flexarm.model.parts.joint import AxisTurn, JointModel


class Subspace(NamedTuple):
    """Motion subspace of a joint in the axes of its link, (3,) each: what a unit rate turns it by and moves it by."""

    w: ca.SX
    v: ca.SX


def subspace(joint: JointModel) -> Subspace:
    """Motion subspace S of a joint; numbers may be symbols."""
    return Subspace(*(ca.SX(ca.vertcat(*part)) for part in (joint.motion.S_w, joint.motion.S_v)))


def placement(joint: JointModel) -> ca.SX:
    """Rotation (3, 3) from the axes of a joint to those of the end before it."""
    R = ca.SX.eye(3)
    for turn in turned(joint):
        R = R @ by_cosine_and_sine(turn.axis, turn.cosine, turn.sine)
    return R


def turned(joint: JointModel) -> list[AxisTurn]:
    """Fixed turns of a joint that turn anything; their sines and cosines may be symbols."""
    return [turn for turn in joint.turns if not (ca.SX(turn.sine).is_zero() and ca.SX(turn.cosine).is_one())]


def coordinate_axis(joint: JointModel) -> tuple[int, int] | None:
    """Coordinate axis along which a joint's axis lies and its sign; None if it lies along none of them."""
    parts = [ca.SX(part) for part in joint.motion.axis]
    found = [k for k, part in enumerate(parts) if not part.is_zero()]
    if len(found) == 1 and (parts[found[0]].is_one() or parts[found[0]].is_minus_one()):
        return found[0], 1 if parts[found[0]].is_one() else -1
    return None


def angle_about(joint: JointModel, q: ca.SX) -> tuple[int, ca.SX] | None:
    """Coordinate axis and angle [rad] of a joint's own rotation; None if it turns about no coordinate axis."""
    if not joint.motion.turn:
        return 2, ca.SX(0)
    along = coordinate_axis(joint)
    return along and (along[0], along[1] * q)


def own_rotation(joint: JointModel, q: ca.SX) -> ca.SX:
    """Rotation (3, 3) by the joint's own motion at the scalar coordinate q [rad, m]."""
    if found := angle_about(joint, q):
        return about(*found)
    axis, (c, s) = subspace(joint).w, cosine_and_sine(q)
    return c * ca.SX.eye(3) + s * skew(axis) + (1 - c) * axis @ axis.T


def own_position(joint: JointModel, q: ca.SX) -> ca.SX:
    """Where the link's frame is, seen from the end before, in the axes of the joint: (3,) [m]."""
    return ca.SX(ca.vertcat(*joint.offset)) + subspace(joint).v * q


def joint_rotation(joint: JointModel, q: ca.SX) -> ca.SX:
    """Rotation A_i (3, 3) of a joint: its fixed turns, then its own at q [rad, m], [GA09] eq. 5."""
    own = own_rotation(joint, q)
    return placement(joint) @ own if turned(joint) else own


def joint_position(joint: JointModel, q: ca.SX) -> ca.SX:
    """Where the link's frame is, seen from the end before and in its axes: (3,) [m]."""
    return placement(joint) @ own_position(joint, q)


def link_to_link(rotation: DeflectionRotation, joint: JointModel, q: ca.SX) -> ca.SX:
    """Rotation E_{i-1} A_i (3, 3), [GA09] eq. 4; where both are about one coordinate axis, their angles add."""
    own = angle_about(joint, q)
    if rotation.about is not None and own is not None and not turned(joint) and rotation.about[0] == own[0]:
        return about(own[0], rotation.about[1] + own[1])
    return rotation.E @ joint_rotation(joint, q)

"""Frames of the arm in the base frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_motion import BodyMotion


@dataclass(frozen=True)
class Pose:
    """Orientation and origin of a body's frame in the base frame: R (3, 3), O (3,) [m]."""

    R: ca.SX
    O: ca.SX


def poses(motions: Sequence[BodyMotion]) -> list[Pose]:
    """Poses of all frames in the base frame, base to tip."""
    R, O = ca.SX.eye(3), ca.SX.zeros(3)
    frames = []
    for motion in motions:
        O = O + R @ motion.root.d
        for rotation in motion.to_joint:
            R = R @ rotation.R
        O = O + R @ motion.offset
        for rotation in motion.to_frame:
            R = R @ rotation.R
        frames.append(Pose(R, O))
    return frames

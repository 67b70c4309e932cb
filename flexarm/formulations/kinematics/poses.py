"""Frames of the arm in the base frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import casadi as ca

from flexarm.formulations.kinematics.chain_motion import BodyMotion


@dataclass(frozen=True)
class Pose:
    """Orientation and origin of a body's frame in the base frame: R (3, 3), O (3,) [m]."""

    R: ca.SX
    O: ca.SX


def poses(motions: Sequence[BodyMotion]) -> list[Pose]:
    """Poses of all frames in the base frame, base to tip."""
    R, O = motions[0].R, motions[0].p
    frames = [Pose(R, O)]
    for parent, here in pairwise(motions):
        O = O + R @ parent.end.d
        R = R @ here.R
        frames.append(Pose(R, O))
    return frames

"""Frames and points of the arm in the base frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import casadi as ca

from flexarm.formulations.kinematics.chain_motion import BodyMotion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.joint_rotations import axis_of
from flexarm.formulations.kinematics.link_motion import axis_motion
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain


@dataclass(frozen=True)
class Pose:
    """Orientation and origin of a body's frame in the base frame: R (3, 3), O (3,) [m]."""

    R: ca.SX
    O: ca.SX


def poses(chain: Chain, motions: Sequence[BodyMotion]) -> list[Pose]:
    """Poses of all frames in the base frame, base to tip."""
    first = chain.bodies[0].joint
    R, O = motions[0].R, first.offset * axis_of(first)
    frames = [Pose(R, O)]
    for parent, here in pairwise(motions):
        O = O + R @ parent.end.d
        R = R @ here.R
        frames.append(Pose(R, O))
    return frames


def station(link: FlexibleLink, pose: Pose, delta: ca.SX, xi: float) -> ca.SX:
    """Position of a link's axis at xi with modal amplitudes delta (m,), in the base frame: (3,) [m]."""
    return pose.O + pose.R @ axis_motion(link, delta, 0 * delta, xi).d


def chain_points(chain: Chain, state: ChainState, motions: Sequence[BodyMotion]) -> ca.SX:
    """Origins O_1..O_n of the links and the tip O_{n+1}, in the base frame: (3, n + 1) [m]."""
    frames = poses(chain, motions)
    last = chain.links[-1]
    tip = station(chain.flexible_links[-1], frames[last], state.delta[last], 1.0)
    return ca.horzcat(*(frames[i].O for i in chain.links), tip)

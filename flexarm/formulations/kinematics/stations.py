"""Stations of the links of the description: where they are, and how far their sections have moved and turned.

A link of several segments is bent as a whole: its deflection is measured in the frame at its start.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from flexarm.formulations.kinematics.chain_motion import BodyMotion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.deflection_rotation import deflection_rotation, section_quaternion
from flexarm.formulations.kinematics.link_motion import axis_position, modal_rotation
from flexarm.formulations.kinematics.poses import Pose, poses
from flexarm.formulations.kinematics.rotations import X, quaternion_product, rotation_vector
from flexarm.formulations.linear_algebra import constant
from flexarm.model.chain import Chain


def station_position(chain: Chain, frames: Sequence[Pose], state: ChainState, link: int, xi: float) -> ca.SX:
    """Position of the axis of a link at the fraction xi of its length, in the base frame: (3,) [m]."""
    body, segment, own = chain.station(link, xi)
    return frames[body].O + frames[body].R @ axis_position(segment, state.delta[body], own)


def chain_points(chain: Chain, state: ChainState, motions: Sequence[BodyMotion]) -> ca.SX:
    """Origins O_1..O_n of the links and the tip O_{n+1}, in the base frame: (3, n + 1) [m]."""
    frames = poses(motions)
    tip = station_position(chain, frames, state, len(chain.links) - 1, 1.0)
    return ca.horzcat(*(frames[i].O for i in chain.joint_bodies), tip)


def deflection(chain: Chain, state: ChainState, link: int, xi: float) -> ca.SX:
    """Displacement of a link's axis at xi from the undeformed link, in the link's frame i: (3,) [m]."""
    body, segment, own = chain.station(link, xi)
    frame = _segment_frame(chain, state, link, body)
    undeformed = sum(before.length for before in chain.segments(link)[: body - chain.links[link].start])
    moved = frame.O - undeformed * X
    return moved + frame.R @ axis_position(segment, state.delta[body], own) - own * segment.length * X


def section_rotation(chain: Chain, state: ChainState, link: int, xi: float) -> ca.SX:
    """Rotation vector of a link's section at xi, in the link's frame i: (3,) [rad].

    Of one segment the sum of its modal rotations; those of several are composed, which about one fixed axis is a sum
    too, and else a product of quaternions, whose vector is continuous up to a full turn.
    """
    body, segment, own = chain.station(link, xi)
    first = chain.links[link].start
    before = chain.segments(link)[: body - first]
    turns = [modal_rotation(one, state.delta[first + k], 1.0) for k, one in enumerate(before)]
    turns.append(modal_rotation(segment, state.delta[body], own))
    axes = {axis for turn in turns for axis in range(3) if not turn[axis].is_zero()}
    if len(turns) == 1 or len(axes) < 2:
        return sum(turns[1:], turns[0])
    e = section_quaternion(turns[0])
    for turn in turns[1:]:
        e = quaternion_product(e, section_quaternion(turn))
    return rotation_vector(e)


def curvature(chain: Chain, state: ChainState, link: int, xi: float) -> ca.SX:
    """Rate of turn of a link's sections along it at xi, in the axes of its segment: (3,) [1/m]."""
    body, segment, own = chain.station(link, xi)
    return constant(segment.sections.twist(own).T) @ state.delta[body]


def _segment_frame(chain: Chain, state: ChainState, link: int, body: int) -> Pose:
    """Pose of the frame of one of a link's bodies in the link's frame i."""
    first = chain.links[link].start
    frame = Pose(ca.SX.eye(3), ca.SX.zeros(3))
    for k, segment in enumerate(chain.segments(link)[: body - first]):
        delta = state.delta[first + k]
        rotation = deflection_rotation(segment.rotation(1.0), delta, 0 * delta, chain.link_rotation)
        O = frame.O + frame.R @ axis_position(segment, delta, 1.0)
        frame = Pose(frame.R @ rotation.E, O)
    return frame

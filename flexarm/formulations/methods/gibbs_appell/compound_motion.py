"""Motion of the bodies as [GA09] writes it: one rotation and one vector from frame to frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_motion import BodyMotion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.joint_transforms import (
    Subspace,
    joint_position,
    joint_rotation,
    link_to_link,
)
from flexarm.formulations.kinematics.link_motion import LinkEnd
from flexarm.formulations.kinematics.rotations import twice_crossed
from flexarm.model.chain import Chain


@dataclass(frozen=True)
class CompoundMotion:
    """Motion of one body, in its own frame.

    Attributes
    ----------
    R : SX (3, 3)
        Takes frame i to frame i-1 (to the base frame for the first body).
    w : SX (3,) [rad/s]
        Angular velocity.
    S : Subspace
        Motion subspace of the joint at its start.
    end : LinkEnd
        End of the body's link, moved on to the origin of the next frame.
    a_bias, al_bias : SX (3,) [m/s^2, rad/s^2]
        Velocity-dependent parts of the frame's accelerations, besides those linear in the parent's accelerations,
        delta_dd and q_dd: ``a_i = R^T (a + al x d + jacobian delta_dd) + a_bias + S.v q_dd``.
    """

    R: ca.SX
    w: ca.SX
    S: Subspace
    end: LinkEnd
    a_bias: ca.SX
    al_bias: ca.SX


def compound_motion(chain: Chain, state: ChainState, motions: Sequence[BodyMotion]) -> list[CompoundMotion]:
    """Compound rotations, vectors and velocity-dependent accelerations from base to tip, [GA09] eqs. 59-65."""
    found: list[CompoundMotion] = []
    for i, (body, motion) in enumerate(zip(chain.bodies, motions, strict=True)):
        spin, slide = motion.S.w * state.q_d[i], motion.S.v * state.q_d[i]
        if i == 0:
            R = joint_rotation(body.joint, state.q[0])
            w, a_bias, al_bias = spin, ca.SX.zeros(3), ca.SX.zeros(3)
        else:
            before = found[i - 1]
            R = link_to_link(before.end.rotation, body.joint, state.q[i])
            d_d = before.end.jacobian @ state.delta_d[i - 1]
            th_d = before.end.rotation.jacobian @ state.delta_d[i - 1]
            w_end = R.T @ (before.w + th_d)
            w = w_end + spin
            a_bias = R.T @ (
                2 * ca.cross(before.w, d_d) + twice_crossed(before.w) @ before.end.d + before.end.bias
            ) + ca.cross(2 * w_end, slide)
            al_bias = R.T @ (before.end.rotation.bias + ca.cross(before.w, th_d)) + ca.cross(w_end, spin)
        end = motion.end
        if i + 1 < len(chain.bodies):
            p_next = joint_position(chain.bodies[i + 1].joint, state.q[i + 1])
            end = end.moved(p_next, state.delta_d[i])
        found.append(CompoundMotion(R, w, motion.S, end, a_bias, al_bias))
    return found

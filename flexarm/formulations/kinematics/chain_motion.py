"""Angular velocities and velocity-dependent accelerations of all bodies, base to tip: [GA09] eqs. 59-65.

Everything of body i is expressed in its own frame i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.joint_transforms import (
    Subspace,
    joint_position,
    joint_rotation,
    link_to_link,
    subspace,
)
from flexarm.formulations.kinematics.link_motion import LinkEnd, link_end
from flexarm.formulations.kinematics.rotations import twice_crossed
from flexarm.model.chain import Chain


@dataclass(frozen=True)
class BodyMotion:
    """Motion of one body, in its own frame.

    Attributes
    ----------
    R : SX (3, 3)
        Takes frame i to frame i-1 (to the base frame for the first body).
    p : SX (3,) [m]
        Origin of frame i, seen from the end of link i-1 and in its axes (from the base for the first body).
    w : SX (3,) [rad/s]
        Angular velocity.
    S : Subspace
        Motion subspace of the joint at its start.
    end : LinkEnd
        End of the body's link, with the place of the next joint.
    a_bias, al_bias : SX (3,) [m/s^2, rad/s^2]
        Velocity-dependent parts of the frame's accelerations, besides those linear in the parent's accelerations,
        delta_dd and q_dd: ``a_i = R^T (a + al x d + jacobian delta_dd) + a_bias + S.v q_dd``.
    """

    R: ca.SX
    p: ca.SX
    w: ca.SX
    S: Subspace
    end: LinkEnd
    a_bias: ca.SX
    al_bias: ca.SX


def chain_motion(chain: Chain, state: ChainState) -> list[BodyMotion]:
    """Angular velocities and velocity-dependent accelerations from base to tip, [GA09] eqs. 59-65.

    Differs from source: eq. 70 and step 2 lack omega x theta_d, which eq. 65 has and space needs; joints may slide.
    """
    motions: list[BodyMotion] = []
    for i, body in enumerate(chain.bodies):
        S, p = subspace(body.joint), joint_position(body.joint, state.q[i])
        spin, slide = S.w * state.q_d[i], S.v * state.q_d[i]
        if i == 0:
            R = joint_rotation(body.joint, state.q[0])
            w, a_bias, al_bias = spin, ca.SX.zeros(3), ca.SX.zeros(3)
        else:
            parent = motions[i - 1]
            R = link_to_link(parent.end.rotation, body.joint, state.q[i])
            d_d = parent.end.jacobian @ state.delta_d[i - 1]
            th_d = parent.end.rotation.jacobian @ state.delta_d[i - 1]
            w_end = R.T @ (parent.w + th_d)
            w = w_end + spin
            a_bias = R.T @ (
                2 * ca.cross(parent.w, d_d) + twice_crossed(parent.w) @ parent.end.d + parent.end.bias
            ) + ca.cross(2 * w_end, slide)
            al_bias = R.T @ (parent.end.rotation.bias + ca.cross(parent.w, th_d)) + ca.cross(w_end, spin)
        end = link_end(body.link, state.delta[i], state.delta_d[i], chain.link_rotation)
        if i + 1 < len(chain.bodies):
            p_next = joint_position(chain.bodies[i + 1].joint, state.q[i + 1])
            end = end.moved(p_next, state.delta_d[i])
        motions.append(BodyMotion(R, p, w, S, end, a_bias, al_bias))
    return motions


def linear_velocities(chain: Chain, state: ChainState, motions: Sequence[BodyMotion]) -> list[ca.SX]:
    """Velocity of every frame's origin, each in its own frame: list of (3,) [m/s]."""
    velocities = [motions[0].S.v * state.q_d[0]]
    for i in range(1, len(chain.bodies)):
        parent = motions[i - 1]
        v = velocities[i - 1] + ca.cross(parent.w, parent.end.d) + parent.end.jacobian @ state.delta_d[i - 1]
        velocities.append(motions[i].R.T @ v + motions[i].S.v * state.q_d[i])
    return velocities

"""Angular velocities and velocity-dependent accelerations of all bodies, base to tip: [GA09] eqs. 59-65.

Everything of body i is expressed in its own frame i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.joint_rotations import joint_rotation, link_to_link
from flexarm.formulations.kinematics.link_motion import LinkEnd, link_end
from flexarm.formulations.kinematics.rotations import (
    Z,
    twice_crossed,
)
from flexarm.model.chain import Chain


@dataclass(frozen=True)
class BodyMotion:
    """Motion of one body, in its own frame.

    Attributes
    ----------
    R : SX (3, 3)
        Takes frame i to frame i-1 (to the base frame for the first body).
    w : SX (3,) [rad/s]
        Angular velocity.
    end : LinkEnd
        End of the body's link.
    a_bias, al_bias : SX (3,) [m/s^2, rad/s^2]
        Velocity-dependent parts of the frame's accelerations, besides those linear in the parent's accelerations,
        delta_dd and q_dd: ``a_i = R^T (a + al x d + jacobian delta_dd) + a_bias``.
    """

    R: ca.SX
    w: ca.SX
    end: LinkEnd
    a_bias: ca.SX
    al_bias: ca.SX


def chain_motion(chain: Chain, state: ChainState) -> list[BodyMotion]:
    """Angular velocities and velocity-dependent accelerations from base to tip, [GA09] eqs. 59-65.

    Differs from source: eq. 70 and step 2 lack omega x theta_d, which eq. 65 has and space needs.
    """
    motions: list[BodyMotion] = []
    for i, body in enumerate(chain.bodies):
        spin = Z * state.q_d[i]
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
            )
            al_bias = R.T @ (parent.end.rotation.bias + ca.cross(parent.w, th_d)) + ca.cross(w_end, spin)
        next_joint = chain.bodies[i + 1].joint if i + 1 < len(chain.bodies) else None
        end = link_end(body.link, state.delta[i], state.delta_d[i], chain.link_rotation, next_joint)
        motions.append(BodyMotion(R, w, end, a_bias, al_bias))
    return motions


def linear_velocities(chain: Chain, state: ChainState, motions: Sequence[BodyMotion]) -> list[ca.SX]:
    """Velocity of every frame's origin, each in its own frame: list of (3,) [m/s]."""
    velocities = [ca.SX.zeros(3)]
    for i in range(1, len(chain.bodies)):
        parent = motions[i - 1]
        v = velocities[i - 1] + ca.cross(parent.w, parent.end.d) + parent.end.jacobian @ state.delta_d[i - 1]
        velocities.append(motions[i].R.T @ v)
    return velocities

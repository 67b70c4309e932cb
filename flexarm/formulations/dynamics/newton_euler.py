"""Recursive Newton-Euler algorithm: accelerations from base to tip, forces from tip to base.

The generalised inertia forces of all joints (locked ones too) and modes in O(n), from the link equations of
[GA09] eqs. 43-44. Given accelerations it is the inverse dynamics, given external wrenches the generalised loads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import casadi as ca

from flexarm.formulations.assembly import split
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.dynamics.link_inertia import LinkInertia, link_inertia
from flexarm.formulations.kinematics.chain_motion import Accelerations, BodyMotion, chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.model.chain import Chain


@dataclass(frozen=True)
class LinkForce:
    """Force f (3,) [N], moment n (3,) [N m] about O_i, in frame i, and modal forces modes (m,) [N] on one link."""

    f: ca.SX
    n: ca.SX
    modes: ca.SX


def joint_and_modal_forces(
    chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> tuple[list[ca.SX], list[ca.SX]]:
    """Inverse dynamics: a torque or force [N m, N] a joint, locked ones too, and a vector (m_i,) [N] a link."""
    state = ChainState.of(chain, theta, theta_d)
    q_dd, delta_dd = split(chain, theta_dd)
    motions = chain_motion(chain, state)
    torques, modal = transmit(motions, inertial_forces(chain, state, motions, q_dd, delta_dd))
    torques = [
        torque + body.joint.motor_inertia * q_dd[i] + friction(body.joint, state.q_d[i])
        for i, (torque, body) in enumerate(zip(torques, chain.bodies, strict=True))
    ]
    return torques, modal


def inertial_forces(
    chain: Chain,
    state: ChainState,
    motions: Sequence[BodyMotion],
    q_dd: Sequence[ca.SX],
    delta_dd: Sequence[ca.SX],
) -> list[LinkForce]:
    """Inertial forces of every link, gravity included: rows of [GA09] eqs. 43-44 before their sums.

    Parameters
    ----------
    chain : Chain
    state : ChainState
    motions : sequence of BodyMotion
    q_dd : one scalar per joint [rad/s^2, m/s^2]
    delta_dd : one vector (m_i,) per link [m/s^2; torsion: rad/s^2]
    """
    frames = frame_accelerations(chain, motions, q_dd, delta_dd)
    return [
        inertial_force(link_inertia(body.link, delta, delta_d, here.w), frame, own_dd)
        for body, delta, delta_d, here, frame, own_dd in zip(
            chain.bodies, state.delta, state.delta_d, motions, frames, delta_dd, strict=True
        )
    ]


def frame_accelerations(
    chain: Chain, motions: Sequence[BodyMotion], q_dd: Sequence[ca.SX], delta_dd: Sequence[ca.SX]
) -> list[Accelerations]:
    """Accelerations of frame i, each in its own axes: pass 1, [GA09] eqs. 59 and 65; the base accelerates with -g."""
    frames = []
    frame, delta_dd_before = Accelerations(-ca.SX(ca.vertcat(*chain.gravity)), ca.SX.zeros(3)), ca.SX(0, 1)
    for here, own_dd, next_before in zip(motions, q_dd, delta_dd, strict=True):
        frame = here.outwards(frame, delta_dd_before)
        frame = Accelerations(frame.a + here.S.v * own_dd, frame.al + here.S.w * own_dd)
        frames.append(frame)
        delta_dd_before = next_before
    return frames


class Wrench(NamedTuple):
    """Force f (3,) [N] and moment n (3,) [N m]."""

    f: ca.SX
    n: ca.SX


def internal_wrenches(
    motions: Sequence[BodyMotion], forces: Sequence[LinkForce] | Sequence[Wrench]
) -> list[tuple[Wrench, Wrench]]:
    """Wrenches, in its frame, that hold each body with all outboard ones at its start, and these at its link's end."""
    found: list[tuple[Wrench, Wrench]] = []
    outer = Wrench(ca.SX.zeros(3), ca.SX.zeros(3))
    for i in reversed(range(len(motions))):
        f, n, end = forces[i].f, forces[i].n, Wrench(ca.SX.zeros(3), ca.SX.zeros(3))
        if i + 1 < len(motions):
            end = Wrench(*motions[i + 1].inwards(*outer))
            f, n = f + end.f, n + end.n + ca.cross(motions[i].end.d, end.f)
        outer = Wrench(f, n)
        found.append((outer, end))
    return found[::-1]


def inertial_force(inertia: LinkInertia, frame: Accelerations, delta_dd: ca.SX) -> LinkForce:
    """Mass matrix of a link times its accelerations, plus its bias."""
    a, al = frame.a, frame.al
    return LinkForce(
        f=inertia.mass * a + ca.cross(al, inertia.s) + inertia.C1 @ delta_dd + inertia.bias_v,
        n=ca.cross(inertia.s, a) + inertia.J @ al + inertia.alpha @ delta_dd + inertia.bias_w,
        modes=inertia.C1.T @ a + inertia.alpha.T @ al + inertia.C3 @ delta_dd + inertia.bias_modes,
    )


def transmit(motions: Sequence[BodyMotion], forces: Sequence[LinkForce]) -> tuple[list[ca.SX], list[ca.SX]]:
    """Transmit the forces on all links to the joints and modes that bear them: pass 2, tip to base.

    Parameters
    ----------
    motions, forces : one per body

    Returns
    -------
    torques : list of SX
        Generalised force of each joint: of its motion subspace on the moment and the force at its start.
    modal : list of SX (m_i,)
        Generalised force on each link's modes.
    """
    torques, modal = [], []
    for motion, force, (root, end) in zip(motions, forces, internal_wrenches(motions, forces), strict=True):
        torques.append(ca.dot(motion.S.w, root.n) + ca.dot(motion.S.v, root.f))
        rotation = motion.end.rotation
        modal.append(force.modes + motion.end.jacobian.T @ end.f + rotation.modal.T @ (rotation.T.T @ end.n))
    return torques, modal

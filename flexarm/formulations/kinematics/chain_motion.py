"""Kinematics of the chain, shared by all formulations: frames, link ends, velocities, accelerations.

Everything of body i is expressed in its own frame i (theory: [GA09] eqs. 2-8 and 59-65).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import casadi as ca
import numpy as np

from flexarm.formulations.kinematics.rotations import (
    DeflectionRotation,
    about,
    by_cosine_and_sine,
    deflection_rotation,
    quaternion_rotation,
    skew,
    twice_crossed,
)
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain
from flexarm.model.floating_base import FloatingBase
from flexarm.model.joint import JointModel

X, Z = ca.SX([1, 0, 0]), ca.SX([0, 0, 1])


@dataclass(frozen=True)
class State:
    """Coordinates and rates sorted by body.

    Attributes
    ----------
    q, q_d : list of SX [rad, rad/s]
        Joint angles and rates; numbers for locked joints.
    delta, delta_d : list of SX (m_i,)
        Modal amplitudes and their rates.
    """

    q: list[ca.SX]
    q_d: list[ca.SX]
    delta: list[ca.SX]
    delta_d: list[ca.SX]

    @classmethod
    def of(cls, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> State:
        """Sort theta (n_theta,) and theta_d (n_dof,) by body."""
        q = [
            ca.SX(body.joint.angle) if rows.joint is None else theta[rows.joint]
            for rows, body in zip(chain.rows, chain.bodies, strict=True)
        ]
        delta = [_entries(theta, rows.modes_theta) for rows in chain.rows]
        return cls(q, delta=delta, **dict(zip(("q_d", "delta_d"), split(chain, theta_d), strict=True)))


def split(chain: Chain, vector: ca.SX) -> tuple[list[ca.SX], list[ca.SX]]:
    """Sort a vector (n_dof,) into one entry per joint, zero where it is locked, and one vector per body."""
    joints = [ca.SX(0) if rows.joint is None else vector[rows.joint] for rows in chain.rows]
    return joints, [_entries(vector, rows.modes) for rows in chain.rows]


def _entries(vector: ca.SX, rows: Sequence[int]) -> ca.SX:
    return vector[list(rows)] if rows else ca.SX(0, 1)


def theta_rate(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Time derivative of theta, (n_theta,): theta_d itself but for the quaternion of a free base."""
    layout = chain.coordinates
    if layout.n_theta == layout.n_dof:
        return theta_d
    e_0, e, w = theta[-4], theta[-3:], theta_d[-3:]
    return ca.vertcat(theta_d[:-3], -ca.dot(w, e) / 2, (e_0 * w + ca.cross(w, e)) / 2)


@dataclass(frozen=True)
class AxisMotion:
    """A point of a link's axis relative to frame i, in frame i: a function of the modal amplitudes.

    Attributes
    ----------
    d : SX (3,) [m]
        Where it is.
    columns : SX (3, m)
        Its relative velocity is ``columns @ delta_d``.
    rest : SX (3,) [m/s^2]
        Its relative acceleration is ``columns @ delta_dd + rest``.
    """

    d: ca.SX
    columns: ca.SX
    rest: ca.SX


def axis_motion(link: FlexibleLink, delta: ca.SX, delta_d: ca.SX, xi: float) -> AxisMotion:
    """Point of the axis at the fraction xi of the length, [GA09] eq. 2, and foreshortening where it counts."""
    columns = constant(link.displacement(xi).T)
    d = xi * link.length * X + columns @ delta
    rest = ca.SX.zeros(3)
    if link.foreshortening is not None:
        h = constant(link.foreshortening(xi))
        d += X * (delta.T @ h @ delta / 2)
        columns += X @ (h @ delta).T
        rest += X * (delta_d.T @ h @ delta_d)
    return AxisMotion(d, columns, rest)


@dataclass(frozen=True)
class LinkEnd:
    """Where a link ends and the next one starts.

    Attributes
    ----------
    d, columns, rest : SX (3,), (3, m), (3,)
        Origin of the next frame, as in :class:`AxisMotion`.
    rotation : DeflectionRotation
        Of frame i^ relative to frame i.
    """

    d: ca.SX
    columns: ca.SX
    rest: ca.SX
    rotation: DeflectionRotation


def link_end(
    link: FlexibleLink | FloatingBase,
    delta: ca.SX,
    delta_d: ca.SX,
    kind: str,
    next_joint: JointModel | None = None,
) -> LinkEnd:
    """End of a link, [GA09] eqs. 60-64; ``next_joint`` adds its offset along its own axis."""
    if isinstance(link, FloatingBase):
        end, rotation = _floating_end(link, delta)
    else:
        rotation = deflection_rotation(link.rotation(1.0), delta, delta_d, kind)
        end = axis_motion(link, delta, delta_d, 1.0)
    d, columns, rest = end.d, end.columns, end.rest
    if next_joint is not None and not ca.SX(next_joint.offset).is_zero():
        e = rotation.E @ (next_joint.offset * axis_of(next_joint))
        th_d = rotation.columns @ delta_d
        d = d + e
        columns = columns - skew(e) @ rotation.columns
        rest = rest + ca.cross(rotation.rest, e) + ca.cross(th_d, ca.cross(th_d, e))
    return LinkEnd(d, columns, rest, rotation)


def _floating_end(base: FloatingBase, position: ca.SX) -> tuple[AxisMotion, DeflectionRotation]:
    """The end of a floating base goes where it will: its columns are unit vectors."""
    I, O, no_rest = ca.SX.eye(3), ca.SX.zeros(3, 3), ca.SX.zeros(3)
    if base.kind == "planar":
        still = DeflectionRotation(I, I, ca.SX.zeros(3, 2), no_rest, about=(2, ca.SX(0)))
        return AxisMotion(ca.vertcat(position, 0), I[:, :2], no_rest), still
    turning = DeflectionRotation(quaternion_rotation(position[3:]), I, ca.horzcat(O, I), no_rest)
    return AxisMotion(position[:3], ca.horzcat(I, O), no_rest), turning


def axis_of(joint: JointModel) -> ca.SX:
    """Axis of a joint in the frame before it, (3,)."""
    return ca.SX(ca.vertcat(0, -joint.sin_twist, joint.cos_twist))


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
        What the frame's accelerations have beyond the linear part in the parent's accelerations, delta_dd and
        q_dd: ``a_i = R^T (a + al x d + columns delta_dd) + a_bias``.
    """

    R: ca.SX
    w: ca.SX
    end: LinkEnd
    a_bias: ca.SX
    al_bias: ca.SX


def motion(chain: Chain, state: State) -> list[BodyMotion]:
    """Velocities and velocity-dependent accelerations from base to tip, [GA09] eqs. 59-65."""
    motions: list[BodyMotion] = []
    for i, body in enumerate(chain.bodies):
        spin = Z * state.q_d[i]
        if i == 0:
            R = joint_rotation(body.joint, state.q[0])
            w, a_bias, al_bias = spin, ca.SX.zeros(3), ca.SX.zeros(3)
        else:
            parent = motions[i - 1]
            R = link_to_link(parent.end.rotation, body.joint, state.q[i])
            d_d = parent.end.columns @ state.delta_d[i - 1]
            th_d = parent.end.rotation.columns @ state.delta_d[i - 1]
            carried = R.T @ (parent.w + th_d)
            w = carried + spin
            a_bias = R.T @ (
                2 * ca.cross(parent.w, d_d) + twice_crossed(parent.w) @ parent.end.d + parent.end.rest
            )
            al_bias = R.T @ (parent.end.rotation.rest + ca.cross(parent.w, th_d)) + ca.cross(carried, spin)
        next_joint = chain.bodies[i + 1].joint if i + 1 < len(chain.bodies) else None
        end = link_end(body.link, state.delta[i], state.delta_d[i], chain.link_rotation, next_joint)
        motions.append(BodyMotion(R, w, end, a_bias, al_bias))
    return motions


def joint_rotation(joint: JointModel, q: ca.SX) -> ca.SX:
    """A_i: the fixed twist about x, then the joint's angle about z."""
    turn = about(2, q)
    return turn if untwisted(joint) else by_cosine_and_sine(0, joint.cos_twist, joint.sin_twist) @ turn


def untwisted(joint: JointModel) -> bool:
    """Whether a joint turns about its parent's z; sine and cosine may be symbols."""
    return ca.SX(joint.sin_twist).is_zero() and ca.SX(joint.cos_twist).is_one()


def link_to_link(rotation: DeflectionRotation, joint: JointModel, q: ca.SX) -> ca.SX:
    """E_{i-1} A_i, [GA09] eq. 4; where both turn about z, their angles add."""
    if rotation.angle_z is not None and untwisted(joint):
        return about(2, rotation.angle_z + q)
    return rotation.E @ joint_rotation(joint, q)


def linear_velocities(chain: Chain, state: State, motions: Sequence[BodyMotion]) -> list[ca.SX]:
    """Velocity of every frame's origin, each in its own frame: list of (3,) [m/s]."""
    velocities = [ca.SX.zeros(3)]
    for i in range(1, len(chain.bodies)):
        parent = motions[i - 1]
        v = velocities[i - 1] + ca.cross(parent.w, parent.end.d) + parent.end.columns @ state.delta_d[i - 1]
        velocities.append(motions[i].R.T @ v)
    return velocities


@dataclass(frozen=True)
class Pose:
    """Orientation and origin of a body's frame in the base frame: R (3, 3), O (3,) [m]."""

    R: ca.SX
    O: ca.SX


def poses(chain: Chain, motions: Sequence[BodyMotion]) -> list[Pose]:
    """Frames of all bodies, base to tip."""
    first = chain.bodies[0].joint
    R, O = motions[0].R, first.offset * axis_of(first)
    frames = [Pose(R, O)]
    for parent, here in pairwise(motions):
        O = O + R @ parent.end.d
        R = R @ here.R
        frames.append(Pose(R, O))
    return frames


def station(link: FlexibleLink, pose: Pose, delta: ca.SX, xi: float) -> ca.SX:
    """Position of the link's axis at the fraction xi of its length, in the base frame: (3,) [m]."""
    return pose.O + pose.R @ axis_motion(link, delta, 0 * delta, xi).d


def deflection(link: FlexibleLink, delta: ca.SX, xi: float) -> ca.SX:
    """Displacement of the link's axis from its undeformed place, in frame i: (3,) [m]."""
    return axis_motion(link, delta, 0 * delta, xi).d - xi * link.length * X


def section_rotation(link: FlexibleLink, delta: ca.SX, xi: float) -> ca.SX:
    """Rotation vector of the section at xi relative to the undeformed link, in frame i: (3,) [rad]."""
    return constant(link.rotation(xi).T) @ delta


def constant(array: np.ndarray) -> ca.SX:
    """Numbers (or symbols) of an array as an expression, structural zeros and empty matrices included."""
    return ca.SX(array) if array.size else ca.SX(*array.shape)


def chain_points(chain: Chain, state: State, motions: Sequence[BodyMotion]) -> ca.SX:
    """Origins O_1..O_n of the links and the tip O_{n+1}, in the base frame: (3, n + 1) [m]."""
    frames = poses(chain, motions)
    last = chain.links[-1]
    tip = station(chain.flexible_links[-1], frames[last], state.delta[last], 1.0)
    return ca.horzcat(*(frames[i].O for i in chain.links), tip)

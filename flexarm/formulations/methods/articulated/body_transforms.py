"""Transforms from body to body over a link's end and the joint on it: accelerations outwards, inertia inwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.deflection_rotation import DeflectionRotation
from flexarm.formulations.kinematics.joint_transforms import (
    Subspace,
    angle_about,
    own_position,
    own_rotation,
    subspace,
    turned,
)
from flexarm.formulations.kinematics.link_motion import LinkEnd, link_end
from flexarm.formulations.kinematics.rotations import twice_crossed
from flexarm.formulations.methods.articulated.articulated_inertia import ArticulatedInertia
from flexarm.formulations.methods.articulated.frame_rotations import AxisRotation, FrameRotation
from flexarm.model.chain import Chain
from flexarm.model.joint import JointModel


@dataclass(frozen=True)
class Accelerations:
    """Accelerations of a frame: of its origin a (3,) [m/s^2] and angular al (3,) [rad/s^2]."""

    a: ca.SX
    al: ca.SX


@dataclass(frozen=True)
class BodyTransform:
    """Transform from the frame of one body over the end of its link to the frame of the next.

    Attributes
    ----------
    end : LinkEnd
        Of the inner body's link, without the joint's offset.
    S : Subspace
        Motion subspace of the joint, the same in the axes of the joint and of the outer frame.
    w : SX (3,) [rad/s]
        Angular velocity of the outer body, in its own frame.
    to_offset : tuple of FrameRotation
        From the axes of the inner frame to those along which the offset lies, the innermost first.
    offset : SX (3,) [m]
        Origin of the outer frame, seen from the end, in the axes of the joint.
    to_frame : tuple of FrameRotation
        From there to the axes of the outer frame.
    a_bias, al_bias : SX (3,) [m/s^2, rad/s^2]
        Velocity-dependent parts of the accelerations, in the axes of the offset.
    """

    end: LinkEnd
    S: Subspace
    w: ca.SX
    to_offset: tuple[FrameRotation, ...]
    offset: ca.SX
    to_frame: tuple[FrameRotation, ...]
    a_bias: ca.SX
    al_bias: ca.SX

    def outwards(self, inner: Accelerations, delta_dd: ca.SX) -> Accelerations:
        """Return the accelerations of the outer frame, without q_dd, from those of the inner and delta_dd (m,)."""
        a = inner.a + ca.cross(inner.al, self.end.d) + self.end.jacobian @ delta_dd
        al = inner.al + self.end.rotation.T @ (self.end.rotation.modal @ delta_dd)
        a_al = _outwards(self.to_offset, ca.horzcat(a, al))
        a = a_al[:, 0] + self.a_bias + ca.cross(a_al[:, 1], self.offset)
        a_al = _outwards(self.to_frame, ca.horzcat(a, a_al[:, 1] + self.al_bias))
        return Accelerations(a_al[:, 0], a_al[:, 1])

    def inwards(self, outer: ArticulatedInertia) -> ArticulatedInertia:
        """Return the outer body's articulated inertia about the inner link's end, in the axes of the inner frame."""
        for rotation in reversed(self.to_frame):
            outer = outer.rotated(rotation)
        outer = outer.accelerated(self.a_bias, self.al_bias)
        if not self.offset.is_zero():
            outer = outer.shifted(self.offset)
        for rotation in reversed(self.to_offset):
            outer = outer.rotated(rotation)
        return outer


def body_transforms(chain: Chain, state: ChainState) -> list[BodyTransform]:
    """Transforms from base to tip, one to each body."""
    zero = ca.SX.zeros(3)
    I = ca.SX.eye(3)
    end = LinkEnd(zero, ca.SX(3, 0), zero, DeflectionRotation(I, I, ca.SX(3, 0), zero, about=(2, ca.SX(0))))
    w, delta_d = zero, ca.SX(0, 1)
    transforms: list[BodyTransform] = []
    for i, body in enumerate(chain.bodies):
        transform = _body_transform(end, w, delta_d, body.joint, state.q[i], state.q_d[i])
        transforms.append(transform)
        w, delta_d = transform.w, state.delta_d[i]
        end = link_end(body.link, state.delta[i], delta_d, chain.link_rotation)
    return transforms


def _body_transform(
    end: LinkEnd, w: ca.SX, delta_d: ca.SX, joint: JointModel, q: ca.SX, q_d: ca.SX
) -> BodyTransform:
    """Transform over the end of a body of angular velocity w (3,) [rad/s] and a joint, [GA09] eqs. 59-65."""
    to_offset, to_frame = _axis_rotations(end.rotation, joint, q)
    S, offset = subspace(joint), own_position(joint, q)
    spin, slide = S.w * q_d, S.v * q_d
    th_d = end.rotation.T @ (end.rotation.modal @ delta_d)
    a_bias = ca.cross(2 * w, end.jacobian @ delta_d) + twice_crossed(w) @ end.d + end.bias
    al_bias = end.rotation.bias + ca.cross(w, th_d)
    w_end, a_bias, al_bias = ca.horzsplit(_outwards(to_offset, ca.horzcat(w + th_d, a_bias, al_bias)))
    return BodyTransform(
        end=end,
        S=S,
        w=_outwards(to_frame, w_end) + spin,
        to_offset=to_offset,
        offset=offset,
        to_frame=to_frame,
        a_bias=a_bias
        + twice_crossed(w_end) @ offset
        + ca.cross(al_bias, offset)
        + ca.cross(2 * w_end, slide),
        al_bias=al_bias + ca.cross(w_end, spin),
    )


def _axis_rotations(
    rotation: DeflectionRotation, joint: JointModel, q: ca.SX
) -> tuple[tuple[FrameRotation, ...], tuple[FrameRotation, ...]]:
    """Rotations from the inner frame to the axes of the offset, and on to the outer frame.

    As few and as simple as possible: angles about one coordinate axis add up, a rotation about one axis costs a quarter
    of a general one, and a general one is multiplied with those that follow.
    """
    fixed, angle, p = turned(joint), angle_about(joint, q), own_position(joint, q)
    if (
        rotation.about is not None
        and angle is not None
        and not fixed
        and _is_along(p, angle[0], rotation.about[0])
    ):
        return (), _without_identities(AxisRotation.by(angle[0], rotation.about[1] + angle[1]))
    own = FrameRotation(own_rotation(joint, q)) if angle is None else AxisRotation.by(*angle)
    turns = [AxisRotation.of(turn.axis, turn.cosine, turn.sine) for turn in fixed]
    if rotation.about is not None:
        return _without_identities(AxisRotation.by(*rotation.about), *turns), _without_identities(own)
    R = rotation.E
    for turn in turns:
        R = R @ turn.R
    if p.is_zero():
        return (FrameRotation(R @ own.R),), ()
    return (FrameRotation(R),), _without_identities(own)


def _is_along(p: ca.SX, *axes: int) -> bool:
    """True if all these coordinate axes are one, and p (3,) lies along it."""
    return len(set(axes)) == 1 and all(p[k].is_zero() for k in range(3) if k not in axes)


def _without_identities(*rotations: FrameRotation) -> tuple[FrameRotation, ...]:
    return tuple(r for r in rotations if not (isinstance(r, AxisRotation) and r.is_identity()))


def _outwards(rotations: Sequence[FrameRotation], vectors: ca.SX) -> ca.SX:
    for rotation in rotations:
        vectors = rotation.outwards(vectors)
    return vectors

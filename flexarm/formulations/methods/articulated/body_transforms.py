"""From body to body: how motion passes outwards over a link's end and the joint on it, and forces inwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_state import State
from flexarm.formulations.kinematics.deflection_rotation import DeflectionRotation
from flexarm.formulations.kinematics.joint_rotations import untwisted
from flexarm.formulations.kinematics.link_motion import LinkEnd, link_end
from flexarm.formulations.kinematics.rotations import Z, twice_crossed
from flexarm.formulations.methods.articulated.articulated_inertia import ArticulatedInertia
from flexarm.formulations.methods.articulated.frame_rotations import AxisRotation, FrameRotation
from flexarm.model.chain import Chain
from flexarm.model.joint import JointModel


@dataclass(frozen=True)
class Accelerations:
    """Of a frame: of its origin, a (3,), and angular, al (3,)."""

    a: ca.SX
    al: ca.SX


@dataclass(frozen=True)
class BodyTransform:
    """The way from the frame of one body over the end of its link to the frame of the next.

    Attributes
    ----------
    end : LinkEnd
        Of the inner body's link, without the joint's offset.
    w : SX (3,) [rad/s]
        Angular velocity of the outer body, in its own frame.
    to_offset : tuple of FrameRotation
        From the axes of the inner frame to those along which the offset lies, the innermost first.
    offset : SX (3,) [m]
        Along the joint's axis.
    to_frame : tuple of FrameRotation
        From there to the axes of the outer frame.
    a_bias, al_bias : SX (3,) [m/s^2, rad/s^2]
        What velocities add to the accelerations, in the axes of the offset.
    """

    end: LinkEnd
    w: ca.SX
    to_offset: tuple[FrameRotation, ...]
    offset: ca.SX
    to_frame: tuple[FrameRotation, ...]
    a_bias: ca.SX
    al_bias: ca.SX

    def outwards(self, inner: Accelerations, delta_dd: ca.SX) -> Accelerations:
        """Give the accelerations of the outer frame, without q_dd, from those of the inner."""
        a = inner.a + ca.cross(inner.al, self.end.d) + self.end.columns @ delta_dd
        al = inner.al + self.end.rotation.T @ (self.end.rotation.modal @ delta_dd)
        a_al = _outwards(self.to_offset, ca.horzcat(a, al))
        a = a_al[:, 0] + self.a_bias + ca.cross(a_al[:, 1], self.offset)
        a_al = _outwards(self.to_frame, ca.horzcat(a, a_al[:, 1] + self.al_bias))
        return Accelerations(a_al[:, 0], a_al[:, 1])

    def inwards(self, outer: ArticulatedInertia) -> ArticulatedInertia:
        """Give what the outer body shows of itself at the inner link's end, in the axes of the inner frame."""
        for turn in reversed(self.to_frame):
            outer = outer.turned(turn)
        outer = outer.accelerated(self.a_bias, self.al_bias)
        if not self.offset.is_zero():
            outer = outer.shifted(self.offset)
        for turn in reversed(self.to_offset):
            outer = outer.turned(turn)
        return outer


def body_transforms(chain: Chain, state: State) -> list[BodyTransform]:
    """Lay the way from the base to the tip, one passage to each body."""
    none = ca.SX.zeros(3)
    I = ca.SX.eye(3)
    end = LinkEnd(none, ca.SX(3, 0), none, DeflectionRotation(I, I, ca.SX(3, 0), none, about=(2, ca.SX(0))))
    w, delta_d = none, ca.SX(0, 1)
    ways: list[BodyTransform] = []
    for i, body in enumerate(chain.bodies):
        way = _body_transform(end, w, delta_d, body.joint, state.q[i], state.q_d[i])
        ways.append(way)
        w, delta_d = way.w, state.delta_d[i]
        end = link_end(body.link, state.delta[i], delta_d, chain.link_rotation)
    return ways


def _body_transform(
    end: LinkEnd, w: ca.SX, delta_d: ca.SX, joint: JointModel, q: ca.SX, q_d: ca.SX
) -> BodyTransform:
    """Pass from a body with angular velocity w over its end and a joint, [GA09] eqs. 59-65."""
    to_offset, to_frame = _turns(end.rotation, joint, q)
    offset, spin = Z * joint.offset, Z * q_d
    th_d = end.rotation.T @ (end.rotation.modal @ delta_d)
    a_bias = ca.cross(2 * w, end.columns @ delta_d) + twice_crossed(w) @ end.d + end.rest
    al_bias = end.rotation.rest + ca.cross(w, th_d)
    w_end, a_bias, al_bias = ca.horzsplit(_outwards(to_offset, ca.horzcat(w + th_d, a_bias, al_bias)))
    return BodyTransform(
        end=end,
        w=_outwards(to_frame, w_end) + spin,
        to_offset=to_offset,
        offset=offset,
        to_frame=to_frame,
        a_bias=a_bias + twice_crossed(w_end) @ offset + ca.cross(al_bias, offset),
        al_bias=al_bias + ca.cross(w_end, spin),
    )


def _turns(
    rotation: DeflectionRotation, joint: JointModel, q: ca.SX
) -> tuple[tuple[FrameRotation, ...], tuple[FrameRotation, ...]]:
    """Turns from the inner frame to the axes of the offset, and on to the outer frame.

    As few and as simple as they can be: turns about z add up, a turn about another axis costs half of what any other
    does, and any other takes up those that follow.
    """
    if rotation.angle_z is not None and untwisted(joint):
        return (), (AxisRotation.by(2, rotation.angle_z + q),)
    twist, own = AxisRotation.of(0, joint.cos_twist, joint.sin_twist), AxisRotation.by(2, q)
    if rotation.about is not None:
        bent = AxisRotation.by(*rotation.about)
        return tuple(turn for turn in (bent, twist) if not turn.is_none()), (own,)
    if ca.SX(joint.offset).is_zero():
        return (FrameRotation(rotation.E @ twist.R @ own.R),), ()
    return (FrameRotation(rotation.E @ twist.R),), (own,)


def _outwards(turns: Sequence[FrameRotation], vectors: ca.SX) -> ca.SX:
    for turn in turns:
        vectors = turn.outwards(vectors)
    return vectors

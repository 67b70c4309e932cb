"""Motion of the chain from base to tip, stage by stage: over the end of a link, to its joint, over the joint.

The one kinematics of the recursions: velocities, velocity-dependent accelerations, and both passes, accelerations
outwards and forces inwards, read the same stages. A stage is a rotation about one axis wherever it can be, and such
rotations take a quarter of the operations of a general one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.deflection_rotation import DeflectionRotation
from flexarm.formulations.kinematics.frame_rotations import AxisRotation, FrameRotation, outwards
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
from flexarm.model.chain import Chain
from flexarm.model.parts.joint import JointModel


@dataclass(frozen=True)
class Accelerations:
    """Accelerations of a frame: of its origin a (3,) [m/s^2] and angular al (3,) [rad/s^2]."""

    a: ca.SX
    al: ca.SX


@dataclass(frozen=True)
class BodyMotion:
    """Motion of a body, and the way to its frame: over the end of the body before, its root, and the joint there.

    Attributes
    ----------
    root : LinkEnd
        End of the body before, in that body's frame; of the base for the first body.
    to_joint : tuple of FrameRotation
        From the axes of the frame before to those of the joint, the innermost first.
    offset : SX (3,) [m]
        Origin of the body's frame, seen from the root, in the axes of the joint.
    to_frame : tuple of FrameRotation
        From the axes of the joint to those of the body's frame.
    S : Subspace
        Motion subspace of the joint, the same in the axes of the joint and of the body.
    w_joint, w : SX (3,) [rad/s]
        Angular velocity of the root in the axes of the joint, and of the body in its own.
    a_bias, al_bias : SX (3,) [m/s^2, rad/s^2]
        Velocity-dependent parts of the accelerations, in the axes of the joint.
    end : LinkEnd
        End of the body's own link, in its frame.
    """

    root: LinkEnd
    to_joint: tuple[FrameRotation, ...]
    offset: ca.SX
    to_frame: tuple[FrameRotation, ...]
    S: Subspace
    w_joint: ca.SX
    w: ca.SX
    a_bias: ca.SX
    al_bias: ca.SX
    end: LinkEnd

    def velocity(self, v: ca.SX, w: ca.SX, delta_d: ca.SX, q_d: ca.SX) -> ca.SX:
        """Return the velocity of the body's origin from v, w and delta_d (m,) of the body before, (3,) [m/s]."""
        at_root = v + ca.cross(w, self.root.d) + self.root.jacobian @ delta_d
        at_joint = outwards(self.to_joint, at_root) + ca.cross(self.w_joint, self.offset)
        return outwards(self.to_frame, at_joint) + self.S.v * q_d

    def outwards(self, inner: Accelerations, delta_dd: ca.SX) -> Accelerations:
        """Return the accelerations of the body's frame, without q_dd, from those and delta_dd (m,) of the body before.

        [GA09] eqs. 59 and 65.
        """
        a = inner.a + ca.cross(inner.al, self.root.d) + self.root.jacobian @ delta_dd
        al = inner.al + self.root.rotation.T @ (self.root.rotation.modal @ delta_dd)
        a_al = outwards(self.to_joint, ca.horzcat(a, al))
        a = a_al[:, 0] + self.a_bias + ca.cross(a_al[:, 1], self.offset)
        a_al = outwards(self.to_frame, ca.horzcat(a, a_al[:, 1] + self.al_bias))
        return Accelerations(a_al[:, 0], a_al[:, 1])

    def inwards(self, f: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
        """Return force and moment (3,) about the root, in the frame before, from those about the body's origin."""
        f_n = ca.horzcat(f, n)
        for rotation in reversed(self.to_frame):
            f_n = rotation.inwards(f_n)
        f_n = ca.horzcat(f_n[:, 0], f_n[:, 1] + ca.cross(self.offset, f_n[:, 0]))
        for rotation in reversed(self.to_joint):
            f_n = rotation.inwards(f_n)
        return f_n[:, 0], f_n[:, 1]


def chain_motion(chain: Chain, state: ChainState) -> list[BodyMotion]:
    """Motion of all bodies from base to tip, [GA09] eqs. 59-65.

    Differs from source: eq. 70 and step 2 lack omega x theta_d, which eq. 65 has and space needs; joints may slide.
    """
    zero, I = ca.SX.zeros(3), ca.SX.eye(3)
    root = LinkEnd(zero, ca.SX(3, 0), zero, DeflectionRotation(I, I, ca.SX(3, 0), zero, about=(2, ca.SX(0))))
    w, delta_d = zero, ca.SX(0, 1)
    motions: list[BodyMotion] = []
    for i, body in enumerate(chain.bodies):
        end = link_end(body.link, state.delta[i], state.delta_d[i], chain.link_rotation)
        motions.append(_body_motion(root, w, delta_d, body.joint, state.q[i], state.q_d[i], end))
        root, w, delta_d = end, motions[-1].w, state.delta_d[i]
    return motions


def linear_velocities(state: ChainState, motions: Sequence[BodyMotion]) -> list[ca.SX]:
    """Velocity of every frame's origin, each in its own frame: list of (3,) [m/s]."""
    v, w, delta_d = ca.SX.zeros(3), ca.SX.zeros(3), ca.SX(0, 1)
    velocities = []
    for i, motion in enumerate(motions):
        v = motion.velocity(v, w, delta_d, state.q_d[i])
        w, delta_d = motion.w, state.delta_d[i]
        velocities.append(v)
    return velocities


def _body_motion(
    root: LinkEnd, w: ca.SX, delta_d: ca.SX, joint: JointModel, q: ca.SX, q_d: ca.SX, end: LinkEnd
) -> BodyMotion:
    """Motion of a body behind the root and the joint, from the angular velocity w (3,) [rad/s] of the body before."""
    to_joint, to_frame = _rotations(root.rotation, joint, q)
    S, offset = subspace(joint), own_position(joint, q)
    spin, slide = S.w * q_d, S.v * q_d
    th_d = root.rotation.T @ (root.rotation.modal @ delta_d)
    a_bias = ca.cross(2 * w, root.jacobian @ delta_d) + twice_crossed(w) @ root.d + root.bias
    al_bias = root.rotation.bias + ca.cross(w, th_d)
    w_joint, a_bias, al_bias = ca.horzsplit(outwards(to_joint, ca.horzcat(w + th_d, a_bias, al_bias)))
    a_bias += twice_crossed(w_joint) @ offset + ca.cross(al_bias, offset) + ca.cross(2 * w_joint, slide)
    return BodyMotion(
        root=root,
        to_joint=to_joint,
        offset=offset,
        to_frame=to_frame,
        S=S,
        w_joint=w_joint,
        w=outwards(to_frame, w_joint) + spin,
        a_bias=a_bias,
        al_bias=al_bias + ca.cross(w_joint, spin),
        end=end,
    )


def _rotations(
    rotation: DeflectionRotation, joint: JointModel, q: ca.SX
) -> tuple[tuple[FrameRotation, ...], tuple[FrameRotation, ...]]:
    """Rotations from the frame before to the axes of the joint, and on to the frame behind it.

    As few and as simple as possible: angles about one coordinate axis add up, and a general rotation is multiplied with
    those that follow.
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

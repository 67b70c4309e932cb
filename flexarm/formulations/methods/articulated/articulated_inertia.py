"""Articulated inertia and bias force of a part of the chain at one frame, [Fea83]."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.chain_motion import BodyMotion
from flexarm.formulations.kinematics.frame_rotations import FrameRotation
from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.linear_algebra import symmetric_from_upper


@dataclass(frozen=True)
class ArticulatedInertia:
    """Force f + A a + B al and moment n + B^T a + C al that accelerate a frame by a and al.

    Attributes
    ----------
    A, B, C : SX (3, 3) [kg, kg m, kg m^2]
        A and C are symmetric.
    f, n : SX (3,) [N, N m]
        Bias force and moment, at zero acceleration.
    """

    A: ca.SX
    B: ca.SX
    C: ca.SX
    f: ca.SX
    n: ca.SX

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        """Sum of two articulated inertias about the same frame."""
        mine, others = (vars(part).values() for part in (self, other))
        return ArticulatedInertia(*(one + another for one, another in zip(mine, others, strict=True)))

    def at_root(self, body: BodyMotion) -> ArticulatedInertia:
        """Articulated inertia of a body about its root, in the axes of the frame before."""
        moved = self
        for rotation in reversed(body.to_frame):
            moved = moved.rotated(rotation)
        moved = moved.accelerated(body.a_bias, body.al_bias)
        if not body.offset.is_zero():
            moved = moved.shifted(body.offset)
        for rotation in reversed(body.to_joint):
            moved = moved.rotated(rotation)
        return moved

    def rotated(self, rotation: FrameRotation) -> ArticulatedInertia:
        """Articulated inertia in the axes of the inner frame."""
        f, n = ca.horzsplit(rotation.inwards(ca.horzcat(self.f, self.n)))
        return ArticulatedInertia(*rotation.tensors(self.A, self.B, self.C), f, n)

    def accelerated(self, a: ca.SX, al: ca.SX) -> ArticulatedInertia:
        """Articulated inertia with the forces of given accelerations, (3,) each [m/s^2, rad/s^2], added to the bias."""
        f = self.f + self.A @ a + self.B @ al
        n = self.n + self.B.T @ a + self.C @ al
        return ArticulatedInertia(self.A, self.B, self.C, f, n)

    def shifted(self, d: ca.SX) -> ArticulatedInertia:
        """Articulated inertia about the point from which this origin is at d (3,) [m]: parallel-axis theorem."""
        S = skew(d)
        B = self.B - self.A @ S
        C = self.C + S @ B + (S @ self.B).T
        return ArticulatedInertia(self.A, B, symmetric_from_upper(C), self.f, self.n + S @ self.f)

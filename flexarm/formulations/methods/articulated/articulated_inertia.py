"""What a part of the chain shows of itself at one frame: its articulated inertia and force."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.methods.articulated.frame_rotations import FrameRotation


@dataclass(frozen=True)
class ArticulatedInertia:
    """Force and moment that it takes to accelerate a frame: f + A a + B al and n + B^T a + C al.

    Attributes
    ----------
    A, B, C : SX (3, 3) [kg, kg m, kg m^2]
        A and C are symmetric.
    f, n : SX (3,) [N, N m]
        At zero acceleration.
    """

    A: ca.SX
    B: ca.SX
    C: ca.SX
    f: ca.SX
    n: ca.SX

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        """Of both parts together, about the same frame."""
        mine, others = (vars(part).values() for part in (self, other))
        return ArticulatedInertia(*(one + another for one, another in zip(mine, others, strict=True)))

    def turned(self, turn: FrameRotation) -> ArticulatedInertia:
        """The same in the axes of the inner frame."""
        f, n = ca.horzsplit(turn.inwards(ca.horzcat(self.f, self.n)))
        return ArticulatedInertia(*turn.tensors(self.A, self.B, self.C), f, n)

    def accelerated(self, a: ca.SX, al: ca.SX) -> ArticulatedInertia:
        """The same for a frame that has these accelerations less."""
        f = self.f + self.A @ a + self.B @ al
        n = self.n + self.B.T @ a + self.C @ al
        return ArticulatedInertia(self.A, self.B, self.C, f, n)

    def shifted(self, d: ca.SX) -> ArticulatedInertia:
        """The same at a point from which this frame's origin is at d: parallel axes, a moves by al x d."""
        S = skew(d)
        B = self.B - self.A @ S
        C = self.C + S @ B + (S @ self.B).T
        return ArticulatedInertia(self.A, B, symmetric_from_upper(C), self.f, self.n + S @ self.f)

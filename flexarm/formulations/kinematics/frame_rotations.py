"""Rotations between the axes of two frames; about one coordinate axis they take fewer operations.

A rotation takes components in the outer frame to components in the inner one, that is towards the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.rotations import by_cosine_and_sine, cosine_and_sine
from flexarm.formulations.linear_algebra import symmetric_from_upper


@dataclass(frozen=True)
class FrameRotation:
    """Rotation from the axes of an outer frame to those of the inner one.

    Attributes
    ----------
    R : SX (3, 3)
        Takes components in the outer frame to components in the inner one; with ``link_rotation: small`` it is no
        rotation matrix, and forces still go inwards by R and accelerations outwards by R^T.
    """

    R: ca.SX

    def inwards(self, v: ca.SX) -> ca.SX:
        """Components in the inner frame of vectors (3, k)."""
        return self.R @ v

    def outwards(self, v: ca.SX) -> ca.SX:
        """Components in the outer frame of vectors (3, k)."""
        return self.R.T @ v

    def tensors(self, A: ca.SX, B: ca.SX, C: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
        """Components R M R^T in the inner frame of three tensors (3, 3), the first and the last symmetric."""
        return (
            symmetric_from_upper(self.R @ A @ self.R.T),
            self.R @ B @ self.R.T,
            symmetric_from_upper(self.R @ C @ self.R.T),
        )


@dataclass(frozen=True)
class AxisRotation(FrameRotation):
    """Rotation about one coordinate axis.

    Attributes
    ----------
    axis : int
        0 (x), 1 (y) or 2 (z).
    cosine, sine : SX (1,)
        Of the angle.
    """

    axis: int
    cosine: ca.SX
    sine: ca.SX

    @classmethod
    def of(cls, axis: int, cosine: ca.SX | float, sine: ca.SX | float) -> AxisRotation:
        """Make the rotation by the angle of a cosine and a sine, scalars without unit."""
        return cls(by_cosine_and_sine(axis, cosine, sine), axis, ca.SX(cosine), ca.SX(sine))

    @classmethod
    def by(cls, axis: int, angle: ca.SX) -> AxisRotation:
        """Make the rotation by a scalar angle [rad]."""
        return cls.of(axis, *cosine_and_sine(angle))

    def is_identity(self) -> bool:
        """True if the angle is 0."""
        return self.sine.is_zero() and self.cosine.is_one()

    def tensors(self, A: ca.SX, B: ca.SX, C: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
        """Components R M R^T in the inner frame of three tensors (3, 3).

        Notes
        -----
        In the plane of rotation, where M = [[a, k], [h, b]], R M R^T = [[a - s u, c u - h], [c u - k, b + s u]] with
        u = s (a - b) + c (h + k): 11 operations in the place of 24.
        """
        c, s = self.cosine, self.sine
        if c.is_zero() or s.is_zero():  # a quarter turn only changes places
            return super().tensors(A, B, C)
        i, j, k = self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3
        rows = ca.vertsplit(ca.reshape(ca.horzcat(A, B, C), 9, 3))  # one row for each entry of all three
        M = [[rows[row + 3 * column] for column in range(3)] for row in range(3)]
        u = s * (M[j][j] - M[k][k]) + c * (M[j][k] + M[k][j])
        su, cu = s * u, c * u
        M[j][j], M[k][k] = M[j][j] - su, M[k][k] + su
        M[j][k], M[k][j] = cu - M[k][j], cu - M[j][k]
        M[i][j], M[i][k] = c * M[i][j] - s * M[i][k], s * M[i][j] + c * M[i][k]
        M[j][i], M[k][i] = c * M[j][i] - s * M[k][i], s * M[j][i] + c * M[k][i]
        entries = ca.vertcat(*(M[row][column] for column in range(3) for row in range(3)))
        A, B, C = ca.horzsplit(ca.reshape(entries, 3, 9), 3)
        return symmetric_from_upper(A), B, symmetric_from_upper(C)


def outwards(rotations: Sequence[FrameRotation], vectors: ca.SX) -> ca.SX:
    """Components in the outermost frame of vectors (3, k) given in the innermost, rotation by rotation."""
    for rotation in rotations:
        vectors = rotation.outwards(vectors)
    return vectors

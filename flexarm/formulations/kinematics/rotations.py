"""Rotation matrices about coordinate axes and of quaternions, as CasADi expressions.

``R_i_k`` takes components in frame k to components in frame i.
"""

from __future__ import annotations

import casadi as ca

from flexarm.links.round_off import round_off_free

X, Z = ca.SX([1, 0, 0]), ca.SX([0, 0, 1])
"""Unit vectors."""
LEAST_SQUARE = 1e-300
"""Keeps the derivative of a square root finite at zero, where it does not change the value."""


def skew(v: ca.SX) -> ca.SX:
    """Skew-symmetric matrix (3, 3) of a vector (3,): ``skew(a) @ b`` is the cross product of a and b."""
    return ca.skew(v)


def twice_crossed(w: ca.SX) -> ca.SX:
    """Matrix w w^T - |w|^2 I, (3, 3), of a vector w (3,): times v it is ``w x (w x v)``."""
    squares = w * w
    xx, yy, zz = ca.vertsplit(-(squares[[1, 2, 0]] + squares[[2, 0, 1]]))
    xy, yz, xz = ca.vertsplit(w * w[[1, 2, 0]])
    return ca.reshape(ca.vertcat(xx, xy, xz, xy, yy, yz, xz, yz, zz), 3, 3)


def about(axis: int, angle: ca.SX) -> ca.SX:
    """Rotation matrix (3, 3) by an angle [rad] about coordinate axis 0 (x), 1 (y) or 2 (z)."""
    return by_cosine_and_sine(axis, *cosine_and_sine(angle))


def by_cosine_and_sine(axis: int, c: ca.SX | float, s: ca.SX | float) -> ca.SX:
    """Rotation matrix (3, 3) about a coordinate axis by the angle of a cosine and a sine."""
    return ca.SX(
        ca.blockcat(
            [
                [[1, 0, 0], [0, c, -s], [0, s, c]],
                [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                [[c, -s, 0], [s, c, 0], [0, 0, 1]],
            ][axis]
        )
    )


def cosine_and_sine(angle: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Cosine and sine of a scalar angle [rad]; those of a constant angle are rounded to exact 0 and +-1."""
    return _exact(ca.cos(angle)), _exact(ca.sin(angle))


def quaternion_rotation(e: ca.SX) -> ca.SX:
    """Rotation matrix (3, 3) of a quaternion (4,), its scalar part e_0 first, of any length."""
    S = skew(e[1:])
    return ca.SX.eye(3) + 2 / ca.dot(e, e) * (e[0] * S + S @ S)


def quaternion_product(a: ca.SX, b: ca.SX) -> ca.SX:
    """Quaternion (4,) of the rotation b followed by a, scalar parts first."""
    scalar = a[0] * b[0] - ca.dot(a[1:], b[1:])
    return ca.vertcat(scalar, a[0] * b[1:] + b[0] * a[1:] + ca.cross(a[1:], b[1:]))


def rotation_vector(e: ca.SX) -> ca.SX:
    """Rotation vector (3,) [rad] of a quaternion (4,): its angle is the one in [0, 2 pi] that the sign of e gives."""
    sine = ca.sqrt(ca.dot(e[1:], e[1:]) + LEAST_SQUARE)
    return 2 * ca.atan2(sine, e[0]) / sine * e[1:]


def _exact(value: ca.SX) -> ca.SX:
    if not value.is_constant():
        return value
    return ca.SX(round_off_free(float(value)))

"""Rotation matrices about coordinate axes and of quaternions, as CasADi expressions.

``R_i_k`` takes components in frame k to components in frame i.
"""

from __future__ import annotations

import casadi as ca

from flexarm.links.round_off import round_off_free

X, Z = ca.SX([1, 0, 0]), ca.SX([0, 0, 1])


def skew(v: ca.SX) -> ca.SX:
    """Skew-symmetric matrix of a vector: ``skew(a) @ b`` is the cross product of a and b."""
    return ca.skew(v)


def twice_crossed(w: ca.SX) -> ca.SX:
    """Matrix w w^T - |w|^2 I: times a vector it is ``w x (w x v)``."""
    squares = w * w
    xx, yy, zz = ca.vertsplit(-(squares[[1, 2, 0]] + squares[[2, 0, 1]]))
    xy, yz, xz = ca.vertsplit(w * w[[1, 2, 0]])
    return ca.reshape(ca.vertcat(xx, xy, xz, xy, yy, yz, xz, yz, zz), 3, 3)


def about(axis: int, angle: ca.SX) -> ca.SX:
    """Rotation by an angle about coordinate axis 0 (x), 1 (y) or 2 (z)."""
    return by_cosine_and_sine(axis, *cosine_and_sine(angle))


def by_cosine_and_sine(axis: int, c: ca.SX | float, s: ca.SX | float) -> ca.SX:
    """Rotation about a coordinate axis by the angle of the given cosine and sine."""
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
    """Cosine and sine; of a locked angle without the round-off that hides a 0 or +-1, so that it vanishes."""
    return _exact(ca.cos(angle)), _exact(ca.sin(angle))


def quaternion_rotation(e: ca.SX) -> ca.SX:
    """Rotation of a quaternion (e_0, e_1, e_2, e_3), whatever its length."""
    S = skew(e[1:])
    return ca.SX.eye(3) + 2 / ca.dot(e, e) * (e[0] * S + S @ S)


def _exact(value: ca.SX) -> ca.SX:
    if not value.is_constant():
        return value
    return ca.SX(round_off_free(float(value)))

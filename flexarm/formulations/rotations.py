"""Rotation matrices of joints and of deflected links, as CasADi expressions.

``R_i_k`` takes components in frame k to components in frame i.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import casadi as ca
import numpy as np

from flexarm.model.chain import round_off_free

SERIES_TERMS = 14
"""Terms kept of the series in |theta|^2: round-off accuracy up to |theta| = pi."""


def skew(v: ca.SX) -> ca.SX:
    """Skew-symmetric matrix of a vector: ``skew(a) @ b`` is the cross product of a and b."""
    return ca.skew(v)


def about_x(cosine: float, sine: float) -> ca.SX:
    """Rotation about x by the angle of the given cosine and sine."""
    return ca.SX(ca.blockcat([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]]))


def about(axis: int, angle: ca.SX) -> ca.SX:
    """Rotation by an angle about coordinate axis 0 (x), 1 (y) or 2 (z)."""
    c, s = _exact(ca.cos(angle)), _exact(ca.sin(angle))
    R = ca.SX.eye(3)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R[j, j], R[j, k] = c, -s
    R[k, j], R[k, k] = s, c
    return ca.densify(R)


def quaternion_rotation(e: ca.SX) -> ca.SX:
    """Rotation of a quaternion (e_0, e_1, e_2, e_3), whatever its length."""
    S = skew(e[1:])
    return ca.SX.eye(3) + 2 / ca.dot(e, e) * (e[0] * S + S @ S)


@dataclass(frozen=True)
class DeflectionRotation:
    """Rotation of frame i^ (end of the link) relative to frame i (its start), caused by deflection.

    Attributes
    ----------
    E : SX (3, 3)
        Takes frame i^ to frame i.
    columns : SX (3, m) [rad]
        Angular velocity of i^ relative to i, in frame i, is ``columns @ delta_d``.
    rest : SX (3,) [rad/s^2]
        The relative angular acceleration is ``columns @ delta_dd + rest``.
    angle_z : SX or None [rad]
        The angle, where the rotation is a finite one about z alone.
    """

    E: ca.SX
    columns: ca.SX
    rest: ca.SX
    angle_z: ca.SX | None = None


def deflection_rotation(modal: np.ndarray, delta: ca.SX, delta_d: ca.SX, kind: str) -> DeflectionRotation:
    """Rotation of a deflected link's section from its modal rotations.

    Parameters
    ----------
    modal : (m, 3) [rad per unit amplitude]
        theta_j of the section.
    delta, delta_d : SX (m,)
        Modal amplitudes and their rates.
    kind : {"finite", "small"}
        ``finite``: E = exp(skew(theta)); ``small``: E = I + skew(theta), [GA09] eq. 6.

    Notes
    -----
    Differs from source: the papers treat I + skew(theta) as if it were a rotation, which costs energy
    conservation. With the exponential the angular velocity is T(theta) theta_d, T = I + b S + c S^2,
    S = skew(theta), b = (1 - cos|theta|)/|theta|^2, c = (|theta| - sin|theta|)/|theta|^3, so T theta_j takes the
    place of every theta_j of the papers and T_d theta_d joins the velocity-dependent part.
    """
    constant = ca.SX(modal.T) if modal.size else ca.SX(3, 0)
    no_rest = ca.SX.zeros(3)
    theta = ca.SX.zeros(3) + constant @ delta
    if kind == "small":
        return DeflectionRotation(ca.SX.eye(3) + skew(theta), constant, no_rest)

    axes = [axis for axis in range(3) if not constant[axis, :].is_zero()]
    if not axes:
        return DeflectionRotation(ca.SX.eye(3), constant, no_rest, angle_z=ca.SX(0))
    if len(axes) == 1:  # about one fixed axis: T = I
        axis = axes[0]
        return DeflectionRotation(
            about(axis, theta[axis]), constant, no_rest, angle_z=theta[2] if axis == 2 else None
        )

    theta_d = constant @ delta_d
    S = skew(theta)
    x, x_d = ca.dot(theta, theta), 2 * ca.dot(theta, theta_d)
    b, b_d = _series(x, first=2), _series_rate(x, first=2) * x_d
    c, c_d = _series(x, first=3), _series_rate(x, first=3) * x_d
    E = ca.SX.eye(3) + (1 - x * c) * S + b * (S @ S)
    columns = constant + b * (S @ constant) + c * (S @ (S @ constant))
    u = ca.cross(theta, theta_d)
    rest = b_d * u + c_d * ca.cross(theta, u) + c * ca.cross(theta_d, u)  # T_d theta_d
    return DeflectionRotation(E, columns, rest)


def _exact(value: ca.SX) -> ca.SX:
    """Snap the sine or cosine of a locked angle to 0 or +-1 where only round-off is left, so that it vanishes."""
    if not value.is_constant():
        return value
    return ca.SX(round_off_free(float(value)))


def _series(x: ca.SX, first: int) -> ca.SX:
    """Sum of (-x)^k / (2 k + first)!, accurate at and near zero: b for first = 2, c for first = 3."""
    value = ca.SX(0)
    for k in reversed(range(SERIES_TERMS)):
        value = (-1) ** k / factorial(2 * k + first) + x * value
    return value


def _series_rate(x: ca.SX, first: int) -> ca.SX:
    """Derivative of :func:`_series` with respect to x."""
    value = ca.SX(0)
    for k in reversed(range(1, SERIES_TERMS)):
        value = k * (-1) ** k / factorial(2 * k + first) + x * value
    return value

"""Rotation of a section by deflection: finite, E = exp(skew(theta)), or small, E = I + skew(theta)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial

import casadi as ca
import numpy as np

from flexarm.formulations.kinematics.rotations import (
    about,
    skew,
    twice_crossed,
)
from flexarm.formulations.linear_algebra import constant

SERIES_TERMS = 13
"""Terms kept of the series in |theta|^2: round-off accuracy up to |theta| = pi."""


@dataclass(frozen=True)
class DeflectionRotation:
    """Rotation of frame i^ (end of the link) relative to frame i (its start), caused by deflection.

    Attributes
    ----------
    E : SX (3, 3)
        Takes frame i^ to frame i.
    T : SX (3, 3)
        Angular velocity of i^ relative to i, in frame i, is T times the rate of the rotation vector,
    modal : SX (3, m) [rad]
        and this rate is ``modal @ delta_d``.
    bias : SX (3,) [rad/s^2]
        The relative angular acceleration is ``jacobian @ delta_dd + bias``.
    about : (int, SX) or None
        Axis and angle [rad] of a finite rotation about a coordinate axis; axis 2 (z) if there is no rotation at all.
    """

    E: ca.SX
    T: ca.SX
    modal: ca.SX
    bias: ca.SX
    about: tuple[int, ca.SX] | None = None

    @property
    def angle_z(self) -> ca.SX | None:
        """The scalar angle, where the rotation is a finite one about z alone [rad]."""
        return self.about[1] if self.about is not None and self.about[0] == 2 else None

    @cached_property
    def jacobian(self) -> ca.SX:
        """Angular velocity of i^ relative to i, in frame i, per unit of each rate delta_d: (3, m) [rad]."""
        return self.T @ self.modal


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
    modal_T = constant(modal.T)
    I, zero = ca.SX.eye(3), ca.SX.zeros(3)
    theta = ca.SX.zeros(3) + modal_T @ delta
    if kind == "small":
        return DeflectionRotation(I + skew(theta), I, modal_T, zero)

    axes = [axis for axis in range(3) if not modal_T[axis, :].is_zero()]
    if not axes:
        return DeflectionRotation(I, I, modal_T, zero, about=(2, ca.SX(0)))
    if len(axes) == 1:  # about one fixed axis: T = I
        axis = axes[0]
        return DeflectionRotation(about(axis, theta[axis]), I, modal_T, zero, (axis, theta[axis]))

    theta_d = modal_T @ delta_d
    S, S2 = skew(theta), twice_crossed(theta)
    x, x_d = ca.dot(theta, theta), 2 * ca.dot(theta, theta_d)
    # Stumpff's functions s_k = sum of (-x)^i / (2 i + k)!: s_k = 1/k! - x s_k+2, 2 ds_k/dx = k s_k+2 - s_k+1
    s_4, s_5 = _stumpff(x, 4), _stumpff(x, 5)
    b, c = 1 / 2 - x * s_4, 1 / 6 - x * s_5
    b_d, c_d = (s_4 - c / 2) * x_d, (3 * s_5 - s_4) * (x_d / 2)
    E = I + (1 - x * c) * S + b * S2
    T = I + b * S + c * S2
    u = ca.cross(theta, theta_d)
    bias = b_d * u + c_d * ca.cross(theta, u) + c * ca.cross(theta_d, u)  # T_d theta_d
    return DeflectionRotation(E, T, modal_T, bias)


def section_quaternion(theta: ca.SX) -> ca.SX:
    """Quaternion (4,), scalar part first, of a section's rotation vector (3,) [rad]: cos and sin of half its length."""
    x = ca.dot(theta, theta) / 4
    return ca.vertcat(_stumpff(x, 0), _stumpff(x, 1) / 2 * theta)


def _stumpff(x: ca.SX, k: int) -> ca.SX:
    """Stumpff function of order k: sum of (-x)^i / (2 i + k)!, accurate at and near zero."""
    coefficients = [(-1) ** i / factorial(2 * i + k) for i in reversed(range(SERIES_TERMS))]
    return ca.polyval(ca.SX(coefficients), x)

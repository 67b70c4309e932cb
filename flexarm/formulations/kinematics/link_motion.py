"""Motion of points, sections and the end of one link relative to its frame i, in frame i."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.formulations.kinematics.deflection_rotation import DeflectionRotation, deflection_rotation
from flexarm.formulations.kinematics.rotations import (
    X,
    Z,
    about,
    quaternion_rotation,
    skew,
)
from flexarm.formulations.linear_algebra import constant
from flexarm.links import FlexibleLink
from flexarm.model.parts.floating_base import FloatingBase


@dataclass(frozen=True)
class AxisMotion:
    """Motion of a point of a link's axis relative to frame i, in frame i.

    Attributes
    ----------
    d : SX (3,) [m]
        Position.
    jacobian : SX (3, m)
        Its relative velocity is ``jacobian @ delta_d``.
    bias : SX (3,) [m/s^2]
        Its relative acceleration is ``jacobian @ delta_dd + bias``.
    """

    d: ca.SX
    jacobian: ca.SX
    bias: ca.SX


def axis_motion(link: FlexibleLink, delta: ca.SX, delta_d: ca.SX, xi: float) -> AxisMotion:
    """Motion of the axis at the fraction xi of the length, [GA09] eq. 2, with foreshortening where it is on.

    delta, delta_d (m,) are modal amplitudes and rates.
    """
    r = constant(link.displacement(xi).T)
    d = xi * link.length * X + r @ delta
    if link.foreshortening is None:
        return AxisMotion(d, r, ca.SX(3, 1))
    h = constant(link.foreshortening(xi))
    u_jacobian = h @ delta
    return AxisMotion(
        d + X * ca.dot(delta, u_jacobian) / 2, r + X @ u_jacobian.T, X * ca.dot(delta_d, h @ delta_d)
    )


@dataclass(frozen=True)
class LinkEnd:
    """End of a link, where the next one starts.

    Attributes
    ----------
    d, jacobian, bias : SX (3,), (3, m), (3,)
        Origin of the next frame, as in :class:`AxisMotion`.
    rotation : DeflectionRotation
        Of frame i^ relative to frame i.
    """

    d: ca.SX
    jacobian: ca.SX
    bias: ca.SX
    rotation: DeflectionRotation

    def moved(self, p: ca.SX, delta_d: ca.SX) -> LinkEnd:
        """Move on to a point at p (3,) [m], seen from the end and fixed in its axes."""
        if p.is_zero():
            return self
        e, th_d = self.rotation.E @ p, self.rotation.jacobian @ delta_d
        return LinkEnd(
            d=self.d + e,
            jacobian=self.jacobian - skew(e) @ self.rotation.jacobian,
            bias=self.bias + ca.cross(self.rotation.bias, e) + ca.cross(th_d, ca.cross(th_d, e)),
            rotation=self.rotation,
        )


def link_end(link: FlexibleLink | FloatingBase, delta: ca.SX, delta_d: ca.SX, kind: str) -> LinkEnd:
    """End of a link at delta, delta_d (m,), [GA09] eqs. 60-64.

    ``kind`` is that of :func:`~flexarm.formulations.kinematics.deflection_rotation.deflection_rotation`.
    """
    if isinstance(link, FloatingBase):
        end, rotation = _floating_end(link, delta)
    else:
        rotation = deflection_rotation(link.rotation(1.0), delta, delta_d, kind)
        end = axis_motion(link, delta, delta_d, 1.0)
    return LinkEnd(end.d, end.jacobian, end.bias, rotation)


def _floating_end(base: FloatingBase, position: ca.SX) -> tuple[AxisMotion, DeflectionRotation]:
    """End of a floating base, which moves freely: the columns of its Jacobian are unit vectors."""
    I, O, zero = ca.SX.eye(3), ca.SX.zeros(3, 3), ca.SX.zeros(3)
    if base.kind == "planar":
        rotation = DeflectionRotation(I, I, ca.SX.zeros(3, 2), zero, about=(2, ca.SX(0)))
        return AxisMotion(ca.vertcat(position, 0), I[:, :2], zero), rotation
    if base.kind == "planar-turning":
        rotation = DeflectionRotation(
            about(2, position[2]), I, ca.horzcat(O[:, :2], Z), zero, (2, position[2])
        )
        return AxisMotion(ca.vertcat(position[:2], 0), ca.horzcat(I[:, :2], zero), zero), rotation
    rotation = DeflectionRotation(quaternion_rotation(position[3:]), I, ca.horzcat(O, I), zero)
    return AxisMotion(position[:3], ca.horzcat(I, O), zero), rotation


def axis_position(link: FlexibleLink, delta: ca.SX, xi: float) -> ca.SX:
    """Position of a point of a link's axis at xi by modal amplitudes delta (m,), in frame i: (3,) [m]."""
    return axis_motion(link, delta, 0 * delta, xi).d


def axis_positions(link: FlexibleLink, delta: ca.SX, stations: Sequence[float]) -> ca.SX:
    """Positions of k points of a link's axis at once, in frame i: (3, k) [m]; see :func:`axis_position`."""
    k, m = len(stations), link.n_modes
    r = np.stack([link.displacement(xi) for xi in stations])
    moved = ca.reshape(constant(np.swapaxes(r, 1, 2).reshape(3 * k, m)) @ delta, 3, k)
    along = ca.horzcat(*(xi * link.length for xi in stations))
    if link.foreshortening is not None:
        h = np.concatenate([link.foreshortening(xi) for xi in stations])
        along += delta.T @ ca.reshape(constant(h) @ delta, m, k) / 2
    return moved + X @ along


def in_section_axes(link: FlexibleLink, delta: ca.SX, stations: Sequence[float], vectors: ca.SX) -> ca.SX:
    """Vectors (3, k) in frame i, of any unit, in the axes of the sections at k stations, turned by exp(skew(theta))."""
    theta = np.stack([link.rotation(xi) for xi in stations])
    about = [axis for axis in range(3) if not constant(theta[..., axis]).is_zero()]
    if len(about) > 1:
        turned = [
            deflection_rotation(modal, delta, 0 * delta, "finite").E.T @ vector
            for modal, vector in zip(theta, ca.horzsplit(vectors), strict=True)
        ]
        return ca.horzcat(*turned)
    turned = ca.SX(vectors)
    for axis in about:
        angle = (constant(theta[..., axis]) @ delta).T
        c, s, j, k = ca.cos(angle), ca.sin(angle), (axis + 1) % 3, (axis + 2) % 3
        turned[j, :] = c * vectors[j, :] + s * vectors[k, :]
        turned[k, :] = c * vectors[k, :] - s * vectors[j, :]
    return turned


def modal_rotation(link: FlexibleLink, delta: ca.SX, xi: float) -> ca.SX:
    """Rotation vector of the section at xi by modal amplitudes delta (m,), in frame i: (3,) [rad]."""
    return constant(link.rotation(xi).T) @ delta

"""Motion of points, sections and the end of one link relative to its frame i, in frame i."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.deflection_rotation import DeflectionRotation, deflection_rotation
from flexarm.formulations.kinematics.joint_rotations import axis_of
from flexarm.formulations.kinematics.rotations import (
    X,
    quaternion_rotation,
    skew,
)
from flexarm.formulations.linear_algebra import constant
from flexarm.links import FlexibleLink
from flexarm.model.floating_base import FloatingBase
from flexarm.model.joint import JointModel


@dataclass(frozen=True)
class AxisMotion:
    """A point of a link's axis relative to frame i, in frame i: a function of the modal amplitudes.

    Attributes
    ----------
    d : SX (3,) [m]
        Where it is.
    columns : SX (3, m)
        Its relative velocity is ``columns @ delta_d``.
    rest : SX (3,) [m/s^2]
        Its relative acceleration is ``columns @ delta_dd + rest``.
    """

    d: ca.SX
    columns: ca.SX
    rest: ca.SX


def axis_motion(link: FlexibleLink, delta: ca.SX, delta_d: ca.SX, xi: float) -> AxisMotion:
    """Point of the axis at the fraction xi of the length, [GA09] eq. 2, and foreshortening where it counts."""
    columns = constant(link.displacement(xi).T)
    d = xi * link.length * X + columns @ delta
    rest = ca.SX.zeros(3)
    if link.foreshortening is not None:
        h = constant(link.foreshortening(xi))
        d += X * (delta.T @ h @ delta / 2)
        columns += X @ (h @ delta).T
        rest += X * (delta_d.T @ h @ delta_d)
    return AxisMotion(d, columns, rest)


@dataclass(frozen=True)
class LinkEnd:
    """Where a link ends and the next one starts.

    Attributes
    ----------
    d, columns, rest : SX (3,), (3, m), (3,)
        Origin of the next frame, as in :class:`AxisMotion`.
    rotation : DeflectionRotation
        Of frame i^ relative to frame i.
    """

    d: ca.SX
    columns: ca.SX
    rest: ca.SX
    rotation: DeflectionRotation


def link_end(
    link: FlexibleLink | FloatingBase,
    delta: ca.SX,
    delta_d: ca.SX,
    kind: str,
    next_joint: JointModel | None = None,
) -> LinkEnd:
    """End of a link, [GA09] eqs. 60-64; ``next_joint`` adds its offset along its own axis."""
    if isinstance(link, FloatingBase):
        end, rotation = _floating_end(link, delta)
    else:
        rotation = deflection_rotation(link.rotation(1.0), delta, delta_d, kind)
        end = axis_motion(link, delta, delta_d, 1.0)
    d, columns, rest = end.d, end.columns, end.rest
    if next_joint is not None and not ca.SX(next_joint.offset).is_zero():
        e = rotation.E @ (next_joint.offset * axis_of(next_joint))
        th_d = rotation.columns @ delta_d
        d = d + e
        columns = columns - skew(e) @ rotation.columns
        rest = rest + ca.cross(rotation.rest, e) + ca.cross(th_d, ca.cross(th_d, e))
    return LinkEnd(d, columns, rest, rotation)


def _floating_end(base: FloatingBase, position: ca.SX) -> tuple[AxisMotion, DeflectionRotation]:
    """The end of a floating base goes where it will: its columns are unit vectors."""
    I, O, no_rest = ca.SX.eye(3), ca.SX.zeros(3, 3), ca.SX.zeros(3)
    if base.kind == "planar":
        still = DeflectionRotation(I, I, ca.SX.zeros(3, 2), no_rest, about=(2, ca.SX(0)))
        return AxisMotion(ca.vertcat(position, 0), I[:, :2], no_rest), still
    turning = DeflectionRotation(quaternion_rotation(position[3:]), I, ca.horzcat(O, I), no_rest)
    return AxisMotion(position[:3], ca.horzcat(I, O), no_rest), turning


def deflection(link: FlexibleLink, delta: ca.SX, xi: float) -> ca.SX:
    """Displacement of the link's axis from its undeformed place, in frame i: (3,) [m]."""
    return axis_motion(link, delta, 0 * delta, xi).d - xi * link.length * X


def section_rotation(link: FlexibleLink, delta: ca.SX, xi: float) -> ca.SX:
    """Rotation vector of the section at xi relative to the undeformed link, in frame i: (3,) [rad]."""
    return constant(link.rotation(xi).T) @ delta

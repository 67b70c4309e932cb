"""Gap of a point to a wall, straight or round, as one quadratic function of the point; its rates.

``gap = level + normal . d + curvature (d_x^2 + d_y^2) / 2`` with d = x - origin: of a round wall (R^2 - r^2) / 2R,
which is equal to the distance at the wall to first order and smooth everywhere.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from flexarm.description.arm.walls import HalfPlane, Wall

ENTRIES = 11
"""Numbers that describe a wall."""


Z = (0.0, 0.0, 1.0)
FACES_Z = 1e-6
"""Part of a plane's normal across z below which the plane faces z."""


class WallGap(NamedTuple):
    """Coefficients of the gap to one wall; numbers or symbols.

    Attributes
    ----------
    origin : (3,) [m]
    level : float [m]
        Gap at the origin.
    normal : (3,) [1]
        Its gradient there.
    curvature : float [1/m]
    axis : (3,) [1]
        Unit vector along the wall everywhere: z, or what of z is along a plane; of a plane that faces z, -y.
    """

    origin: Any
    level: Any
    normal: Any
    curvature: Any
    axis: Any = Z

    @classmethod
    def of(cls, wall: Wall) -> WallGap:
        """Coefficients of a wall of a description."""
        if isinstance(wall, HalfPlane):
            return cls(wall.point, 0.0, wall.normal, 0.0, _axis(wall.normal))
        sign = -1.0 if wall.circle.side == "inside" else 1.0
        center = (*wall.circle.center[:2], 0.0)
        return cls(center, -sign * wall.circle.radius / 2, (0.0, 0.0, 0.0), sign / wall.circle.radius)

    @classmethod
    def from_entries(cls, entries: ca.SX) -> WallGap:
        """Coefficients in the order of :meth:`entries`, (ENTRIES,)."""
        x, y, z, level, n_x, n_y, n_z, curvature, *axis = ca.vertsplit(entries)
        return cls((x, y, z), level, (n_x, n_y, n_z), curvature, axis)

    def entries(self) -> np.ndarray:
        """Coefficients one after the other, (ENTRIES,)."""
        return np.array([*self.origin, self.level, *self.normal, self.curvature, *self.axis])

    def gap(self, x: ca.SX) -> ca.SX:
        """Gap [m] of a point (3,) [m], negative inside."""
        d = x - ca.vertcat(*self.origin)
        return self.level + ca.dot(ca.vertcat(*self.normal), d) + self.curvature * ca.sumsqr(d[:2]) / 2

    def gradient(self, x: ca.SX) -> ca.SX:
        """Gradient (3,) [1] of the gap at a point (3,) [m]: at the wall the direction away from it."""
        d = x - ca.vertcat(*self.origin)
        return ca.vertcat(*self.normal) + self.curvature * ca.vertcat(d[:2], 0)

    def tangents(self, x: ca.SX, n: int) -> list[ca.SX]:
        """Directions (3,) [1] along the wall at a point (3,) [m] of it: normal x axis, then, if n is 2, the axis.

        In the xy plane the first one is the normal turned by -90 degrees. The rate of a slip, tangent . v, is
        tangent . a: as the tangent turns with the point, its rate is normal to v.
        """
        axis = ca.vertcat(*self.axis)
        return [ca.cross(self.gradient(x), axis), axis][:n]

    def acceleration(self, x: ca.SX, v: ca.SX, a: ca.SX) -> ca.SX:
        """Second rate of the gap [m/s^2] of a point (3,) [m] with velocity and acceleration (3,) [m/s], [m/s^2]."""
        return ca.dot(self.gradient(x), a) + self.curvature * ca.sumsqr(v[:2])


def _axis(normal: Any) -> Any:
    """Unit vector along a plane of this unit normal: what of z is along it, or -y if it faces z."""
    x, y, z = normal
    if not any(isinstance(part, ca.SX) for part in normal):
        across = math.hypot(x, y)
        facing = across < FACES_Z
        return (0.0, -1.0, 0.0) if facing else (-x * z / across, -y * z / across, across) if z else Z
    across = ca.sqrt(x**2 + y**2)
    along = ca.vertcat(-x * z / across, -y * z / across, across)
    return ca.vertsplit(ca.if_else(across < FACES_Z, ca.vertcat(0, -1, 0), along))

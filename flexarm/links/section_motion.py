"""How the sections of a link move with its modal amplitudes: r_j and theta_j as vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from flexarm.links.round_off import without_round_off
from flexarm.links.shape_functions import Array, Shapes

Parts = tuple[tuple[str, int, int, int], ...]
"""Direction, derivative in eta, component and sign of what the shapes of a direction fill."""

DEFLECTION: Parts = (("axial", 0, 0, 1), ("y", 0, 1, 1), ("z", 0, 2, 1))
ROTATION: Parts = (("torsion", 0, 0, 1), ("z", 1, 1, -1), ("y", 1, 2, 1))
TWIST: Parts = (("torsion", 1, 0, 1), ("z", 2, 1, -1), ("y", 2, 2, 1))
STRETCH: Parts = (("axial", 1, 0, 1),)


@dataclass(frozen=True)
class Sections:
    """The sections of a link with m modes; every method takes stations xi = eta / l of shape (...).

    Attributes
    ----------
    length : float [m]
    shapes : tuple of (direction, Shapes)
        In the order of the modes; direction is "y", "z", "torsion" or "axial".
    """

    length: float
    shapes: tuple[tuple[str, Shapes], ...]

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """Direction of each mode."""
        return tuple(direction for direction, shapes in self.shapes for _ in range(shapes.count))

    def displacement(self, xi: ArrayLike) -> Array:
        """Evaluate r_j = (x_j, y_j, z_j); (..., m, 3)."""
        return self._vectors(DEFLECTION, xi)

    def rotation(self, xi: ArrayLike) -> Array:
        """Evaluate theta_j = (theta_xj, -dz_j/deta, dy_j/deta); (..., m, 3)."""
        return self._vectors(ROTATION, xi)

    def twist(self, xi: ArrayLike) -> Array:
        """Evaluate dtheta_j/deta; (..., m, 3)."""
        return self._vectors(TWIST, xi)

    def stretch(self, xi: ArrayLike) -> Array:
        """Evaluate dx_j/deta; (..., m)."""
        return self._vectors(STRETCH, xi)[..., 0]

    def _vectors(self, parts: Parts, xi: ArrayLike) -> Array:
        if isinstance(xi, float):
            return _at_station(self.shapes, parts, xi) * self._scale(parts)
        return _unit_vectors(self.shapes, parts, xi) * self._scale(parts)

    def _scale(self, parts: Parts) -> Array:
        """What a length other than one does to the vector of each mode, (m, 1)."""
        orders = dict(part[:2] for part in parts)
        scale = [self.length ** -orders.get(direction, 0) for direction in self.directions]
        return np.array(scale, dtype=float)[:, None]


def _unit_vectors(shapes: tuple[tuple[str, Shapes], ...], parts: Parts, xi: ArrayLike) -> Array:
    """Vectors of a link of unit length; (..., m, 3)."""
    xi = np.asarray(xi, dtype=float)
    vectors = np.zeros((*xi.shape, sum(own.count for _, own in shapes), 3))
    filled = {direction: rest for direction, *rest in parts}
    j = 0
    for direction, own in shapes:
        modes = slice(j, j := j + own.count)
        if direction in filled:
            derivative, component, sign = filled[direction]
            values = without_round_off(own(xi, derivative), _largest(own, derivative))
            vectors[..., modes, component] = sign * values
    return vectors


@lru_cache(maxsize=4096)
def _at_station(shapes: tuple[tuple[str, Shapes], ...], parts: Parts, xi: float) -> Array:
    """Vectors at one station, which many links of the same shapes ask for."""
    return _unit_vectors(shapes, parts, xi)


@lru_cache(maxsize=1024)
def _largest(shapes: Shapes, derivative: int) -> Array:
    """About the largest value of each shape's derivative along the link, (m,)."""
    return np.abs(shapes(np.linspace(0, 1, 4 * shapes.count + 9), derivative)).max(axis=0)

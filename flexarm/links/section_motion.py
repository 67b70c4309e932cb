"""Section motion: displacement r_j and rotation theta_j of a link's sections per unit of each modal amplitude."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from flexarm.links.round_off import scaled_array, without_round_off
from flexarm.links.shapes.shape_functions import Array, Shapes

Parts = tuple[tuple[str, int, int, int], ...]
"""Direction, derivative in eta, component and sign of what the shapes of a direction fill."""

DEFLECTION: Parts = (("axial", 0, 0, 1), ("y", 0, 1, 1), ("z", 0, 2, 1))
ROTATION: Parts = (("torsion", 0, 0, 1), ("z", 1, 1, -1), ("y", 1, 2, 1))
TWIST: Parts = (("torsion", 1, 0, 1), ("z", 2, 1, -1), ("y", 2, 2, 1))
STRETCH: Parts = (("axial", 1, 0, 1),)


class SectionMotion(Protocol):
    """Motion of the sections of a link with m modes, as the equations of motion read it."""

    @property
    def directions(self) -> tuple[str, ...]:
        """Direction of each mode: "y", "z", "torsion" or "axial"."""
        ...

    def displacement(self, xi: Any) -> Array:
        """Evaluate r_j = (x_j, y_j, z_j) at xi = eta / l [1], (...); (..., m, 3) [1]."""
        ...

    def rotation(self, xi: Any) -> Array:
        """Evaluate theta_j = (theta_xj, -dz_j/deta, dy_j/deta) at xi; (..., m, 3) [1/m, 1 for torsion]."""
        ...

    def twist(self, xi: Any) -> Array:
        """Evaluate dtheta_j/deta at xi; (..., m, 3) [1/m^2, 1/m for torsion]."""
        ...


@dataclass(frozen=True)
class Sections:
    """Motion of all sections of a link with m modes; every method takes stations xi = eta / l [1], (...).

    Attributes
    ----------
    length : [m]
        Number or symbol.
    shapes : tuple of (direction, Shapes)
        In the order of the modes; direction is "y", "z", "torsion" or "axial".
    directions : tuple of str
        Direction of each mode.
    """

    length: Any
    shapes: tuple[tuple[str, Shapes], ...]
    directions: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        directions = (direction for direction, shapes in self.shapes for _ in range(shapes.count))
        object.__setattr__(self, "directions", tuple(directions))

    def displacement(self, xi: ArrayLike) -> Array:
        """Evaluate r_j = (x_j, y_j, z_j); (..., m, 3) [1]."""
        return self._vectors(DEFLECTION, xi)

    def rotation(self, xi: ArrayLike) -> Array:
        """Evaluate theta_j = (theta_xj, -dz_j/deta, dy_j/deta); (..., m, 3) [1/m, 1 for torsion]."""
        return self._vectors(ROTATION, xi)

    def twist(self, xi: ArrayLike) -> Array:
        """Evaluate dtheta_j/deta; (..., m, 3) [1/m^2, 1/m for torsion]."""
        return self._vectors(TWIST, xi)

    def stretch(self, xi: ArrayLike) -> Array:
        """Evaluate dx_j/deta; (..., m) [1/m]."""
        return self._vectors(STRETCH, xi)[..., 0]

    def _vectors(self, parts: Parts, xi: ArrayLike) -> Array:
        at = _at_station if isinstance(xi, float) else _unit_vectors
        unit, orders = at(self.shapes, parts, xi), dict(part[:2] for part in parts)
        scale = [self.length**-n if (n := orders.get(way, 0)) else 1.0 for way in self.directions]
        if isinstance(self.length, int | float):
            return unit * np.array(scale, dtype=float)[:, None]
        rows = [scaled_array(unit[..., j, :], factor) for j, factor in enumerate(scale)]
        return np.stack(rows, axis=-2) if rows else unit


def _unit_vectors(shapes: tuple[tuple[str, Shapes], ...], parts: Parts, xi: ArrayLike) -> Array:
    """Vectors of a link of unit length at xi, (...); (..., m, 3)."""
    xi = np.asarray(xi, dtype=float)
    vectors = np.zeros((*xi.shape, sum(own.count for _, own in shapes), 3))
    filled = {direction: place for direction, *place in parts}
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

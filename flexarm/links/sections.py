"""How the sections of a link move with its modal amplitudes: r_j and theta_j as vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexarm.links.round_off import without_round_off
from flexarm.links.shapes import Array, Shapes

# Direction -> (derivative in eta, component, sign) of what its shapes fill.
DEFLECTION = {"axial": (0, 0, 1), "y": (0, 1, 1), "z": (0, 2, 1)}
ROTATION = {"torsion": (0, 0, 1), "z": (1, 1, -1), "y": (1, 2, 1)}
TWIST = {"torsion": (1, 0, 1), "z": (2, 1, -1), "y": (2, 2, 1)}
STRETCH = {"axial": (1, 0, 1)}


@dataclass(frozen=True, eq=False)
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

    def _vectors(self, parts: dict[str, tuple[int, int, int]], xi: ArrayLike) -> Array:
        xi = np.asarray(xi, dtype=float)
        vectors = np.zeros((*xi.shape, len(self.directions), 3))
        j = 0
        for direction, shapes in self.shapes:
            modes = slice(j, j := j + shapes.count)
            if direction in parts:
                derivative, component, sign = parts[direction]
                largest = np.abs(shapes(np.linspace(0, 1, 4 * shapes.count + 9), derivative)).max(axis=0)
                values = without_round_off(shapes(xi, derivative), largest)
                vectors[..., modes, component] = sign * values / self.length**derivative
        return vectors

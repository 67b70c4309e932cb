"""Space frame of slender beams by finite elements: natural frequencies of arms whose joints are locked.

Twelve degrees of freedom an element (displacement and rotation of both nodes), cubic deflections, linear twist and
stretch, consistent masses; the axes of an element are those of its beam. Nothing of the package is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Beam:
    """Uniform beam from the end of the one before; ``axes`` has its x, y, z axes as columns, in fixed axes.

    EI_y resists deflection along y, EI_z along z; rotary inertia per length about x, y, z [kg m].
    """

    axes: Array
    length: float
    mu: float
    EI_y: float
    EI_z: float
    GJ: float
    EA: float
    rotary: tuple[float, float, float]
    elements: int = 20
    end_mass: float = 0.0
    end_inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))  # about its axes


def frequencies(beams: list[Beam], count: int) -> Array:
    """Lowest natural frequencies of beams joined rigidly end to start, the first one clamped, (count,) [Hz]."""
    nodes = 1 + sum(beam.elements for beam in beams)
    K, M = np.zeros((6 * nodes,) * 2), np.zeros((6 * nodes,) * 2)
    first = 0
    for beam in beams:
        stiffness, mass = _element(beam, beam.length / beam.elements)
        T = np.kron(np.eye(4), beam.axes.T)
        for _ in range(beam.elements):
            rows = slice(6 * first, 6 * first + 12)
            K[rows, rows] += T.T @ stiffness @ T
            M[rows, rows] += T.T @ mass @ T
            first += 1
        end = slice(6 * first, 6 * first + 6)
        M[end, end][:3, :3] += beam.end_mass * np.eye(3)
        M[end, end][3:, 3:] += beam.axes @ beam.end_inertia @ beam.axes.T
    squares = eigh(K[6:, 6:], M[6:, 6:], eigvals_only=True, subset_by_index=[0, count - 1])
    return np.sqrt(squares) / (2 * np.pi)


def _element(beam: Beam, h: float) -> tuple[Array, Array]:
    """Stiffness and mass (12, 12) in the beam's axes, by Gauss integration of the shape functions."""
    K, M = np.zeros((12, 12)), np.zeros((12, 12))
    points, weights = np.polynomial.legendre.leggauss(4)
    for s, weight in zip((points + 1) / 2, weights * h / 2, strict=True):
        linear, slope = np.array([1 - s, s]), np.array([-1.0, 1.0]) / h
        u, u_s = np.zeros(12), np.zeros(12)
        turn, turn_s = np.zeros(12), np.zeros(12)
        u[[0, 6]], u_s[[0, 6]], turn[[3, 9]], turn_s[[3, 9]] = linear, slope, linear, slope
        v, w = np.zeros((3, 12)), np.zeros((3, 12))  # deflection, its slope, its curvature
        v[:, [1, 5, 7, 11]] = _hermite(s, h)
        w[:, [2, 4, 8, 10]] = _hermite(s, h) * [1, -1, 1, -1]  # a turn about y is a slope -dz/dx
        for row, stiffness in ((u_s, beam.EA), (turn_s, beam.GJ), (v[2], beam.EI_y), (w[2], beam.EI_z)):
            K += weight * stiffness * np.outer(row, row)
        for row, inertia in (
            (u, beam.mu),
            (v[0], beam.mu),
            (w[0], beam.mu),
            (turn, beam.rotary[0]),
            (w[1], beam.rotary[1]),
            (v[1], beam.rotary[2]),
        ):
            M += weight * inertia * np.outer(row, row)
    return K, M


def _hermite(s: float, h: float) -> Array:
    """Cubic shapes of deflection and slope at both nodes: value, first and second derivative, (3, 4)."""
    return np.array(
        [
            [1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)],
            [(6 * s**2 - 6 * s) / h, 1 - 4 * s + 3 * s**2, (6 * s - 6 * s**2) / h, 3 * s**2 - 2 * s],
            [(12 * s - 6) / h**2, (6 * s - 4) / h, (6 - 12 * s) / h**2, (6 * s - 2) / h],
        ]
    )

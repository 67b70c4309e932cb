"""Frequencies of a cantilever on a carriage that slides across it, from its characteristic equation."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq


def frequencies(n: int, *, length: float, mu: float, EI: float, M: float) -> np.ndarray:
    """First n frequencies [Hz] besides the free sliding.

    w = A cosh + B sinh + C cos + D sin of beta x: w'(0) = 0, EI w'''(0) = M w^2 w(0), w''(l) = w'''(l) = 0.
    """
    r = M / (mu * length)

    def determinant(z: float) -> float:
        # rows scaled by exp(-z); D = -B
        ch, sh, c, s = (np.array([np.cosh(z), np.sinh(z), np.cos(z), np.sin(z)]) * np.exp(-z)).tolist()
        rows = [[z * r, -2.0, z * r], [ch, sh + s, -c], [sh, ch + c, s]]
        return float(np.linalg.det(rows))

    grid = np.linspace(0.3, (n + 2) * np.pi, 4000)
    values = [determinant(z) for z in grid]
    roots = [
        brentq(determinant, a, b, xtol=1e-14)
        for a, b, f, g in zip(grid, grid[1:], values, values[1:], strict=False)
        if f * g < 0
    ]
    return (np.array(roots[:n]) / length) ** 2 * np.sqrt(EI / mu) / (2 * np.pi)

"""A uniform beam that leaves a rigid body floating in the plane, exactly: frequencies by its characteristic equation.

The beam is  w = a cos(b x) + c sin(b x) + d cosh(b x) + e sinh(b x)  with  omega^2 = EI b^4 / mu, free at x = l. The
body has mass m, a moment of inertia J about its centre, and the centre lies at a distance s behind the root of the
beam, so that the centre moves by w(0) - s w'(0). Newton and Euler for it, with the shear EI w'''(0) and the bending
moment EI w''(0) of the beam on the body:

    m omega^2 (w(0) - s w'(0)) = EI w'''(0)
    J omega^2 w'(0) = -EI w''(0) + s EI w'''(0)
    w''(l) = w'''(l) = 0
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq


def _determinant(lam: float, m: float, J: float, s: float) -> float:
    """Of the four conditions in a, c, d, e; lam = b l, all over cosh(lam): m over mu l, J over mu l^3, s over l."""
    cos, sin = np.cos(lam), np.sin(lam)
    cosh, sinh = 1.0, np.tanh(lam)
    # rows of w(0), w'(0), w''(0), w'''(0) in units of l and b
    w0, w1 = np.array([1.0, 0, 1, 0]), lam * np.array([0.0, 1, 0, 1])
    w2, w3 = lam**2 * np.array([-1.0, 0, 1, 0]), lam**3 * np.array([0.0, -1, 0, 1])
    return np.linalg.det(
        [
            m * lam**4 * (w0 - s * w1) - w3,
            J * lam**4 * w1 + w2 - s * w3,
            [-cos / np.cosh(lam), -sin / np.cosh(lam), cosh, sinh],
            [sin / np.cosh(lam), -cos / np.cosh(lam), sinh, cosh],
        ]
    )


def frequencies(
    count: int, *, length: float, mu: float, EI: float, m: float, J: float, s: float
) -> np.ndarray:
    """Natural frequencies without the motions as a rigid body, (count,) [Hz]."""
    scaled = (m / (mu * length), J / (mu * length**3), s / length)
    grid = np.linspace(0.5, 4.0 * (count + 1), 400 * (count + 1))
    values = [_determinant(lam, *scaled) for lam in grid]
    brackets = [(a, b) for a, b, p, q in zip(grid, grid[1:], values, values[1:], strict=False) if p * q < 0]
    lam = np.array([brentq(_determinant, a, b, args=scaled, xtol=1e-14) for a, b in brackets[:count]])
    return lam**2 / length**2 * np.sqrt(EI / mu) / (2 * np.pi)

"""Units of equal inertia, in which complementarity problems of light and heavy parts are solved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROUND_OFF = 1e-12
"""Violation accepted, relative to the largest given velocity or acceleration, in units of equal inertia."""


def unit_inertia(A: NDArray[np.float64]) -> NDArray[np.float64]:
    """Factors that make the diagonal of A one; zero for contacts that no force can move."""
    diagonal = A.diagonal()
    movable = diagonal > 1e-14 * diagonal.max(initial=0.0)
    return np.where(movable, 1 / np.sqrt(np.where(movable, diagonal, 1.0)), 0.0)

"""Taylor polynomial of degree 1 in the modal amplitudes, by interpolation along a ray of amplitudes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

DEGREE = 12
"""Of the interpolation; with small end rotations of three links or fewer, f is such a polynomial along the ray."""
_RAY = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
_LOWEST = np.linalg.inv(np.vander(_RAY, increasing=True))[:2].sum(axis=0)


def first_order(f: Callable[[np.ndarray], np.ndarray], theta: np.ndarray, modes: Sequence[int]) -> np.ndarray:
    """Sum of the terms of degree 0 and 1 of f(theta) in the entries at ``modes`` together."""
    values = []
    for scale in _RAY:
        scaled = np.array(theta, dtype=float)
        scaled[list(modes)] *= scale
        values.append(f(scaled))
    return np.tensordot(_LOWEST, np.array(values), axes=1)

"""Gauss quadrature over a link, panel by panel."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from flexarm.links.shapes.shape_functions import Array

POINTS_PER_PANEL = 10
"""Exact to degree 19 on each panel."""


def gauss_panels(breakpoints: ArrayLike, points: int = POINTS_PER_PANEL) -> tuple[Array, Array]:
    """Place Gauss-Legendre points between successive breakpoints.

    Parameters
    ----------
    breakpoints : (b,) [1]
        Panel ends, in any order and with repetitions.
    points : int
        Points on each panel.

    Returns
    -------
    xi, weights : (q,), (q,) [1]
        Points, ascending, and Gauss weights, whose sum is the length of the panels.
    """
    return gauss_points(ascending(breakpoints), points)


def gauss_points(ends: Array, points: int) -> tuple[Array, Array]:
    """Place some Gauss-Legendre points between each end (b,) [1] and the next, also where these are the same.

    Returns
    -------
    xi, weights : ((b - 1) points,) each
        As of :func:`gauss_panels`.
    """
    x, w = _gauss(points)
    half = np.diff(ends)[:, None] / 2
    middle = (ends[1:] + ends[:-1])[:, None] / 2
    return (middle + half * x).ravel(), (half * w).ravel()


def ascending(stations: ArrayLike) -> Array:
    """Sort stations, (k,) [1], and drop repetitions.

    np.unique does the same, but first loads all that NumPy has for masked arrays.
    """
    return np.array(sorted(set(np.asarray(stations).tolist())))


@cache
def _gauss(points: int) -> tuple[Array, Array]:
    return np.polynomial.legendre.leggauss(points)

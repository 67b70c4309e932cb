"""Piecewise polynomials through functions of time, which the machine code looks up."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.solvers.collocation import gauss_times

POINTS = 5
"""Points of each interval through which a function is interpolated: polynomials of degree 4."""


def interpolated(
    function: Callable[[np.ndarray], np.ndarray], mesh: np.ndarray, points: int = POINTS
) -> list[PiecewisePolynomial]:
    """Piecewise polynomial interpolation of functions of time, which may jump from one interval to the next.

    Parameters
    ----------
    function : callable
        From ascending times (k,) to values (k, n).
    mesh : (m + 1,) [s]
    points : int
        Of each interval, one more than the degree of the polynomials.

    Returns
    -------
    list of PiecewisePolynomial
        One for each of the n columns.
    """
    times = gauss_times(mesh, points)
    values = function(times.ravel()).reshape(*times.shape, -1)
    x = gauss_times(np.array([0.0, 1.0]), points)[0]
    coefficients = np.einsum("ps,ksj->pkj", np.linalg.inv(np.vander(x)), values)
    powers = np.diff(mesh)[None, :] ** -np.arange(points - 1.0, -1.0, -1.0)[:, None]
    return [PiecewisePolynomial(mesh, coefficients[:, :, j] * powers) for j in range(values.shape[2])]


def even_mesh(breaks: np.ndarray, step: float) -> np.ndarray:
    """Mesh through all breaks (k,) with even intervals no longer than a step between them [s]."""
    pieces = [
        np.linspace(a, b, max(1, int(np.ceil((b - a) / step * (1 - 1e-9)))) + 1)[:-1]
        for a, b in itertools.pairwise(breaks)
    ]
    return np.concatenate([*pieces, breaks[-1:]])

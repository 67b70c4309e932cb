"""Stability of methods of fixed step: how long a step may be before it lets vibrations grow."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexarm.catalogue import METHODS
from flexarm.solvers.base import RightHandSide

RADII = np.linspace(0.5, 4.0, 1401)
"""Where along a ray from the origin the boundary of the stability region is looked for."""
INCREMENT = 1e-6
"""Increment of a state of size 1 in a central difference: round-off and curvature are far below what is fast."""


def longest_stable_step(method: str, eigenvalues: ArrayLike) -> float:
    """Longest step [s] with which a method lets no motion grow; infinite if it chooses its steps, or nothing moves.

    Parameters
    ----------
    method : str
        A name of :data:`~flexarm.catalogue.METHODS`.
    eigenvalues : (k,) complex [1/s]
        Of the linearised equations; motions that grow by themselves count as if they kept their size.

    Notes
    -----
    A step h multiplies y in y' = z y by the stability function R(h z), a polynomial of explicit methods, and lets it
    grow where |R| > 1 [HW96, section IV.2].
    """
    polynomial = METHODS[method].stability_polynomial
    z = np.asarray(eigenvalues, dtype=complex).ravel()
    z = np.minimum(np.real(z), 0.0) + 1j * np.imag(z)
    z = z[np.abs(z) > 0]
    if not polynomial or not z.size:
        return np.inf
    grows = np.abs(np.polynomial.polynomial.polyval(RADII[:, None] * (z / np.abs(z)), polynomial)) > 1.0
    return float(np.min(RADII[grows.argmax(axis=0)] / np.abs(z)))


def linearised(
    rhs: RightHandSide, t: float, y: NDArray[np.float64], p: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Jacobian d f/d y of f(t, y, p) at a state (n,), by central differences: (n, n), not finite where f is not."""
    columns = np.empty((y.size, y.size))
    for j, increment in enumerate(INCREMENT * np.maximum(1.0, np.abs(y))):
        above, below = y.copy(), y.copy()
        above[j] += increment
        below[j] -= increment
        columns[:, j] = (rhs(t, above, p) - rhs(t, below, p)) / (above[j] - below[j])
    return columns


def linearised_eigenvalues(
    rhs: RightHandSide, t: float, y: NDArray[np.float64], p: NDArray[np.float64]
) -> NDArray[np.complex128]:
    """Eigenvalues [1/s] of the Jacobian of f(t, y, p) at a state (n,); none if it is not finite."""
    J = linearised(rhs, t, y, p)
    return np.linalg.eigvals(J if np.all(np.isfinite(J)) else np.empty((0, 0))).astype(complex)

"""Stability of explicit methods: how long a step may be before it lets vibrations grow, and when implicit ones pay."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexarm.catalogue import METHODS
from flexarm.solvers.base import RightHandSide

RADII = np.linspace(0.5, 4.0, 1401)
"""Where along a ray from the origin the boundary of the stability region is looked for."""
RINGING = 0.1
"""Damping ratio below which a vibration rings on, so that every method has to follow it."""
INCREMENT = 1e-6
"""Increment of a state of size 1 in a central difference: round-off and curvature are far below what is fast."""


MANY_STATES = 64
"""Size of a matrix from which linear algebra would use threads, which wait for each other rather than compute."""


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


def least_stiffness(rtol: float) -> float:
    """How many times as fast as what rings on the fastest motion has to be, so that Radau IIA pays at a tolerance.

    An error estimate of order 3 makes its steps along a vibration proportional to rtol^(1/4), and those of DOP853 are
    bounded by the fastest motion. The factors are measured, see benchmarks/stiff.py: a step costs about as much as one
    of DOP853, and takes 1 to 3 times as long for more than a hundred states.
    """
    return max(10.0, 0.5 * rtol**-0.25)


def fastest_ringing(eigenvalues: NDArray[np.complex128]) -> float:
    """Magnitude [1/s] of the fastest of some eigenvalues (k,) whose motion rings on, or grows; 0 if none does."""
    sizes = np.abs(eigenvalues)
    return float(sizes[-eigenvalues.real < RINGING * sizes].max(initial=0.0))


def linearised(
    rhs: RightHandSide, t: float, y: NDArray[np.float64], p: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Jacobian d f/d y of f(t, y, p) at a state (n,), by central differences: (n, n), not finite where f is not."""
    shifts = np.diag(INCREMENT * np.maximum(1.0, np.abs(y)))
    above, below = y + shifts, y - shifts
    times = np.full(y.size, t)
    distances = np.diagonal(above - below)[:, None]
    return ((rhs.map(times, above, p) - rhs.map(times, below, p)) / distances).T


def linearised_eigenvalues(
    rhs: RightHandSide, t: float, y: NDArray[np.float64], p: NDArray[np.float64]
) -> NDArray[np.complex128]:
    """Eigenvalues [1/s] of the Jacobian of f(t, y, p) at a state (n,); none if it is not finite."""
    J = linearised(rhs, t, y, p)
    if not np.all(np.isfinite(J)):
        return np.empty(0, dtype=complex)
    if y.size < MANY_STATES:
        return np.linalg.eigvals(J).astype(complex)
    from threadpoolctl import threadpool_limits  # slow to import

    with threadpool_limits(1, "blas"):
        return np.linalg.eigvals(J).astype(complex)

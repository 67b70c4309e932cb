"""Modal damping: natural modes of a link with its joint locked, and the matrix of given damping ratios."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from flexarm.errors import ModelError
from flexarm.links.round_off import without_round_off
from flexarm.links.shapes.shape_functions import Array

DEPENDENT = 1e-14
"""Least eigenvalue of the inertia scaled to a unit diagonal: below it accelerations have no two digits."""


def locked_modes(K: Array, M: Array) -> tuple[Array, Array]:
    """Solve the eigenvalue problem K x = w^2 M x.

    Parameters
    ----------
    K, M : (m, m) [N/m, kg], for torsion [N m, kg m^2]
        Stiffness and inertia; M is positive definite or zero.

    Returns
    -------
    frequencies, vectors : (m,) [rad/s], (m, m) [1/sqrt(kg)]
        Ascending, with vectors^T M vectors = I; infinite frequencies and no inertia where M is zero.

    Raises
    ------
    ModelError
        If M is singular to working precision: the modes are dependent.
    """
    if not M.any():
        return np.full(len(M), np.inf), np.eye(len(M))
    if _is_diagonal(K) and _is_diagonal(M):
        squares, inertia = np.diag(K) / np.diag(M), np.diag(M)
        order = np.argsort(squares, kind="stable")
        return np.sqrt(squares[order]), (np.eye(len(M)) / np.sqrt(inertia))[:, order]
    check_independence(M)
    scale = 1 / np.sqrt(np.diag(M))
    # Reduced with M = L L^T to a standard problem, as scipy.linalg.eigh does, which is slow to import.
    L = np.linalg.cholesky(M * np.outer(scale, scale))
    half_reduced = np.linalg.solve(L, K * np.outer(scale, scale))
    squares, vectors = np.linalg.eigh(np.linalg.solve(L, half_reduced.T))
    return np.sqrt(np.maximum(squares, 0.0)), scale[:, None] * np.linalg.solve(L.T, vectors)


def check_independence(M: Array) -> None:
    """Refuse the inertia, (m, m) [kg], of modes of one direction if they are dependent; it may be zero.

    Raises
    ------
    ModelError
        M is singular to working precision.
    """
    if _is_diagonal(M):
        return  # orthogonal
    scale = 1 / np.sqrt(np.diag(M))
    if np.linalg.eigvalsh(M * np.outer(scale, scale))[0] < DEPENDENT:
        raise ModelError(
            f"{len(M)} modes of one direction are linearly dependent to working precision: take fewer, or a "
            "family of orthogonal modes"
        )


def _is_diagonal(A: Array) -> bool:
    return np.count_nonzero(A) == np.count_nonzero(A.diagonal())


def damping_matrix(K: Array, M: Array, ratios: ArrayLike, proportions: tuple[float, float]) -> Array:
    """Build the damping matrix of a link: modal damping, and Rayleigh's a M + b K.

    Parameters
    ----------
    K, M : (m, m) [N/m, kg], for torsion [N m, kg m^2]
        Stiffness and inertia.
    ratios : (m,) [1]
        See :func:`modal_damping`.
    proportions : (float, float) [1/s, s]
        a and b; b alone is Kelvin-Voigt damping, with the retardation time b.
    """
    a, b = proportions
    return modal_damping(K, M, ratios) + a * M + b * K


def modal_damping(K: Array, M: Array, ratios: ArrayLike) -> Array:
    """Build the matrix that damps the natural modes of K, M by given ratios, the first ratio the lowest mode.

    Parameters
    ----------
    K, M : (m, m) [N/m, kg], for torsion [N m, kg m^2]
        Stiffness and inertia.
    ratios : (m,) [1]
        Damping ratios zeta.

    Returns
    -------
    (m, m) [N s/m, for torsion N m s]
        M X diag(2 zeta w) X^T M; for diagonal K and M its diagonal is 2 zeta_j w_j M_jj.

    Raises
    ------
    ModelError
        If modes without inertia are to be damped, or if modes are dependent.
    """
    ratios = np.asarray(ratios, dtype=float)
    if not ratios.any():
        check_independence(M)
        return np.zeros_like(M)
    return damped_modes(M, *modes_to_damp(K, M), ratios)


def modes_to_damp(K: Array, M: Array) -> tuple[Array, Array]:
    """Solve K x = w^2 M x as :func:`locked_modes` does, and refuse modes without inertia."""
    frequencies, X = locked_modes(K, M)
    if not np.all(np.isfinite(frequencies)):
        raise ModelError(
            "a damping ratio needs a natural frequency, but torsion without rotary inertia has none: give "
            "`rotary_inertia` (or material and section), or set the damping of these modes to 0"
        )
    return frequencies, X


def damped_modes(M: Array, frequencies: Array, X: Array, ratios: Array) -> Array:
    """Build M X diag(2 zeta w) X^T M from the modes X, (m, m), with X^T M X = I, and their damping ratios, (m,)."""
    MX = M @ X
    D = (MX * (2 * ratios * frequencies)) @ MX.T
    norm = np.sqrt(np.diag(D))
    return without_round_off((D + D.T) / 2, np.outer(norm, norm))

"""Transmission zeros of a linear arm, from some of its torques to as many of its outputs."""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag, cholesky, eig, matrix_balance, null_space, solve_triangular

from flexarm.analysis.small_motions.linear_motion import LinearMotion

LARGEST_ZERO = 1e5
"""Size of a zero, of the arm's fastest natural frequency, from which on it counts as infinite."""
FURTHEST_ZERO = 100.0
"""The same of matrices, of whose infinite zeros round-off makes ones of 1e-16 to the power of one over their order."""
SMALLEST_ZERO = 1e-6
"""Size below which it counts as zero, likewise."""
AT_ORIGIN = 1e-7
"""Size of a zero of matrices, of the largest pole, below which it is zero: round-off moves double ones by 1e-8."""
RIGHT_HALF_PLANE = 1e-6
"""Real part of a zero, of its size, from which on it is non-minimum phase."""
SINGULAR_RESPONSE = 1e-10
"""Smallest singular value of the response, of its largest, below which the outputs do not follow the inputs."""


def transmission_zeros(motion: LinearMotion, S: np.ndarray, C: np.ndarray) -> np.ndarray | None:
    """Finite transmission zeros of M x_dd + D x_d + K x = S u, y = C x.

    Parameters
    ----------
    S : (n, p)
    C : (p, n)

    Returns
    -------
    (k,) complex [1/s], by size; None where the response from u to y is singular at every frequency, so that
    everything is a zero.

    Notes
    -----
    Zeros are the free motions with y = 0. Those are x = Z z with C Z = 0; the rows W with W^T S = 0 are the
    equations in which u does not stand:  W^T (s^2 M + s D + K) Z z = 0,  a quadratic eigenvalue problem of order
    n - p. Where the outputs follow the torques at once, W^T M Z is regular and all 2 (n - p) zeros are finite.
    """
    L = cholesky(motion.M, lower=True)

    def scaled(matrix: np.ndarray) -> np.ndarray:
        return solve_triangular(L, solve_triangular(L, matrix, lower=True).T, lower=True).T

    K, D = scaled(motion.K), scaled(motion.D)
    S, C = solve_triangular(L, S, lower=True), solve_triangular(L, C.T, lower=True).T
    fastest = max(np.sqrt(np.linalg.norm(K, 2)), np.linalg.norm(D, 2)) or 1.0
    if _is_singular(K, D, S, C, fastest):
        return None
    Z, W = null_space(C), null_space(S.T)
    quadratic, linear, constant = W.T @ Z, W.T @ D @ Z / fastest, W.T @ K @ Z / fastest**2
    m = len(quadratic)
    left = np.block([[np.zeros((m, m)), np.eye(m)], [-constant, -linear]])
    right = np.block([[np.eye(m), np.zeros((m, m))], [np.zeros((m, m)), quadratic]])
    pairs = eig(left, right, right=False, homogeneous_eigvals=True) if m else np.empty((2, 0))
    alpha, beta = np.asarray(pairs)
    finite = np.abs(alpha) < LARGEST_ZERO * np.abs(beta)
    zeros = alpha[finite] / beta[finite]
    zeros[np.abs(zeros) < SMALLEST_ZERO] = 0
    zeros = fastest * zeros
    return zeros[np.lexsort((zeros.imag, zeros.real, np.abs(zeros).round(9)))]


def matrix_zeros(A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> np.ndarray | None:
    """Finite transmission zeros of x' = A x + B u, y = C x + D u, x' the rate or the next sample, (k,) complex.

    None where the response is singular at every frequency.

    Notes
    -----
    Finite generalised eigenvalues of [A - s I, B; C, D]. Motions that the inputs do not reach, or the outputs do not
    see, are among them. States are taken in units in which A is balanced, inputs and outputs in those in which B and C
    are as large as A.
    """
    n, p = B.shape
    _, T = matrix_balance(A, permute=False)
    unit = np.diag(T)
    A, B, C = A * unit / unit[:, None], B / unit[:, None], C * unit
    size = np.linalg.norm(A, 2) or 1.0
    of_u = np.maximum(np.linalg.norm(np.vstack([B / size, D]), axis=0), np.finfo(float).tiny)
    B, D = B / of_u, D / of_u
    of_y = np.maximum(np.linalg.norm(np.hstack([C, D]), axis=1), np.finfo(float).tiny)[:, None]
    C, D = C / of_y, D / of_y
    s = (0.61803 + 0.41421j) * size
    response = C @ np.linalg.solve(s * np.eye(n) - A, B) + D
    values = np.linalg.svd(response, compute_uv=False)
    if values[-1] <= SINGULAR_RESPONSE * values[0]:
        return None
    left = np.block([[A / size, B / size], [C, D]])
    right = np.asarray(block_diag(np.eye(n), np.zeros((p, p))))
    alpha, beta = np.asarray(eig(left, right, right=False, homogeneous_eigvals=True))
    finite = np.abs(alpha) < FURTHEST_ZERO * np.abs(beta)
    zeros = size * alpha[finite] / beta[finite]
    return zeros[np.lexsort((zeros.imag, zeros.real, np.abs(zeros).round(9)))]


def without_round_off(zeros: np.ndarray, poles: np.ndarray) -> np.ndarray:
    """Zeros (k,) complex [1/s] with those at 0 that are there but for round-off, beside the largest pole."""
    size = np.abs(poles[np.isfinite(poles)]).max(initial=0.0)
    return np.where(np.abs(zeros) < AT_ORIGIN * size, 0, zeros)


def is_non_minimum_phase(zeros: np.ndarray) -> np.ndarray:
    """Non-minimum-phase zeros among zeros (k,) complex [1/s]: those in the right half plane, (k,) of bool."""
    return np.real(zeros) > RIGHT_HALF_PLANE * np.abs(zeros)


def _is_singular(K: np.ndarray, D: np.ndarray, S: np.ndarray, C: np.ndarray, fastest: float) -> bool:
    """True if the response is singular at a complex frequency that is no pole or zero of any likely arm."""
    s = (0.61803 + 0.41421j) * fastest
    response = C @ np.linalg.solve(s**2 * np.eye(len(K)) + s * D + K, S)
    rows, columns = np.linalg.norm(response, axis=1, keepdims=True), np.linalg.norm(response, axis=0)
    if not (rows.all() and columns.all()):
        return True
    values = np.linalg.svd(response / rows, compute_uv=False)
    return bool(values[-1] < SINGULAR_RESPONSE * values[0])

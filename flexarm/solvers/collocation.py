"""Two-point boundary value problems by Gauss collocation: y' = f(t, y), some conditions at either end.

On every interval of a mesh the solution is a polynomial of degree `STAGES` that fulfils the equations at the Gauss
points. The values at the ends of the intervals have order ``2 STAGES``, the polynomial's defect in between has order
``STAGES`` [AscherMattheijRussell1995, chapter 5; HNW93, section II.7].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre, polynomial
from scipy.linalg import solve_banded

from flexarm.errors import SolverError

STAGES = 4
ITERATIONS = 40
CONVERGED = 1e-10
"""Newton correction that ends the iteration, of the largest value of each component."""
MIN_DAMPING = 1 / 256
"""Smallest damping factor of a Newton correction."""

Rates = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From times (m, s) [s] and states (m, s, n) to rates (m, s, n) or their derivatives (m, s, n, n)."""
Condition = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From the state at one end to what should be zero, (k,), and its derivative, (k, n)."""


class Boundary(NamedTuple):
    """Conditions at both ends; together as many as there are states."""

    start: Condition
    end: Condition


class Tableau(NamedTuple):
    """Gauss points c (s,) on [0, 1], and the integrals A (s, s) to them and b (s,) to 1 of the Lagrange polynomials.

    ``powers`` (s, s + 1) holds the integrals' coefficients, lowest power first.
    """

    c: np.ndarray
    A: np.ndarray
    b: np.ndarray
    powers: np.ndarray


@cache
def tableau(stages: int = STAGES) -> Tableau:
    """Coefficients of Gauss collocation with so many stages, [HNW93] section II.7."""
    c = 0.5 * (1 + legendre.leggauss(stages)[0])
    powers = np.empty((stages, stages + 1))
    for j in range(stages):
        basis = polynomial.polyfromroots(np.delete(c, j)) / np.prod(c[j] - np.delete(c, j))
        powers[j] = polynomial.polyint(basis)
    A = np.array([[polynomial.polyval(x, p) for p in powers] for x in c])
    return Tableau(c, A, powers.sum(axis=1), powers)


@dataclass(frozen=True)
class CollocationSolution:
    """Solution of a boundary value problem: a polynomial on every interval of a mesh.

    Attributes
    ----------
    mesh : (m + 1,) [s]
    states : (m + 1, n)
        At the mesh.
    slopes : (m, s, n)
        Rates at the Gauss points of each interval.
    iterations : int
        Newton corrections that it took.
    """

    mesh: np.ndarray
    states: np.ndarray
    slopes: np.ndarray
    iterations: int

    def __call__(self, times: np.ndarray) -> np.ndarray:
        """States at times (k,) [s] inside the mesh: (k, n)."""
        piece, x, h = self._intervals(times)
        weights = polynomial.polyval(x, tableau(self.slopes.shape[1]).powers.T).T
        return self.states[piece] + h[:, None] * np.einsum("ks,ksn->kn", weights, self.slopes[piece])

    def slope(self, times: np.ndarray) -> np.ndarray:
        """Rates of the polynomials at times (k,) [s]: (k, n)."""
        piece, x, _ = self._intervals(times)
        rates = np.array([polynomial.polyder(p) for p in tableau(self.slopes.shape[1]).powers])
        weights = polynomial.polyval(x, rates.T).T
        return np.einsum("ks,ksn->kn", weights, self.slopes[piece])

    def _intervals(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Number of the interval of each time, the fraction of it before that time, and its length."""
        piece = np.clip(np.searchsorted(self.mesh, times, side="right") - 1, 0, self.mesh.size - 2)
        h = np.diff(self.mesh)[piece]
        return piece, (times - self.mesh[piece]) / h, h


def gauss_times(mesh: np.ndarray, stages: int = STAGES) -> np.ndarray:
    """Times [s] of the Gauss points of all intervals of a mesh (m + 1,) [s]: (m, s)."""
    return mesh[:-1, None] + np.diff(mesh)[:, None] * tableau(stages).c


def collocate(
    rates: Rates,
    jacobians: Rates,
    boundary: Boundary,
    mesh: np.ndarray,
    guess: np.ndarray,
    progress: Callable[[int], None] | None = None,
) -> CollocationSolution:
    """Solve a two-point boundary value problem by collocation and a damped Newton's method.

    Parameters
    ----------
    rates : callable
        From all Gauss times (m, s) [s] and states (m, s, n) to f, (m, s, n).
    jacobians : callable
        Likewise to d f / d y, (m, s, n, n).
    boundary : Boundary
    mesh : (m + 1,) [s]
    guess : (m + 1, n)
    progress : callable, optional
        Called before every correction with the number of those done.

    Raises
    ------
    SolverError
        Newton's method does not converge, or its matrix is singular.

    Notes
    -----
    The rates at the Gauss points are eliminated interval by interval (parameter condensation); what remains is a banded
    system in the states at the mesh [AscherMattheijRussell1995, chapter 7]. A correction that does not reduce the
    residual is damped (ibid., chapter 8).
    """
    _, A, b, _ = tableau()
    h = np.diff(mesh)[:, None, None]
    times = gauss_times(mesh)
    Y = guess.copy()
    K = np.repeat(np.diff(Y, axis=0)[:, None, :] / h, STAGES, axis=1)

    def residual(Y: np.ndarray, K: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        inner = Y[:-1, None, :] + h * np.einsum("sj,ijn->isn", A, K)
        r_k = rates(times, inner) - K
        r_y = np.diff(Y, axis=0) - h[:, 0] * np.einsum("j,ijn->in", b, K)
        return inner, r_k, r_y

    inner, r_k, r_y = residual(Y, K)
    for done in range(ITERATIONS):
        if progress is not None:
            progress(done)
        J = jacobians(times, inner)
        try:
            dY, dK = _correction(J, boundary, h, r_k, r_y, Y)
        except np.linalg.LinAlgError as fault:
            raise SolverError(
                f"the matrix of Newton's method is singular at correction {done + 1}"
            ) from fault
        scale = np.abs(Y).max(axis=0) + np.abs(dY).max(axis=0) + 1e-9
        size = float(np.max(np.abs(dY) / scale))
        if not np.isfinite(size):
            break
        damping, before = 1.0, _size(h, r_k, r_y, boundary, Y)
        while True:
            trial = Y + damping * dY, K + damping * dK
            inner, r_k, r_y = residual(*trial)
            after = _size(h, r_k, r_y, boundary, trial[0])
            if after < before or size < 1e-6 or damping < MIN_DAMPING:
                break
            damping /= 2
        Y, K = trial
        if damping == 1.0 and size <= CONVERGED:
            return CollocationSolution(mesh, Y, K, done + 1)
    raise SolverError(f"Newton's method did not converge in {ITERATIONS} corrections")


def _size(h: np.ndarray, r_k: np.ndarray, r_y: np.ndarray, boundary: Boundary, Y: np.ndarray) -> float:
    """Norm of all residuals, infinite where they have no value."""
    ends = np.concatenate([boundary.start(Y[0])[0], boundary.end(Y[-1])[0]])
    size = np.sqrt(np.sum((h * r_k) ** 2) + np.sum(r_y**2) + np.sum(ends**2))
    return float(size) if np.isfinite(size) else np.inf


def _correction(
    J: np.ndarray, boundary: Boundary, h: np.ndarray, r_k: np.ndarray, r_y: np.ndarray, Y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Newton correction of the states at the mesh and of the rates at the Gauss points."""
    _, A, b, _ = tableau()
    m, s, n = r_k.shape
    # rates: (1 - h A J) dK = r_k + J dY
    G = -h[..., None, None] * A[None, :, None, :, None] * J[:, :, :, None, :]
    G = G.reshape(m, s * n, s * n) + np.eye(s * n)
    right = np.concatenate([J.reshape(m, s * n, n), r_k.reshape(m, s * n, 1)], axis=2)
    solved = np.linalg.solve(G, right).reshape(m, s, n, n + 1)
    increment = h * np.einsum("s,isnc->inc", b, solved)
    dY = _banded(
        np.eye(n) + increment[..., :n], increment[..., n] - r_y, boundary.start(Y[0]), boundary.end(Y[-1])
    )
    dK = np.einsum("isnc,ic->isn", solved[..., :n], dY[:-1]) + solved[..., n]
    return dY, dK


def _banded(
    Phi: np.ndarray, g: np.ndarray, start: tuple[np.ndarray, np.ndarray], end: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Solve dY_{i+1} = Phi_i dY_i + g_i, Phi (m, n, n) and g (m, n), with start and end conditions: dY (m + 1, n)."""
    m, n = g.shape
    k = start[0].size
    lower, upper = k + n - 1, 2 * n - 1 - k if m else 0
    upper = max(upper, n - 1)
    band = np.zeros((lower + upper + 1, (m + 1) * n))
    right = np.empty((m + 1) * n)

    def put(rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        rows, columns = np.broadcast_arrays(rows, columns)
        band[upper + rows - columns, columns] = values

    inside = np.arange(n)
    put(np.arange(k)[:, None], inside[None, :], start[1])
    right[:k] = -start[0]
    rows = k + n * np.arange(m)[:, None, None] + inside[None, :, None]
    put(rows, n * np.arange(m)[:, None, None] + inside[None, None, :], Phi)
    put(rows[..., 0], n * (1 + np.arange(m))[:, None] + inside[None, :], np.array(-1.0))
    right[k : k + m * n] = -g.ravel()
    put(k + m * n + np.arange(n - k)[:, None], m * n + inside[None, :], end[1])
    right[k + m * n :] = -end[0]
    return solve_banded((lower, upper), band, right, overwrite_ab=True, check_finite=False).reshape(m + 1, n)

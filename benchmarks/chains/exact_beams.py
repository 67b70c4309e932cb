"""Hinged beams without the assumption of small deflections: what falling chains are measured against.

Every link is a planar inextensible beam, rigid in shear, whose section at xi = eta / l has the angle
phi(xi, t) = sum_k a_k(t) P_k(xi) to the x axis: P_0 = 1 turns the link, and P_k = int (1 - s^2) L_{k-1}(s) ds with
Legendre polynomials L, s = 2 xi - 1, bend it without moments at the hinges. Positions follow as
x + i y = l int exp(i phi) dxi, exactly; the equations are Lagrange's, with strain energy
1/2 int EI (phi'/l)^2 d eta. Nothing here is shared with flexarm: no deflections from a chord, no modes, no modal
integrals, no foreshortening. Positions are complex numbers throughout.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial import legendre
from scipy.integrate import solve_ivp
from scipy.linalg import cho_factor, cho_solve

from .case import GRAVITY, LENGTH, Case

RTOL, ATOL = 1e-7, 1e-8
EXTRA_NODES = 8
"""Gauss nodes beyond twice the number of functions: exp(i phi) is no polynomial."""


class ExactBeams:
    """A chain of n beams, each with the functions P_0 to P_bending.

    Parameters
    ----------
    case : Case
    bending : int
        Number of functions that bend a link.
    """

    def __init__(self, case: Case, bending: int):
        self.case, self.size = case, bending + 1
        s, weights = legendre.leggauss(2 * bending + EXTRA_NODES)
        series = [np.ones(1), *(_bending_function(k) for k in range(bending))]
        self._P = np.stack([legendre.legval(s, c) for c in series], axis=1)
        slopes = np.stack([legendre.legval(s, legendre.legder(c)) for c in series], axis=1) * 2 / LENGTH
        self._weights = LENGTH / 2 * weights
        self._stiffness = case.bending * slopes.T @ (self._weights[:, None] * slopes)
        self._to_node = LENGTH / 2 * _integration_matrix(s)
        self._outboard = case.mu * LENGTH * np.arange(case.n - 1, -1, -1.0)  # mass beyond each link
        self._later = np.kron(np.triu(np.ones((case.n, case.n)), 1), np.ones((self.size, self.size)))

    def tips(self, progress: Callable[[float], None] = lambda t: None) -> np.ndarray:
        """Integrate and return where the tip is at the times of the case, complex (instants + 1,) [m]."""
        a = np.zeros((self.case.n, self.size))
        a[:, 0] = self.case.directions

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            progress(t)
            half = y.size // 2
            return np.concatenate([y[half:], self._accelerations(y[:half], y[half:])])

        span = (0.0, self.case.duration)
        y0 = np.concatenate([a.ravel(), np.zeros(a.size)])
        solution = solve_ivp(rates, span, y0, "DOP853", self.case.times, rtol=RTOL, atol=ATOL)
        if not solution.success:
            raise RuntimeError(solution.message)
        return np.array([self._tip(y) for y in solution.y.T])

    def _tip(self, y: np.ndarray) -> complex:
        a = y[: y.size // 2].reshape(-1, self.size)
        return (np.exp(1j * a @ self._P.T) @ self._weights).sum()

    def _accelerations(self, a: np.ndarray, a_d: np.ndarray) -> np.ndarray:
        """Second time derivatives of a, both (n size,)."""
        a, a_d = a.reshape(-1, self.size), a_d.reshape(-1, self.size)
        tangent = np.exp(1j * a @ self._P.T)
        turned = 1j * tangent[:, :, None] * self._P
        # Of points seen from their link's start: derivative by a_k, and acceleration while a_dd = 0; ends in capitals
        u = self._to_node @ turned
        U = np.einsum("q,nqk->nk", self._weights, turned)
        bent = -((a_d @ self._P.T) ** 2) * tangent
        rest, Rest = bent @ self._to_node.T, bent @ self._weights
        start = np.concatenate([[0], np.cumsum(Rest)[:-1]])
        force = self.case.mu * (
            start[:, None] + rest + 1j * GRAVITY
        )  # per length, against inertia and gravity
        beyond = np.concatenate([np.cumsum((force @ self._weights)[::-1])[::-1][1:], [0]])
        load = np.einsum("q,nqk,nq->nk", self._weights, u.conj(), force) + U.conj() * beyond[:, None]
        right = -(load.real + a @ self._stiffness).ravel()
        return cho_solve(cho_factor(self._mass_matrix(u, U), check_finite=False), right, check_finite=False)

    def _mass_matrix(self, u: np.ndarray, U: np.ndarray) -> np.ndarray:
        """(n size, n size): what link i does to the points of a later link j, it does to its own end."""
        moved = self.case.mu * np.einsum("q,nqk->nk", self._weights, u) + self._outboard[:, None] * U
        M = np.real(np.outer(U.conj(), moved)) * self._later
        M = M + M.T
        weighted = u * np.sqrt(self.case.mu * self._weights)[:, None]
        own = weighted.conj().swapaxes(1, 2) @ weighted
        own = (own + self._outboard[:, None, None] * U.conj()[:, :, None] * U[:, None, :]).real
        for i, block in enumerate(own):
            rows = slice(i * self.size, (i + 1) * self.size)
            M[rows, rows] = block
        return M


def _bending_function(k: int) -> np.ndarray:
    """Legendre series of the integral of (1 - s^2) L_k."""
    return legendre.legint(legendre.legmul([2 / 3, 0, -2 / 3], np.eye(k + 1)[k]))


def _integration_matrix(s: np.ndarray) -> np.ndarray:
    """Values at the nodes s -> integrals from -1 to each node of the polynomial through them."""
    series = np.linalg.inv(legendre.legvander(s, s.size - 1))  # column r: the polynomial that is 1 at node r
    return legendre.legval(s, legendre.legint(series, lbnd=-1)).T

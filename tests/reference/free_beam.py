"""Planar beams that fly freely and bend as far as they like, with and without shear and stretching.

The section at xi = eta / l has the angle phi(xi, t) = sum_k a_k(t) P_k(2 xi - 1) to the x axis, P_k Legendre
polynomials. Without shear and stretching positions follow from the angle, r = r_0 + l int exp(i phi) dxi, with r_0
free; else r = sum_k c_k(t) P_k has coordinates of its own, and exp(-i phi) r' / l - 1 is stretch plus i times shear
(Reissner 1972). Kinetic energy 1/2 int (mu abs(r_d)^2 + rho_I phi_d^2) d eta, strain energy
1/2 int (EI (phi' / l)^2 + EA stretch^2 + GA shear^2) d eta. What holds at the ends is left to the energies. Nothing
here is shared with the package: no deflection from a chord, no mode, no segment, no foreshortening. Positions are
complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import legendre
from scipy.integrate import solve_ivp
from scipy.linalg import cho_factor, cho_solve

RTOL, ATOL = 1e-9, 1e-10
EXTRA_NODES = 12
"""Gauss nodes beyond twice the number of functions: exp(i phi) is no polynomial."""

Loads = Callable[[float], tuple[complex, float]]


@dataclass
class FreeBeam:
    """A uniform beam with nothing that holds it, under a force and a moment at its end xi = 1.

    Attributes
    ----------
    length, mu, rho_I, EI : float [m, kg/m, kg m, N m^2]
    functions : int
        Number of Legendre polynomials in each field.
    EA, GA : float [N], optional
        Against stretching and shear; without them there is neither.
    """

    length: float
    mu: float
    rho_I: float
    EI: float
    functions: int
    EA: float | None = None
    GA: float | None = None

    def __post_init__(self) -> None:
        n = self.functions
        s, weights = legendre.leggauss(2 * n + EXTRA_NODES)
        self._weights = self.length / 2 * weights
        self._P = legendre.legvander(s, n - 1)
        derivatives = [legendre.legder(row) for row in np.eye(n)]
        self._slopes = np.stack([legendre.legval(s, c) for c in derivatives], axis=1) * 2 / self.length
        self._ends = legendre.legvander(np.array([-1.0, 1.0]), n - 1)
        inverse = np.linalg.inv(
            legendre.legvander(s, s.size - 1)
        )  # column r: the polynomial that is 1 at node r
        self._to_node = self.length / 2 * legendre.legval(s, legendre.legint(inverse, lbnd=-1)).T

    def fly(self, angle: float, times: np.ndarray, loads: Loads, kinks: tuple[float, ...] = ()) -> np.ndarray:
        """Start at rest, straight at ``angle`` [rad] to the x axis from the origin on; loads(t) -> force, moment.

        Returns
        -------
        (times, 2) complex [m]
            Where the ends xi = 0 and 1 are at ``times`` (ascending, from 0 on).
        """
        y = self._at_rest(angle)
        found, edges = [], [0.0, *kinks, times[-1]]
        for begin, end in pairwise(edges):
            asked = times[(times >= begin) & ((times < end) | (end == times[-1]))]
            own = np.union1d(asked, end)
            middle = (begin + end) / 2  # tells the loads which side of a kink is meant

            def rates(t, y, begin=begin, end=end, middle=middle):
                half = y.size // 2
                load = loads(middle + (t - middle) * (1 - 1e-12))
                return np.concatenate([y[half:], self._accelerations(y[:half], y[half:], *load)])

            solution = solve_ivp(rates, (begin, end), y, "DOP853", own, rtol=RTOL, atol=ATOL)
            assert solution.success, solution.message
            found.extend(state for t, state in zip(solution.t, solution.y.T, strict=True) if t in asked)
            y = solution.y[:, -1]
        return np.array([self._end_points(y) for y in found])

    @property
    def _is_exact(self) -> bool:
        return self.EA is None

    def _at_rest(self, angle: float) -> np.ndarray:
        a = np.zeros(self.functions)
        a[0] = angle
        if self._is_exact:
            q = np.concatenate([np.zeros(2), a])
        else:
            c = np.zeros(self.functions, dtype=complex)
            c[:2] = self.length / 2 * np.exp(1j * angle)
            q = np.concatenate([c.real, c.imag, a])
        return np.concatenate([q, np.zeros(q.size)])

    def _end_points(self, y: np.ndarray) -> np.ndarray:
        q = y[: y.size // 2]
        n = self.functions
        if not self._is_exact:
            return self._ends @ (q[:n] + 1j * q[n : 2 * n])
        start = q[0] + 1j * q[1]
        return np.array([start, start + self._weights @ np.exp(1j * self._P @ q[2:])])

    def _accelerations(self, q, q_d, force: complex, moment: float) -> np.ndarray:
        solve = self._without_shear if self._is_exact else self._with_shear
        return solve(q, q_d, force, moment)

    def _without_shear(self, q, q_d, force, moment) -> np.ndarray:
        W, P = self._weights, self._P
        tangent = np.exp(1j * P @ q[2:])
        turned = 1j * tangent[:, None] * P
        translation = np.tile([1.0, 1j], (W.size, 1))
        J = np.concatenate([translation, self._to_node @ turned], axis=1)  # of positions by q
        J_end = np.concatenate([[1.0, 1j], W @ turned])
        J_d_q_d = self._to_node @ (-((P @ q_d[2:]) ** 2) * tangent)
        M = self.mu * np.real(J.conj().T @ (W[:, None] * J))
        M[2:, 2:] += self.rho_I * P.T @ (W[:, None] * P)
        right = np.real(J_end.conj() * force) - self.mu * np.real(J.conj().T @ (W * J_d_q_d))
        right[2:] += moment * self._ends[1] - self.EI * self._slopes.T @ (W * (self._slopes @ q[2:]))
        return cho_solve(cho_factor(M), right)

    def _with_shear(self, q, q_d, force, moment) -> np.ndarray:
        W, P, slopes, n = self._weights, self._P, self._slopes, self.functions
        c, a = q[:n] + 1j * q[n : 2 * n], q[2 * n :]
        turn = np.exp(1j * P @ a)
        strain = turn.conj() * (slopes @ c)
        N = self.EA * (strain.real - 1) + 1j * self.GA * strain.imag  # normal force and i times shear force
        held = -slopes.T @ (W * turn * N) + self._ends[1] * force
        bent = -slopes.T @ (W * self.EI * (slopes @ a)) - P.T @ (W * np.real((-1j * strain).conj() * N))
        masses = P.T @ (W[:, None] * P)  # diagonal
        c_dd = np.linalg.solve(self.mu * masses, held)
        a_dd = np.linalg.solve(self.rho_I * masses, bent + moment * self._ends[1])
        return np.concatenate([c_dd.real, c_dd.imag, a_dd])

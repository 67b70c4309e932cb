"""Hinged beams without the assumption of small deflections: what chains of soft links are measured against.

Every link is a planar inextensible beam, rigid in shear, whose section at xi = eta / l has the angle
phi(xi, t) = sum_k a_k(t) P_k(xi) to the x axis: P_0 = 1 turns the link, and P_k = int (1 - s^2) L_{k-1}(s) ds with
Legendre polynomials L, s = 2 xi - 1, bend it without moments at the hinges. Where a torque acts at the start of the
chain, one more function per link, xi - xi^2 / 2, lets its start bear a moment. Instead of the P_k the slowest
vibrations of a hinged beam can be taken, found among many of them: such a chain has no vibrations that are faster than
those of the beams, and takes far longer steps. Positions follow as
x + i y = l int exp(i phi) dxi, exactly; the equations are Lagrange's, with strain energy
1/2 int EI (phi'/l)^2 d eta. Nothing here is shared with flexarm: no deflections from a chord, no modes, no modal
integrals, no foreshortening. Positions are complex numbers throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.polynomial import legendre
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

GRAVITY = 9.81
"""Along -y [m/s^2]."""
EXTRA_NODES = 8
"""Gauss nodes beyond twice the number of functions: exp(i phi) is no polynomial."""

Torque = Callable[[float], float]


class Beam(NamedTuple):
    """One link: length [m], mass per length [kg/m] and EI [N m^2]."""

    length: float
    mu: float
    bending: float


class Motion(NamedTuple):
    """Motion of a chain at k times.

    Attributes
    ----------
    tips : (k,) complex [m]
    turns : (k, n) [rad]
        How far the end of each link has turned against its start.
    """

    tips: np.ndarray
    turns: np.ndarray


class ExactBeams:
    """A chain of n beams, each with the functions P_0 to P_bending, and the one of a moment where a torque acts.

    Parameters
    ----------
    beams : sequence of Beam
    bending : int
        Number of functions that bend a link without moments at its ends.
    among : int
        Number of polynomials among whose combinations these are the slowest vibrations; 0: the polynomials themselves.
    payload : float [kg]
        Point mass at the tip.
    torque : callable, optional
        From the base on the start of the first link, over time [s, N m].
    """

    def __init__(
        self,
        beams: Sequence[Beam],
        bending: int,
        payload: float = 0.0,
        torque: Torque | None = None,
        among: int = 0,
    ):
        self._length, self._mu, stiffness = np.array(beams, dtype=float).T
        self._payload, self._torque, self.n = payload, torque, len(beams)
        count = among or bending
        s, weights = legendre.leggauss(2 * count + EXTRA_NODES)
        series = [np.ones(1), *(_bending_function(k) for k in range(count))]
        moment = [np.array([1 / 3, 1 / 4, -1 / 12])] if torque else []  # xi - xi^2 / 2
        values, slopes, ends = _of_series([*series, *moment], s)
        self._weights, to_node = weights / 2, _integration_matrix(s) / 2
        unit = slopes.T @ (self._weights[:, None] * slopes)
        if among:
            moved = to_node @ values[:, : count + 1]
            own = moved.T @ (self._weights[:, None] * moved)
            _, vibrations = eigh(unit[: count + 1, : count + 1], own, subset_by_index=[1, bending])
            combine = np.zeros((ends.size, 1 + bending + len(moment)))
            combine[0, 0] = 1.0
            combine[1 : count + 1, 1 : bending + 1] = vibrations[1:]  # without P_0 they do not turn the start
            combine[count + 1 :, bending + 1 :] = 1.0
            values, ends, unit = values @ combine, ends @ combine, combine.T @ unit @ combine
        self._P, self._at_end, self.size = values, ends, ends.size
        self._stiffness = (stiffness / self._length)[:, None, None] * unit
        self._to_node = to_node.astype(complex)
        masses = self._mu * self._length
        self._outboard = np.append(np.cumsum(masses[::-1])[::-1][1:], 0.0) + payload  # mass beyond each link

    def motion(
        self,
        directions: np.ndarray,
        times: np.ndarray,
        rates: np.ndarray | float = 0.0,
        rtol: float = 1e-7,
        progress: Callable[[float], None] = lambda t: None,
    ) -> Motion:
        """Integrate the chain from straight links at angles (n,) [rad] to the x axis and rates (n,) [rad/s].

        Raises
        ------
        RuntimeError
            The integrator gives up.
        """
        y0 = np.zeros((2, self.n, self.size))
        y0[:, :, 0] = directions, np.broadcast_to(rates, self.n)

        def derivative(t: float, y: np.ndarray) -> np.ndarray:
            progress(t)
            half = y.size // 2
            return np.concatenate([y[half:], self._accelerations(t, y[:half], y[half:])])

        span = (float(times[0]), float(times[-1]))
        solution = solve_ivp(derivative, span, y0.ravel(), "DOP853", times, rtol=rtol, atol=rtol / 10)
        if not solution.success:
            raise RuntimeError(solution.message)
        a = solution.y[: y0.size // 2].T.reshape(-1, self.n, self.size)
        tips = np.einsum("n,tnq,q->t", self._length, np.exp(1j * a @ self._P.T), self._weights)
        return Motion(tips, a[:, :, 1:] @ self._at_end[1:])

    def _accelerations(self, t: float, a: np.ndarray, a_d: np.ndarray) -> np.ndarray:
        """Second time derivatives of a, both (n size,)."""
        torque = 0.0 if self._torque is None else self._torque(t)
        shape = self.n, self.size
        return _accelerations(
            a.reshape(shape), a_d.reshape(shape), torque, self._payload, self._length, self._mu * self._length,
            self._outboard, self._P, self._to_node, self._weights, self._stiffness,
        )  # fmt: skip


@njit(cache=False)
def _accelerations(a, a_d, torque, payload, length, mass, outboard, P, to_node, weights, stiffness):
    """Second time derivatives (n size,) of amplitudes (n, size): Lagrange's equations of the chain."""
    n, size = a.shape
    nodes = weights.size
    # Of points seen from their link's start: derivative by a_k, and acceleration while a_dd = 0; ends in capitals
    u, U = np.empty((n, nodes, size), np.complex128), np.empty((n, size), np.complex128)
    force = np.empty((n, nodes), np.complex128)  # per unit of xi, against inertia and gravity
    start = 0j
    for i in range(n):
        tangent = length[i] * np.exp(1j * (P @ a[i]))
        turned = 1j * tangent.reshape(-1, 1) * P
        u[i] = to_node @ turned
        bent = -((P @ a_d[i]) ** 2) * tangent
        rest = to_node @ bent
        for k in range(size):
            U[i, k] = np.sum(weights * turned[:, k])
        force[i] = mass[i] * (start + rest + 1j * GRAVITY)
        start += np.sum(weights * bent)
    right = np.empty((n, size))
    beyond = payload * (start + 1j * GRAVITY)
    for i in range(n - 1, -1, -1):
        for k in range(size):
            load = np.sum(weights * np.conj(u[i, :, k]) * force[i]) + np.conj(U[i, k]) * beyond
            right[i, k] = -load.real - np.sum(stiffness[i, k] * a[i])
        beyond += np.sum(weights * force[i])
    right[0, 0] += torque  # of all functions only P_0 turns the start
    # What link i does to the points of a later link j, it does to its own end.
    M = np.empty((n * size, n * size))
    for i in range(n):
        for k in range(size):
            for m in range(k + 1):
                own = mass[i] * np.sum(weights * np.conj(u[i, :, k]) * u[i, :, m])
                own += outboard[i] * np.conj(U[i, k]) * U[i, m]
                M[i * size + k, i * size + m] = M[i * size + m, i * size + k] = own.real
        for j in range(i + 1, n):
            for m in range(size):
                moved = mass[j] * np.sum(weights * u[j, :, m]) + outboard[j] * U[j, m]
                for k in range(size):
                    M[i * size + k, j * size + m] = M[j * size + m, i * size + k] = (
                        np.conj(U[i, k]) * moved
                    ).real
    return np.linalg.solve(M, right.ravel())


def _of_series(series: Sequence[np.ndarray], s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values and derivatives by xi (s, k) of Legendre series at nodes (s,), and values at the end (k,)."""
    values = np.stack([legendre.legval(s, c) for c in series], axis=1)
    slopes = np.stack([legendre.legval(s, legendre.legder(c)) for c in series], axis=1) * 2
    return values, slopes, np.array([legendre.legval(1.0, c) for c in series])


def _bending_function(k: int) -> np.ndarray:
    """Legendre series of the integral of (1 - s^2) L_k from the start."""
    return legendre.legint(legendre.legmul([2 / 3, 0, -2 / 3], np.eye(k + 1)[k]), lbnd=-1)


def _integration_matrix(s: np.ndarray) -> np.ndarray:
    """Values at the nodes s -> integrals from -1 to each node of the polynomial through them."""
    series = np.linalg.inv(legendre.legvander(s, s.size - 1))  # column r: the polynomial that is 1 at node r
    return legendre.legval(s, legendre.legint(series, lbnd=-1)).T

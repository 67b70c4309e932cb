"""Finite elements of a uniform beam (cubic, consistent mass) in small motion, exact in time: forces in its sections.

The beam lies along x, clamped or pinned at its start, with a point mass at its free end. It starts at rest under loads
p s(t), a constant vector times a step or one pulse sin^2(pi t / T); the nodal equations are solved mode by mode. Shear
and moment at a node are what its element needs there, K_e x + M_e x_dd less the load on the element, so they come from
elastic and inertial forces of one element and from no derivative of the shapes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh


@dataclass(frozen=True)
class BeamElements:
    """Beam of n elements.

    Attributes
    ----------
    length, mu, EI : float [m, kg/m, N m^2]
    tip_mass : float [kg]
    clamped : bool
        Whether the start may not turn.
    n : int
    """

    length: float
    mu: float
    EI: float
    tip_mass: float
    clamped: bool
    n: int = 80

    def sections(
        self, times: np.ndarray, *, point: tuple[float, float] | None = None, spread: float = 0.0, pulse=None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Shear forces and bending moments at all nodes before the tip, (k, n) each, as what is beyond exerts them.

        Parameters
        ----------
        times : (k,) [s]
        point : (float, float), optional
            Node's place as a fraction of the length, and force along y [N].
        spread : float [N/m]
            Force along y per length.
        pulse : float, optional [s]
            Duration T of the pulse; a step without it.
        """
        h = self.length / self.n
        K_e = self.EI / h**3 * np.array(
            [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2], [-12, -6 * h, 12, -6 * h],
             [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
        )  # fmt: skip
        M_e = self.mu * h / 420 * np.array(
            [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2],
             [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]
        )  # fmt: skip
        p_e = spread * np.array([h / 2, h**2 / 12, h / 2, -(h**2) / 12])
        size = 2 * (self.n + 1)
        K, M, p = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
        for e in range(self.n):
            at = slice(2 * e, 2 * e + 4)
            K[at, at] += K_e
            M[at, at] += M_e
            p[at] += p_e
        M[-2, -2] += self.tip_mass
        if point is not None:
            p[2 * round(point[0] * self.n)] += point[1]
        free = np.arange(2 if self.clamped else 1, size)
        squares, X = eigh(K[np.ix_(free, free)], M[np.ix_(free, free)])
        w = np.sqrt(np.maximum(squares, 0))
        if not self.clamped:
            w[0] = 0.0  # it turns about the pin
        q, q_dd = (np.multiply(part, X.T @ p[free]) for part in _unit_response(times, w, pulse))
        x, x_dd = np.zeros((len(times), size)), np.zeros((len(times), size))
        x[:, free], x_dd[:, free] = q @ X.T, q_dd @ X.T
        s = _signal(times, pulse)
        nodes = 2 * np.arange(self.n)[:, None] + np.arange(4)
        # at its first node an element gets from the part before what is here; with the opposite sign that is what the
        # part beyond exerts on the part before, and a point load at the node belongs beyond
        own = x[:, nodes] @ K_e + x_dd[:, nodes] @ M_e - s[:, None, None] * p_e
        shear, moment = -own[:, :, 0], -own[:, :, 1]
        if point is not None and point[0] < 1:
            shear[:, round(point[0] * self.n)] += s * point[1]
        return shear, moment


def _signal(t: np.ndarray, pulse: float | None) -> np.ndarray:
    if pulse is None:
        return np.ones_like(t)
    return np.where(t < pulse, np.sin(np.pi * t / pulse) ** 2, 0.0)


def _unit_response(t: np.ndarray, w: np.ndarray, pulse: float | None) -> tuple[np.ndarray, np.ndarray]:
    """q and q_dd, (k, m), of q_dd + w^2 q = s(t) from rest."""
    if pulse is None:
        return _to_cosine(t, w, 0.0)[::2]
    W = 2 * np.pi / pulse

    def forced(t):
        return [(a - b) / 2 for a, b in zip(_to_cosine(t, w, 0.0), _to_cosine(t, w, W), strict=True)]

    q, _, q_dd = forced(t)
    end, end_d, _ = forced(np.array([pulse]))
    after, turned = t > pulse, w > 0
    s = (t[after] - pulse)[:, None]
    w_ = np.where(turned, w, 1.0)
    free = np.where(turned, end * np.cos(w * s) + end_d / w_ * np.sin(w * s), end + end_d * s)
    q[after], q_dd[after] = free, -(w**2) * free
    return q, q_dd


def _to_cosine(t: np.ndarray, w: np.ndarray, W: float) -> list[np.ndarray]:
    """q, q_d and q_dd from rest under cos(W t)."""
    t = t[:, None]
    turned = w > 0
    scale = np.where(turned, w**2 - W**2, 1.0)
    q = (np.cos(W * t) - np.cos(w * t)) / scale
    q_d = (w * np.sin(w * t) - W * np.sin(W * t)) / scale
    if W == 0.0:
        q, q_d = np.where(turned, q, t**2 / 2), np.where(turned, q_d, t + 0 * w)
    else:
        q = np.where(turned, q, (1 - np.cos(W * t)) / W**2)
        q_d = np.where(turned, q_d, np.sin(W * t) / W)
    return [q, q_d, np.cos(W * t) - w**2 * q]

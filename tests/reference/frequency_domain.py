"""Exact non-causal inverse of one flexible link in small motion, in the frequency domain ([Bayo1987]).

The link is clamped to its joint and carries a payload. Its shapes are those of :mod:`reference.shapes`, its masses and
stiffnesses integrals over them by Gauss quadrature. For each frequency of the tip's acceleration three kinds of
equations are solved at once: the balance of moments at the joint, those of the forces on the modes, and the tip.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reference.shapes import mode_shape

STATIONS = 60


@dataclass(frozen=True)
class SmallMotion:
    """One link about its posture, in SI units; `hub` and `tip_inertia` are moments of inertia, `payload` a mass."""

    length: float
    mu: float
    EI: float
    family: str
    count: int
    hub: float = 0.0
    payload: float = 0.0
    tip_inertia: float = 0.0

    def _shapes(self, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Displacement, slope and curvature at stations xi (s,) for a unit of q and of each mode, (1 + modes, s)."""
        L = self.length
        modes = [mode_shape(self.family, "y", k, xi) for k in range(1, self.count + 1)]
        return (
            np.array([L * xi, *(shape.value for shape in modes)]),
            np.array([np.ones_like(xi), *(shape.slope / L for shape in modes)]),
            np.array([0 * xi, *(shape.curvature / L**2 for shape in modes)]),
        )

    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mass and stiffness (1 + modes, 1 + modes), and the displacement of the tip (1 + modes,)."""
        x, weights = np.polynomial.legendre.leggauss(STATIONS)
        xi, weights = 0.5 * (1 + x), 0.5 * self.length * weights
        w, _, curvature = self._shapes(xi)
        tip, turn, _ = (values[:, 0] for values in self._shapes(np.ones(1)))
        M = self.mu * (w * weights) @ w.T + self.payload * np.outer(tip, tip)
        M += self.tip_inertia * np.outer(turn, turn)
        M[0, 0] += self.hub
        return M, self.EI * (curvature * weights) @ curvature.T, tip

    def inverse(
        self, y_dd: Callable[[np.ndarray], np.ndarray], span: float, count: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Torque and modal amplitudes for a tip acceleration that is zero but for a short time about the middle.

        Parameters
        ----------
        y_dd : callable
            From times (count,) [s] to the acceleration of the tip [m/s^2].
        span : float [s]
            Period, from -span / 2 on: long enough for the motion to die out.
        count : int
            Samples of a period.

        Returns
        -------
        times (count,) [s], torque (count,) [N m], amplitudes (count, modes) [m]
        """
        M, K, tip = self.matrices()
        n = len(M)
        times = np.arange(count) * span / count - span / 2
        omega = 2 * np.pi * np.fft.fftfreq(count, span / count)
        # unknowns q_dd, delta, tau: moment about the joint, forces on the modes, acceleration of the tip
        s2 = -(omega**2)
        system = np.zeros((count, n + 1, n + 1))
        system[:, :n, 0] = M[:, 0]
        system[:, :n, 1:n] = s2[:, None, None] * M[:, 1:] + K[:, 1:]
        system[:, 0, n] = -1.0
        system[:, n, 0], system[:, n, 1:n] = tip[0], s2[:, None] * tip[1:]
        given = np.zeros((count, n + 1, 1), complex)
        given[:, n, 0] = np.fft.fft(y_dd(times))
        found = np.fft.ifft(np.linalg.solve(system, given)[..., 0], axis=0).real
        return times, found[:, n], found[:, 1:n]

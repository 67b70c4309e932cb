"""Linearised zero dynamics: its equations, scaled, and its zeros."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eig, matrix_balance

UNSTABLE, ROUND_OFF = 1e-6, 1e-10
"""Real part of a zero, of its size and of the largest zero's, from which on it counts as unstable."""
ORIGIN = 1e-5
"""Size of a zero, of the arm's own frequency, up to which it lies in the origin: where a base floats, and how fast."""
OSCILLATING, STEADY = 0.3, 0.01
"""Real over imaginary part of an oscillation's zeros, and of one whose growth does not count."""


@dataclass(frozen=True)
class LinearZeroDynamics:
    """Linearised zero dynamics M delta_dd + D delta_d + K delta = 0, the joints following the deflections.

    Attributes
    ----------
    M, D, K : (m, m) [kg, N s/m, N/m]
        M is neither symmetric nor definite; all that has no drive counts among delta.
    stiffness : (m,) [N/m]
        Size of the diagonal of K; of the inertia, scaled, where nothing resists.
    amplitude, force : (m,) [m, N]
        By which deflections and forces are scaled. amplitude times force is 1 J, amplitude over force 1 / stiffness
        times a factor that balances M^-1 K: where one link drives another its entries differ by eight powers of ten.
    frequency : float [1/s]
        By which time is scaled.
    zeros : (2 m,) complex [1/s]
        Eigenvalues: the transmission zeros of the arm from torques to task; infinite where M is singular. Those of a
        floating base are zero, where it begins and how fast; they are neither unstable nor oscillations.
    """

    M: np.ndarray
    D: np.ndarray
    K: np.ndarray
    stiffness: np.ndarray
    amplitude: np.ndarray
    force: np.ndarray
    frequency: float
    zeros: np.ndarray

    @classmethod
    def of(cls, M: np.ndarray, D: np.ndarray, K: np.ndarray) -> LinearZeroDynamics:
        """Scale the equations and find the zeros."""
        stiffness, inertia = np.abs(np.diag(K)), np.abs(np.diag(M)) + 1e-300
        resisting = stiffness > 1e-9 * stiffness.max(initial=0.0)
        square = (stiffness / inertia)[resisting].max(initial=0.0) or 1.0
        stiffness = np.where(resisting, stiffness, inertia * square)  # nothing resists a floating base
        amplitude = 1 / np.sqrt(stiffness)
        scaled_M, scaled_K = (amplitude[:, None] * X * amplitude for X in (M, K))
        balance = _balance(scaled_M, scaled_K)
        size_M, size_K = (np.linalg.norm(X * balance / balance[:, None]) for X in (scaled_M, scaled_K))
        frequency = float(np.sqrt(size_K / size_M)) if size_M > 0 else 1.0
        scales = (stiffness, amplitude * balance, balance / amplitude / balance**2, frequency)
        linear = cls(M, D, K, *scales, np.empty(0, complex))
        return (
            linear
            if not K.size
            else replace(
                linear, zeros=linear.finite(*eig(*linear.pencil(), right=False, homogeneous_eigvals=True))
            )
        )

    @property
    def is_unstable(self) -> Callable[[np.ndarray], np.ndarray]:
        """True for those of some zeros (k,) that lie in the right half plane."""
        finite = self.zeros[np.isfinite(self.zeros)]
        bound = ROUND_OFF * np.abs(finite).max(initial=0.0)
        at_origin = ORIGIN * self.frequency
        return lambda zeros: (np.real(zeros) > UNSTABLE * np.abs(zeros) + bound) & (np.abs(zeros) > at_origin)

    @property
    def unstable_zeros(self) -> np.ndarray:
        """Zeros in the right half plane (k,) [1/s], slowest first."""
        found = self.zeros[self.is_unstable(self.zeros)]
        return found[np.argsort(np.real(found))]

    def grows(self, zeros: np.ndarray) -> np.ndarray:
        """True for those of some zeros (k,) whose motion grows by so much in a period that it must be anticipated."""
        return self.is_unstable(zeros) & (np.real(zeros) > STEADY * np.abs(np.imag(zeros)))

    @property
    def oscillations(self) -> np.ndarray:
        """Zeros of oscillations, one of each pair (k,) [1/s]: they decay or grow by little in a period, if at all."""
        return self.zeros[
            (np.imag(self.zeros) > ORIGIN * self.frequency)
            & (np.abs(np.real(self.zeros)) < OSCILLATING * np.imag(self.zeros))
        ]

    def pencil(self) -> tuple[np.ndarray, np.ndarray]:
        """Matrices A and E (2 m, 2 m) of the scaled state equation E z' = A z, in scaled time."""
        m, s, rows, omega = len(self.K), self.amplitude, 1 / self.force[:, None], self.frequency
        A, E = np.zeros((2, 2 * m, 2 * m))
        A[:m, m:] = E[:m, :m] = np.eye(m)
        A[m:, :m], A[m:, m:] = -rows * self.K * s, -rows * self.D * s * omega
        E[m:, m:] = rows * self.M * s * omega**2
        return A, E

    def finite(self, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Zeros [1/s] of scaled eigenvalues alpha / beta, infinite where beta is round-off."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.abs(beta) > 1e-14 * np.abs(alpha), self.frequency * alpha / beta, np.inf)


def _balance(M: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Factors (m,) of the components that balance M^-1 K, as far as M has an inverse."""
    if not K.size:
        return np.ones(0)
    try:
        rates = np.linalg.solve(M, K)
    except np.linalg.LinAlgError:
        return np.ones(len(K))
    return matrix_balance(rates, permute=False, separate=True)[1][0]

"""Robustness of a feedback loop: gain, phase and delay margins, and the largest value of its sensitivity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

FREQUENCIES = 4000
"""Frequencies of the grid on which crossings are looked for, besides those at the poles."""
SPAN = 1e3
"""How far the grid goes beyond the slowest and the fastest pole."""
SINGULAR = 1e12
"""Condition of a matrix from which on it counts as singular."""
NORM_TOLERANCE = 1e-6
"""Relative error of the largest value of the sensitivity."""
ON_AXIS = 1e-8
"""Real part of an eigenvalue, of the largest one's size, that is on the imaginary axis but for round-off."""
MOST_ITERATIONS = 100


class StateSpace(NamedTuple):
    """Linear system x' = A x + B u, y = C x + D u, x' being the rate, or with a period [s] the next sample."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    period: float | None = None

    def at(self, frequencies: np.ndarray) -> np.ndarray:
        """Response (f, outputs, inputs) at frequencies (f,) [rad/s]."""
        s = 1j * frequencies if self.period is None else np.exp(1j * frequencies * self.period)
        n = len(self.A)
        return self.C @ np.linalg.solve(s[:, None, None] * np.eye(n) - self.A, self.B[None]) + self.D

    @property
    def poles(self) -> np.ndarray:
        """Poles (states,) complex [1/s], of a sampled system those of which it is the sampling."""
        found = np.linalg.eigvals(self.A)
        if self.period is None:
            return found
        with np.errstate(divide="ignore"):
            return np.log(found.astype(complex)) / self.period


@dataclass(frozen=True)
class Margins:
    """Margins of a loop that is stable as it is.

    Attributes
    ----------
    gain : tuple of float
        Factors of the loop's gain, below and above 1, at which it becomes unstable; 0 and infinite where there is none.
    phase : float [rad]
        Lag that makes it unstable; infinite if none does.
    delay : float [s]
        Further delay that makes it unstable; infinite if none does.
    sensitivity : float
        Largest magnitude of 1/(1 + L) over all frequencies.
    """

    gain: tuple[float, float]
    phase: float
    delay: float
    sensitivity: float


def margins(loop: StateSpace) -> Margins:
    """Margins of a loop of transfer function L from one input to one output, closed by u = -y."""
    frequencies = loop_frequencies(loop)
    values = loop.at(frequencies)[:, 0, 0]

    def value(w: float) -> complex:
        return complex(loop.at(np.array([w]))[0, 0, 0])

    lower, upper, phase, delay = 0.0, np.inf, np.inf, np.inf
    real_at = [value(w).real for w in _crossings(frequencies, np.imag(values), lambda w: value(w).imag)]
    for real in (*real_at, *_end_values(loop)):
        if real < 0:
            factor = -1 / real
            lower, upper = (max(lower, factor), upper) if factor < 1 else (lower, min(upper, factor))
    for w in _crossings(frequencies, np.abs(values) - 1, lambda w: abs(value(w)) - 1):
        lag = np.angle(-value(w)) % (2 * np.pi)  # from -1 on, clockwise
        phase = min(phase, lag, 2 * np.pi - lag)
        delay = min(delay, lag / w)
    closed = loop.A - loop.B @ loop.C / (1 + loop.D)
    back = 1 / (1 + loop.D)
    sensitivity = StateSpace(closed, loop.B @ back, -back @ loop.C, back, loop.period)
    return Margins((lower, upper), float(phase), float(delay), largest_gain(sensitivity))


def largest_gain(system: StateSpace) -> float:
    """Largest singular value of a stable system over all frequencies: its H-infinity norm.

    Notes
    -----
    A gain g is reached at w where j w is an eigenvalue of a Hamiltonian matrix [BruinsmaSteinbuch1990]; the middles of
    the intervals between such frequencies give the next g. A sampled system is first made one in continuous time by
    the bilinear transform, which keeps the norm.
    """
    A, B, C, D = _in_continuous_time(system)
    found = max(float(np.linalg.norm(D, 2)), float(np.linalg.norm(D - C @ np.linalg.solve(A, B), 2)))
    w = np.abs(np.linalg.eigvals(A))
    plain = StateSpace(A, B, C, D)
    found = max(found, float(np.linalg.norm(plain.at(w), 2, axis=(1, 2)).max()))
    for _ in range(MOST_ITERATIONS):
        g = found * (1 + NORM_TOLERANCE)
        R, S = D.T @ D - g**2 * np.eye(D.shape[1]), D @ D.T - g**2 * np.eye(D.shape[0])
        F = A - B @ np.linalg.solve(R, D.T @ C)
        H = np.block([[F, -g * B @ np.linalg.solve(R, B.T)], [g * C.T @ np.linalg.solve(S, C), -F.T]])
        eigenvalues = np.linalg.eigvals(H)
        on_axis = np.abs(eigenvalues.real) < ON_AXIS * np.abs(eigenvalues).max()
        crossed = np.sort(np.abs(eigenvalues.imag[on_axis]))
        if not crossed.size:
            return found
        middles = np.concatenate([crossed, (crossed[1:] + crossed[:-1]) / 2])
        larger = float(np.linalg.norm(plain.at(middles), 2, axis=(1, 2)).max())
        if larger <= found:
            return found
        found = larger
    return found


def _in_continuous_time(system: StateSpace) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Matrices of a system, of a sampled one those of its bilinear transform z = (1 + s)/(1 - s)."""
    A, B, C, D, period = system
    if period is None:
        return A, B, C, D
    back = np.linalg.inv(A + np.eye(len(A)))
    return back @ (A - np.eye(len(A))), np.sqrt(2) * back @ B, np.sqrt(2) * C @ back, D - C @ back @ B


def loop_frequencies(loop: StateSpace) -> np.ndarray:
    """Frequencies (f,) [rad/s] dense enough to see all crossings, closer about lightly damped poles."""
    poles = loop.poles
    sizes = np.abs(poles[np.isfinite(poles) & (np.abs(poles) > 0)])
    if not sizes.size:
        sizes = np.ones(1)
    first, last = sizes.min() / SPAN, sizes.max() * SPAN
    if loop.period is not None:
        last = np.pi / loop.period
        first = min(first, last / SPAN)
    beside = np.sinh(np.linspace(-8, 8, 81))
    near = [abs(p.imag) + max(abs(p.real), 1e-6 * abs(p)) * beside for p in poles if np.isfinite(p)]
    grid = np.unique(np.concatenate([np.geomspace(first, last, FREQUENCIES), *near]))
    return grid[(grid >= first) & (grid <= last)]


def _end_values(loop: StateSpace) -> list[float]:
    """Values of a loop where they are real anyway: at rest, and at half the rate of the samples."""
    A, B, C, D, period = loop
    ends = [np.zeros_like(A)] if period is None else [np.eye(len(A)), -np.eye(len(A))]
    regular = [end - A for end in ends if np.linalg.cond(end - A) < SINGULAR]
    return [float((C @ np.linalg.solve(each, B) + D)[0, 0]) for each in regular]


def _crossings(w: np.ndarray, values: np.ndarray, function: Callable[[float], float]) -> list[float]:
    """Frequencies [rad/s] at which a function, sampled at w (f,), changes its sign."""
    changes = np.flatnonzero((values[:-1] * values[1:] < 0) & np.isfinite(values[:-1] * values[1:]))
    roots = (brentq(function, w[k], w[k + 1], xtol=1e-12 * w[k]) for k in changes)
    return [float(root) for root in roots]  # pyright: ignore[reportArgumentType]

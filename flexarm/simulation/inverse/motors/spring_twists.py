"""Twists of springs with dampers under torques over time, interval by interval."""

from __future__ import annotations

import numpy as np

SERIES = 16
"""Terms of a power series over an interval that is no longer than the time constant of spring and damper."""
JUMP = 1e-4
"""Jump of a torque or of its rates, of the largest value, that may be the error of an inverse motion at its mesh."""


def joined(torques: np.ndarray) -> np.ndarray:
    """Torques and rates (m, 2, 3, k) without the small jumps from one interval to the next: both sides' mean there.

    A torque that jumps ever so little would ask for an impulse of the motor.
    """
    before, after = torques[:-1, 1], torques[1:, 0]
    largest = np.abs(torques).max(axis=(0, 1), initial=0.0)
    mean = np.where(np.abs(after - before) <= JUMP * largest, (after + before) / 2, np.nan)
    joined = torques.copy()
    joined[:-1, 1] = np.where(np.isnan(mean), before, mean)
    joined[1:, 0] = np.where(np.isnan(mean), after, mean)
    return joined


def hermite(values: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Quintic polynomials (6, m, k) of the time in each interval by values (m, 2, 3, k) with two rates at its ends."""
    scale = steps[:, None, None] ** np.arange(3)[:, None]
    (a0, a1, a2), (b0, b1, b2) = ((values[:, end] * scale).swapaxes(0, 1) for end in (0, 1))
    d, e, f = b0 - a0 - a1 - a2 / 2, b1 - a1 - a2, b2 - a2
    c = np.stack([6 * d - 3 * e + f / 2, -15 * d + 7 * e - f, 10 * d - 4 * e + f / 2, a2 / 2, a1, a0])
    return c / steps[:, None] ** np.arange(5.0, -1.0, -1.0)[:, None, None]


def derivative(coefficients: np.ndarray) -> np.ndarray:
    """Derivatives of polynomials (n, m, k), highest power first, in the same shape."""
    powers = np.arange(len(coefficients) - 1.0, 0.0, -1.0)[:, None, None]
    return np.concatenate([np.zeros_like(coefficients[:1]), coefficients[:-1] * powers])


def spring_twists(
    tau: np.ndarray, steps: np.ndarray, lag: np.ndarray, resting: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Solve phi + lag phi_d = tau / K in all intervals, one after the other.

    Parameters
    ----------
    tau : (6, m, k) [rad]
        Polynomials of the torques over the stiffnesses.
    steps : (m,) [s]
    lag : (k,) [s]
        Time constants d / K.
    resting : bool
        Whether the springs are at rest at the start; else they have been twisted slowly before.

    Returns
    -------
    coefficients : (n, m, k)
    layers : (m, k) [rad]

    Notes
    -----
    Where an interval is longer than the time constant the solution is tau / K - lag (tau / K)_d + lag^2 (tau / K)_dd ..
    and an exponential function, else a power series; so neither has large terms that cancel.
    """
    n, m, k = tau.shape
    powers = tau[::-1]
    particular, term = tau.copy(), tau
    for _ in range(n - 1):
        term = -lag * derivative(term)
        particular += term
    series = np.zeros((SERIES, m, k))
    series[:n] = particular[::-1]
    layers = np.zeros((m, k))
    quick = lag < steps[:, None]
    phi = powers[0, 0] - (0.0 if resting else lag) * powers[1, 0]
    divisor = np.where(lag > 0, lag, 1.0)
    for j, step in enumerate(steps):
        layers[j] = np.where(quick[j] & (lag > 0), phi - series[0, j], 0.0)
        slow = ~quick[j]
        series[0, j, slow] = phi[slow]
        for power in range(1, SERIES):
            driving = powers[power - 1, j] if power <= n else 0.0
            following = (driving - series[power - 1, j]) / (divisor * power)
            series[power, j, slow] = following[slow]
        phi = np.polyval(series[::-1, j], step) + layers[j] * np.exp(-step / divisor)
    return series[::-1], layers

"""Piecewise polynomials in time: drive torques from tables, reference trajectories."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class PiecewisePolynomial:
    """A piecewise polynomial u(t), constant outside its breaks.

    Attributes
    ----------
    breaks : (K + 1,) [s]
        Increasing times at which one polynomial hands over to the next.
    coefficients : (degree + 1, K)
        Coefficients of powers of t - breaks[k], highest power first (the layout of scipy's PPoly).
    """

    breaks: NDArray[np.float64]
    coefficients: NDArray[np.float64]

    def __post_init__(self):
        breaks = np.ascontiguousarray(self.breaks, dtype=float)
        coefficients = np.ascontiguousarray(self.coefficients, dtype=float)
        if breaks.ndim != 1 or breaks.size < 2 or not np.all(np.diff(breaks) > 0):
            raise ValueError("breaks: expected at least two increasing times")
        if coefficients.ndim != 2 or coefficients.shape[1] != breaks.size - 1:
            raise ValueError(
                f"coefficients: expected shape (degree + 1, {breaks.size - 1}), got {coefficients.shape}"
            )
        object.__setattr__(self, "breaks", breaks)
        object.__setattr__(self, "coefficients", coefficients)

    @classmethod
    def linear(cls, times: ArrayLike, values: ArrayLike) -> PiecewisePolynomial:
        """Interpolate values (k,) at times (k,) [s] linearly."""
        times, values = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
        return cls(times, np.array([np.diff(values) / np.diff(times), values[:-1]]))

    @classmethod
    def cubic(cls, times: ArrayLike, values: ArrayLike) -> PiecewisePolynomial:
        """Interpolate values (k,) at times (k,) [s] by a cubic spline with the not-a-knot condition at both ends."""
        from scipy.interpolate import CubicSpline  # slow to import, rarely needed

        spline = CubicSpline(times, values)
        return cls(spline.x, spline.c)

    def derivative(self) -> PiecewisePolynomial:
        """Derivative with respect to time."""
        degree = len(self.coefficients) - 1
        if degree == 0:
            return PiecewisePolynomial(self.breaks, 0 * self.coefficients)
        return PiecewisePolynomial(self.breaks, self.coefficients[:-1] * np.arange(degree, 0, -1)[:, None])

    def __call__(self, t: ArrayLike) -> NDArray[np.float64]:
        """Values at times t [s] of any shape, in that shape."""
        t = np.clip(t, self.breaks[0], self.breaks[-1])
        piece = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, self.breaks.size - 2)
        offset = t - self.breaks[piece]
        value = np.zeros_like(offset)
        for coefficient in self.coefficients:
            value = value * offset + coefficient[piece]
        return value

"""Mode shapes written out one by one, for the oracle only.

Every shape is a function of the fraction ``xi`` of the link's length; slope and curvature are derivatives
with respect to ``xi``. Scales are the published ones.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq


class Shape(NamedTuple):
    """Value, first and second derivative of one mode shape at the asked stations, each like ``xi``."""

    value: np.ndarray
    slope: np.ndarray
    curvature: np.ndarray


def mode_shape(
    family: str, direction: str, k: int, xi: np.ndarray, normalisation: str = "published"
) -> Shape:
    """Shape number ``k`` (from 1) of a family at the stations ``xi``."""
    formula = (BENDING if direction in ("y", "z") else BAR)[family]
    shape = Shape(*formula(k, np.asarray(xi, dtype=float)))
    if normalisation == "tip":
        tip = formula(k, np.asarray(1.0))[0]
        shape = Shape(*(part / tip for part in shape))
    return shape


@cache
def wave_number(k: int, sign: int) -> float:
    """k-th positive root of cos b cosh b = sign (-1: clamped-free, +1: clamped-clamped)."""
    first = k - 1 if sign < 0 else k
    return brentq(
        lambda b: np.cos(b) - sign / np.cosh(b), first * np.pi, (first + 1) * np.pi, xtol=1e-15, rtol=1e-15
    )


def _clamped(b: float, s: float, one_minus_s: float, xi: np.ndarray):
    """cosh - cos - s (sinh - sin) of b xi; the growing exponential's 1 - s comes without cancellation."""
    grow = 0.5 * one_minus_s * np.exp(b * xi)
    decay = 0.5 * (1.0 + s) * np.exp(-b * xi)
    cos, sin = np.cos(b * xi), np.sin(b * xi)
    return (
        grow + decay - cos + s * sin,
        b * (grow - decay + sin + s * cos),
        b**2 * (grow + decay + cos - s * sin),
    )


def clamped_free(k: int, xi: np.ndarray):
    b = wave_number(k, -1)
    denominator = np.sinh(b) + np.sin(b)
    s = (np.cosh(b) + np.cos(b)) / denominator
    return _clamped(b, s, (np.sin(b) - np.cos(b) - np.exp(-b)) / denominator, xi)


def clamped_clamped(k: int, xi: np.ndarray):
    """[FL17] (63): sin - s cos - sinh + s cosh with s = 1.0178 for k = 1."""
    b = wave_number(k, +1)
    denominator = np.sinh(b) - np.sin(b)
    sigma = (np.cosh(b) - np.cos(b)) / denominator
    parts = _clamped(b, sigma, (np.cos(b) - np.sin(b) - np.exp(-b)) / denominator, xi)
    return tuple(part / sigma for part in parts)


def sine(b: float, xi: np.ndarray):
    return np.sin(b * xi), b * np.cos(b * xi), -(b**2) * np.sin(b * xi)


def hinged(k: int, xi: np.ndarray):
    """Sine turned so that its tangent at the start is the x axis: sin(k pi xi) - k pi xi."""
    value, slope, curvature = sine(k * np.pi, xi)
    return value - k * np.pi * xi, slope - k * np.pi, curvature


def polynomial(k: int, xi: np.ndarray):
    """Curvature sqrt(2k - 1) P_k-1, a shifted Legendre polynomial: orthonormal on [0, 1]; held at the start."""
    curvature = np.sqrt(2 * k - 1) * np.polynomial.Legendre.basis(k - 1, domain=[0, 1])
    return tuple(curvature.integ(n, lbnd=0)(xi) if n else curvature(xi) for n in (2, 1, 0))


def craig_bampton(k: int, xi: np.ndarray):
    """Static shapes of tip force and tip moment, then clamped-clamped modes; their curvatures are orthonormal."""
    if k == 1:
        return tuple(np.sqrt(3) * part for part in (xi**2 / 2 - xi**3 / 6, xi - xi**2 / 2, 1 - xi))
    if k == 2:
        return (xi**3 - xi**2) / 2, (3 * xi**2 - 2 * xi) / 2, 3 * xi - 1
    b = wave_number(k - 2, +1)
    sigma = (np.cosh(b) - np.cos(b)) / (np.sinh(b) - np.sin(b))
    return tuple(part * sigma / b**2 for part in clamped_clamped(k - 2, xi))


BENDING = {
    "clamped-free": clamped_free,
    "clamped-clamped": clamped_clamped,
    "pinned-pinned": lambda k, xi: sine(k * np.pi, xi),
    "hinged": hinged,
    "polynomial": polynomial,
    "craig-bampton": craig_bampton,
}

BAR = {
    "craig-bampton": lambda k, xi: (
        (xi, np.ones_like(xi), np.zeros_like(xi))
        if k == 1
        else tuple(np.sqrt(2) / ((k - 1) * np.pi) * part for part in sine((k - 1) * np.pi, xi))
    ),
    "fixed-free": lambda k, xi: sine((k - 0.5) * np.pi, xi),
    "fixed-fixed": lambda k, xi: sine(k * np.pi, xi),
}

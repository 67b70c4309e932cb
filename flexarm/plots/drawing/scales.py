"""Scales of what should be constant or zero: round-off and small errors are told in words, not drawn at full height."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

KEPT = 1e-6
"""Change, as a part of a quantity's size, below which the quantity counts as kept."""


def floor_scale(axes: Axes, values: np.ndarray, size: float, height: float = 1.0, kept: float = KEPT) -> str:
    """Give the axis a least height, so that values that are kept look constant, and say in words how well they are.

    Parameters
    ----------
    axes : Axes
        On which the values have been drawn.
    values : (k, ..)
        Over time, as drawn, in the unit of the axis; each column should keep its own.
    size : float
        How large such values are where they are not kept, in the same unit; 0: there is nothing that could change.
    height : float
        Part of the size that the axis shows where they are kept.
    kept : float
        Change, as a part of the size, up to which they count as kept.

    Returns
    -------
    str
        Such as "kept to 2e-9", of the size, for a title; empty where the values change.
    """
    if not values.size:
        return ""
    low, high = float(np.fmin.reduce(values, axis=None)), float(np.fmax.reduce(values, axis=None))
    change = largest_change(values)
    if not change <= kept * size < np.inf:
        return ""
    missing = max(0.0, height * (size or 1.0) - (high - low)) / 2
    margin = max(0.05 * (high - low), 1e-9 * max(abs(low), abs(high)))
    axes.set_ylim(low - max(missing, margin), high + max(missing, margin))
    return kept_to(change, size)


def largest_change(values: np.ndarray) -> float:
    """Return by how much values (k, ..) over time change at most, each column by itself, but for NaN."""
    return float(np.fmax.reduce(np.fmax.reduce(values, axis=0) - np.fmin.reduce(values, axis=0), axis=None))


def kept_to(change: float, size: float) -> str:
    """Say how well a quantity of some size is kept, with one digit: "kept to 2e-9"."""
    if change == 0.0 or size == 0.0:
        return "kept exactly"
    digit, exponent = f"{change / size:.0e}".split("e")
    return f"kept to {digit}e{int(exponent)}"

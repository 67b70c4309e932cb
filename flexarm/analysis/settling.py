"""Settling of a quantity over time: from when on it stays near a value for good, as far as a run can tell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LAST_MOVE = 0.5
"""Part of the time of its last move for which a quantity that does not swing has to stay in its band."""


def settling_time(times: Array, values: Array, low: float, high: float) -> float:
    """First of the times from which on the values stay between two limits for good; NaN if they do not.

    Parameters
    ----------
    times, values : (k,) [s, any unit]
    low, high : float

    Notes
    -----
    That a quantity is between the limits at the end does not say that it stays there: one that rings passes between
    them again and again. It has to stay for a full period of its last swings, which is twice the time between the last
    two turning points; if it does not swing, for half the time since its last turning point, or the start, and to slow
    down: in the second half of its stay it moves at most half as far as in the first. A run that is shorter than a
    swing cannot tell.
    """
    outside = np.flatnonzero((values < low) | (values > high))
    if not outside.size:
        return float(times[0])
    first = outside[-1] + 1
    if first == times.size:
        return np.nan
    entry, stay = times[first], times[-1] - times[first]
    start, *turns = turning_points(values, high - low) or [0]
    if len(turns) > 1:
        settled = stay >= 2 * (times[turns[-1]] - times[turns[-2]])
    else:
        half = np.searchsorted(times, entry + stay / 2)
        slows = np.ptp(values[half:]) <= np.ptp(values[first : half + 1]) / 2
        settled = slows and stay >= LAST_MOVE * (entry - times[(start, *turns)[-1]])
    return float(entry) if settled else np.nan


def turning_points(values: Array, least: float) -> list[int]:
    """Indices of samples at which values (k,) begin to move, and turn back, by more than `least`."""
    steps = np.sign(np.diff(values))
    extremes = 1 + np.flatnonzero(steps[1:] != steps[:-1])
    found, low, high, direction = [], 0, 0, 0
    for k in (*extremes.tolist(), values.size - 1):
        low, high = (k if values[k] < values[low] else low), (k if values[k] > values[high] else high)
        if direction >= 0 and values[high] - values[k] > least:
            found.append(high)
            low, high, direction = k, k, -1
        elif direction <= 0 and values[k] - values[low] > least:
            found.append(low)
            low, high, direction = k, k, 1
    return found


def rest_value(values: Array, band: Callable[[Array], Array]) -> float:
    """Value about which a quantity comes to rest, if it does: the middle of all values in a band at the end.

    Parameters
    ----------
    values : (k,)
    band : callable
        From such middles (k,) to how far on both sides the band about each reaches, (k,).
    """
    highest = np.maximum.accumulate(values[::-1])[::-1]
    lowest = np.minimum.accumulate(values[::-1])[::-1]
    middle = (highest + lowest) / 2
    apart = np.flatnonzero(highest - lowest > 2 * band(middle))
    return float(middle[apart[-1] + 1 if apart.size else 0])

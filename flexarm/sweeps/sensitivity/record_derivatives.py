"""Derivatives of records of a run, by differences of its recorded samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.simulation.forward.single_run import SingleRun
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure
from flexarm.sweeps.sensitivity.moved_samples import NUDGE, ROUND_OFF, SAME, MovedSamples, has_kink, size_of

MOST_INSTANTS = 8
"""Samples that a record may depend on."""
GOLDEN_RATIO = (1 + 5**0.5) / 2
"""Whose multiples leave parts of 1 that are all different, and nowhere evenly spaced."""


def differentiated(
    one: ScalarMeasure, times: np.ndarray, samples: MovedSamples, run: SingleRun
) -> tuple[float, str]:
    """Derivative of a record in one direction; NaN and the reason where the two sides differ."""
    dataset = one.dataset or ""
    size = samples.nudge(dataset)
    if not size:
        return 0.0, ""
    middle, ahead, behind = (
        one.reduce(times, one.column(samples.at(dataset, part * size)), run) for part in (0.0, 1.0, -1.0)
    )
    forward, backward = (ahead - middle) / size, (middle - behind) / size
    largest = NUDGE / size * size_of(samples.values[dataset])
    if has_kink(forward, backward, ROUND_OFF * largest):
        return np.nan, "it has a kink here: the changes to both sides differ"
    return float(ahead - behind) / (2 * size), ""


def derivatives_by_samples(
    reduce: Callable[[np.ndarray], float], values: np.ndarray
) -> dict[int, float] | None:
    """Derivatives of a record by the samples (m,) that it depends on; None if these are many, or at a kink."""
    middle, size = reduce(values), NUDGE * size_of(values)
    # samples together move by different amounts: a record of differences does not see what all have in common
    sizes = size * (1 + np.arange(values.size) * GOLDEN_RATIO % 1)
    found: dict[int, float] = {}
    waiting = [(0, values.size)]
    while waiting:
        first, last = waiting.pop()
        ahead, behind = values.copy(), values.copy()
        ahead[first:last] += sizes[first:last]
        behind[first:last] -= sizes[first:last]
        forward = (reduce(ahead) - middle) / sizes[first]
        backward = (middle - reduce(behind)) / sizes[first]
        if forward == 0 and backward == 0:
            continue
        if last - first > 1:
            half = (first + last) // 2
            waiting += [(first, half), (half, last)]
        elif has_kink(forward, backward, 0.0):
            return None
        else:
            found[first] = (forward + backward) / 2
        if len(found) + len(waiting) > 2 * MOST_INSTANTS or len(found) > MOST_INSTANTS:
            return None
    return found


def derivatives_by_entries(column: Callable[[np.ndarray], np.ndarray], row: np.ndarray) -> np.ndarray | None:
    """Derivatives (n,) of the value of a sample by all that is observed in it, (n,); None at a kink."""
    size = NUDGE * size_of(row)
    moved = size * np.eye(row.size)
    middle, ahead, behind = (column(np.atleast_2d(row + part * moved)) for part in (0.0, 1.0, -1.0))
    forward, backward = (ahead - middle) / size, (middle - behind) / size
    if (np.abs(forward - backward) > SAME * np.maximum(np.abs(forward), np.abs(backward)).max()).any():
        return None
    return (forward + backward) / 2

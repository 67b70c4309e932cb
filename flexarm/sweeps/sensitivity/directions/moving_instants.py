"""Instants at which the state equation jumps, and which a number moves: the derivatives of the state jump there too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.solvers.intervals import Intervals

MOVED = 1e-12
"""Change of a break point, of the duration of the run, that is round-off."""


@dataclass(frozen=True)
class MovingInstants:
    """Instants at which the state equation jumps.

    Attributes
    ----------
    times : (j,) [s]
    changes : (k, j) [s]
        Their derivatives, times the scales of the numbers.
    """

    times: np.ndarray
    changes: np.ndarray

    @property
    def moves(self) -> bool:
        """Whether any of them moves."""
        return bool(self.changes.any())

    def at_breaks(self, intervals: Intervals) -> np.ndarray:
        """Changes (k, breaks) [s] of the break points of a run."""
        changes = np.zeros((len(self.changes), intervals.breaks.size))
        for j in np.flatnonzero(self.changes.any(axis=0)):
            changes[:, np.abs(intervals.breaks - self.times[j]).argmin()] += self.changes[:, j]
        return changes


def moving_instants(
    times: np.ndarray, beside: Sequence[tuple[np.ndarray, Sequence[np.ndarray]]], duration: float
) -> MovingInstants | None:
    """Instants (j,) [s] of an arm, and how they move; None if some appear or vanish.

    Parameters
    ----------
    times : (j,) [s]
    beside : sequence of (weights (s,), s arrays)
        For each number: instants of the arms beside it, and the weights that make derivatives of their differences.
    duration : float [s]
        Of the run.
    """
    changes = np.zeros((len(beside), times.size))
    for own, (weights, moved) in zip(changes, beside, strict=True):
        if any(one.shape != times.shape for one in moved):
            return None
        shifts = np.array(moved) - times
        own[:] = weights @ np.where(np.abs(shifts).max(axis=0, initial=0.0) > MOVED * duration, shifts, 0.0)
    return MovingInstants(times, changes)

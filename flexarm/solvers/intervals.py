"""Intervals of time on which a right-hand side is smooth, with its break points between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# rows of `Intervals.rows`: where each starts, ends, and its longest step [s]
INTERVAL_START, INTERVAL_END, INTERVAL_MAX_STEP, INTERVAL_ROWS = range(4)

MARGIN = 4
"""Distance kept from a break point, in units of the last place of the end of the integration."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """Successive intervals on each of which a right-hand side is smooth, its limits at both ends included.

    From an end to the next start it is some units in the last place, in which the state stays what it is: so no
    evaluation sees what comes beyond a break point, nor what was before.

    Attributes
    ----------
    starts, ends : (k + 1,) [s]
    breaks : (k,) [s]
        Break points: samples from there on belong to what comes after.
    longest_steps : (k + 1,) [s]
        Longest steps that an adaptive method may take.
    """

    starts: NDArray[np.float64]
    ends: NDArray[np.float64]
    breaks: NDArray[np.float64]
    longest_steps: NDArray[np.float64]

    @classmethod
    def between(
        cls,
        before: NDArray[np.float64],
        breaks: NDArray[np.float64],
        after: NDArray[np.float64],
        start: float,
        end: float,
        longest_step: float = np.inf,
    ) -> Intervals:
        """Intervals between break points (k,) [s], `before` and `after` which their limits are taken.

        A break point at the start moves the first interval; one at the end closes the last, which is open otherwise.
        """
        inside = (before > start) & (after < end)
        at_start, at_end = after[before <= start], before[(after >= end) & (before > start)]
        return cls(
            starts=np.append(at_start.max(initial=start), after[inside]),
            ends=np.append(before[inside], at_end.min(initial=np.inf)),
            breaks=breaks[inside],
            longest_steps=np.full(np.count_nonzero(inside) + 1, longest_step),
        )

    @classmethod
    def around(
        cls, breaks: NDArray[np.float64], start: float, end: float, longest_step: float = np.inf
    ) -> Intervals:
        """Intervals between break points (k,) [s] that are known to some units in the last place."""
        margin = MARGIN * np.spacing(end)
        return cls.between(breaks - margin, breaks, breaks + margin, start, end, longest_step)

    @property
    def rows(self) -> NDArray[np.float64]:
        """What kernels read, (INTERVAL_ROWS, k + 1) [s]."""
        return np.array([self.starts, self.ends, self.longest_steps])

    def index(self, times: NDArray[np.float64]) -> NDArray[np.intp]:
        """Number of the interval that times (k,) belong to."""
        return np.searchsorted(self.breaks, times, side="right")

    def within(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same times (k,), moved into their intervals: by some units in the last place, if at all."""
        index = self.index(times)
        return np.minimum(np.maximum(times, self.starts[index]), self.ends[index])

    def rest(self, first: int) -> Intervals:
        """The intervals from one of them on."""
        return Intervals(
            self.starts[first:], self.ends[first:], self.breaks[first:], self.longest_steps[first:]
        )

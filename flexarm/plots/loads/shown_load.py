"""What colours an arm: the stress of its sections, or their bending moment where no section is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.analysis.loads.largest_loads import across
from flexarm.plots.drawing.load_colours import LoadColours
from flexarm.plots.loads.load_diagrams import BLOCK_ROWS, scale
from flexarm.results.result import Result

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ShownLoad:
    """Load that colours the links of a result.

    Attributes
    ----------
    result : Result
    what : str
        ``stress`` or ``bending moment``.
    factor : float
        From its SI unit to that of the colours.
    unit : str
        Of the colours.
    largest : float
        Largest value of the result, in that unit.
    sample : int
        Where it is.
    """

    result: Result
    what: str
    factor: float
    unit: str
    largest: float
    sample: int

    @classmethod
    def of(cls, result: Result) -> ShownLoad | None:
        """Load of a result; none if it has not recorded any."""
        if "section_moment" not in result or not result.n_samples:
            return None
        largest, sample = -1.0, 0
        for first in range(0, result.n_samples, BLOCK_ROWS):
            values = _values(result, slice(first, first + BLOCK_ROWS))
            most = np.nan_to_num(values, nan=-1.0).reshape(len(values), -1).max(axis=1)
            if most.max() > largest:
                largest, sample = float(most.max()), first + int(most.argmax())
        largest = max(largest, 0.0)
        what, unit = ("stress", "Pa") if "stress_max" in result else ("bending moment", "N m")
        factor, unit = scale(np.array(largest), unit)
        return cls(result, what, factor, unit, factor * largest, sample)

    @property
    def colours(self) -> LoadColours:
        """Colours from zero to the largest value."""
        return LoadColours.up_to(self.largest, f"{self.what} ({self.unit})")

    @property
    def stations(self) -> Array:
        """Where values are along each link, as fractions of its length."""
        return np.array(self.result.arm.run.load_stations)

    def at_samples(self, samples: NDArray[np.intp] | slice) -> Array:
        """Values at some samples, (k, n_links, stations) in the unit of the colours; NaN where they are not known."""
        return self.factor * _values(self.result, samples)

    def at_times(self, times: Array) -> Array:
        """The same at times (k,) [s], ascending and within the run: straight lines between the samples."""
        sampled = self.result.rows("time", slice(None))
        before = np.clip(np.searchsorted(sampled, times, side="right") - 1, 0, max(sampled.size - 2, 0))
        after = np.minimum(before + 1, sampled.size - 1)
        rows = np.union1d(before, after)
        values = self.at_samples(rows)
        span = np.where(after > before, sampled[after] - sampled[before], 1.0)
        part = ((times - sampled[before]) / span)[:, None, None]
        return (1 - part) * values[np.searchsorted(rows, before)] + part * values[
            np.searchsorted(rows, after)
        ]


def _values(result: Result, samples: NDArray[np.intp] | slice) -> Array:
    if "stress_max" in result:
        return result.rows("stress_max", samples)
    return across(result.rows("section_moment", samples))

"""Reduction of a run, block by block, to what a sweep records of it: scalar measures, and series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.results.schema import STRESS
from flexarm.simulation.forward.run import sample_count, sample_times
from flexarm.simulation.state.recorded_stress import STRESS_SOURCES, StressRecorder, recording_loads
from flexarm.sweeps.measures.load_measures import is_load_measure
from flexarm.sweeps.measures.recorded_quantities import Block, Quantity, quantity
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure, scalar_measures

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Recording:
    """Measures and series to record of every run of a sweep.

    Attributes
    ----------
    measures : list of ScalarMeasure
    series : list of Quantity
    times : (n_times,) [s]
        Common time grid of the series.
    """

    measures: Sequence[ScalarMeasure]
    series: Sequence[Quantity]
    times: Array

    @classmethod
    def of(cls, measures: Sequence[str], series: Sequence[str], horizon: float, arm: Arm) -> Recording:
        """Look up measures and series by name; `horizon` [s] is the duration of the longest run.

        Raises
        ------
        KeyFault
            There is no such measure or quantity.
        """
        longest = arm.model_copy(update={"run": arm.run.model_copy(update={"duration": horizon})})
        times = sample_times(longest, 0, sample_count(longest)) if series else np.empty(0)
        return cls(scalar_measures(measures, arm), [quantity(name, arm) for name in series], times)

    @cached_property
    def datasets(self) -> frozenset[str]:
        """Names of the datasets that the runs have to record, and of those of which `stress_max` is made."""
        found = frozenset(each.dataset for each in (*self.measures, *self.series) if each.dataset)
        return found | STRESS_SOURCES if STRESS in found else found

    def recorded_by(self, arm: Arm) -> Arm:
        """Return an arm whose runs record what is needed: the loads, if a measure is of these."""
        needed = any(is_load_measure(one.name) for one in self.measures)
        return recording_loads(arm) if needed else arm

    def of_failed_run(self) -> tuple[Array, dict[str, Array]]:
        """Return the measures (n_measures,) and series (n_times, ..) by name of a run that failed: NaN throughout."""
        series = {one.name: np.full((self.times.size, *one.shape), np.nan) for one in self.series}
        return np.full(len(self.measures), np.nan), series


class RunReduction:
    """Measures and series of the run of an arm, from its blocks.

    Measures and series of what a run does not have, as friction where its coefficient is 0, are NaN; so are series
    beyond the end of a run that is shorter than others.
    """

    def __init__(self, recording: Recording, arm: Arm):
        self._recording = recording
        self._with_stress = StressRecorder(arm) if STRESS in recording.datasets else None
        _, self._series = recording.of_failed_run()
        self._columns: list[list[Array]] = [[] for _ in recording.measures]
        self._times: list[Array] = []
        self._first = 0

    def add(self, block: Block) -> None:
        """Take in the next samples."""
        if self._with_stress is not None and STRESS not in block:
            block = self._with_stress(block)
        self._times.append(block["time"])
        for pieces, measure in zip(self._columns, self._recording.measures, strict=True):
            if measure.dataset and measure.dataset in block:
                pieces.append(measure.column(block[measure.dataset]))
        for one in self._recording.series:
            if one.dataset in block:
                self._fill(self._series[one.name], one.pick(block[one.dataset]), block)
        self._first += len(block["time"])

    def finish(self, run: Any) -> tuple[Array, dict[str, Array]]:
        """Return the measures (n_measures,) and series (n_times, ..) by name of the run, which has ended.

        `run` is what the measures take: a forward run, or the result of an inverse one.
        """
        times = _joined(self._times)
        numbers = [
            np.nan if measure.dataset and not pieces else measure.reduce(times, _joined(pieces), run)
            for pieces, measure in zip(self._columns, self._recording.measures, strict=True)
        ]
        return np.array(numbers, dtype=float), self._series

    def _fill(self, series: Array, values: Array, block: Block) -> None:
        """Put samples on the common grid; the end of a run may lie between two of its times."""
        grid = self._recording.times[self._first : self._first + len(values)]
        times = block["time"][: grid.size]
        same = times == grid
        series[self._first : self._first + grid.size][same] = values[: grid.size][same]


def _joined(pieces: Sequence[Array]) -> Array:
    return pieces[0] if len(pieces) == 1 else np.concatenate([np.empty(0), *pieces])

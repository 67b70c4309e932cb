"""Forward dynamics of several arms of a family at once, in the lanes of the processor's registers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from flexarm.simulation.forward.free_motion import State, initial_value_problem
from flexarm.simulation.forward.parametric_model import ModelInstance
from flexarm.simulation.forward.run import BLOCK, Run, sample_times
from flexarm.simulation.state.state_equation import StateEquation
from flexarm.solvers.dop853.lanes import Lanes
from flexarm.solvers.dop853.layout import LANES


class Start(NamedTuple):
    """An arm of a family about to move from a state."""

    member: ModelInstance
    state: State


class Batch:
    """At most :data:`~flexarm.solvers.dop853.layout.LANES` runs of a family, each the same whatever the others are.

    Parameters
    ----------
    system : StateEquation
        Of the family.
    starts : sequence of Start
        Of arms without walls, which are integrated by DOP853.

    Attributes
    ----------
    runs : list of Run
        Complete once :meth:`blocks` is exhausted.
    """

    def __init__(self, system: StateEquation, starts: Sequence[Start]):
        members = [start.member for start in starts]
        idle = [members[-1].parameters] * (LANES - len(members))
        self._parameters = np.stack([*(member.parameters for member in members), *idle], axis=1)
        rhs, p = system.lane_rhs.at(self._parameters)
        self._lanes = Lanes(
            [
                initial_value_problem(system, start.member, start.state, rhs, p[:, lane])
                for lane, start in enumerate(starts)
            ]
        )
        self.runs = [
            Run(member, system, integration, message="")
            for member, integration in zip(members, self._lanes.members, strict=True)
        ]

    def blocks(self) -> Iterator[list[dict[str, np.ndarray]]]:
        """Integrate and yield the datasets of every run, block by block; fewer samples where a run has ended."""
        length = BLOCK // LANES  # so that they take no more memory together than one run
        for first in range(0, max(run.n_samples for run in self.runs), length):
            times = self._times(first, first + length)
            began = time.perf_counter()
            states = self._lanes.advance(times)
            seconds = time.perf_counter() - began
            recorded = self.runs[0].system.observe_lanes(times, states, self._parameters)
            block = []
            for lane, run in enumerate(self.runs):
                run.solve_seconds += seconds / len(self.runs)
                run.message = str(run.integration.failure or "")
                filled = self._lanes.members[lane].filled
                datasets = {"time": times[:, lane], **recorded[lane]}
                block.append({name: values[:filled] for name, values in datasets.items()})
            yield block
        for run in self.runs:
            run.status = "incomplete" if run.message else "complete"

    def _times(self, first: int, stop: int) -> np.ndarray:
        """Times of the samples first..stop-1 of all runs, (k, LANES) [s]; NaN where a run has none."""
        own = [sample_times(run.member.arm, first, min(stop, run.n_samples)) for run in self.runs]
        times = np.full((max(map(len, own)), LANES), np.nan)
        for lane, (run, column) in enumerate(zip(self.runs, own, strict=True)):
            if not run.message:
                times[: len(column), lane] = column
        return times

"""Forward dynamics of several instances of a model at once, in the lanes of the processor's registers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from flexarm.simulation.forward.free_motion import initial_value_problem
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel
from flexarm.simulation.forward.run import BLOCK, ForwardRun, sample_times
from flexarm.simulation.state.initial_state import InitialState
from flexarm.solvers.dop853.lanes import Lanes
from flexarm.solvers.dop853.layout import LANES


class BatchItem(NamedTuple):
    """An instance of a model and its initial state."""

    instance: ModelInstance
    initial: InitialState


class Batch:
    """At most :data:`~flexarm.solvers.dop853.layout.LANES` runs of one model, each the same whatever the others are.

    Parameters
    ----------
    model : ParametricModel
    items : sequence of BatchItem
        Of arms without walls and limits, which are integrated by DOP853.

    Attributes
    ----------
    runs : list of ForwardRun
        Complete once :meth:`blocks` is exhausted.
    """

    def __init__(self, model: ParametricModel, items: Sequence[BatchItem]):
        state_equation = self._equations = model.state_equation
        instances = [item.instance for item in items]
        idle = [instances[-1].parameters] * (LANES - len(instances))
        self._parameters = np.stack([*(instance.parameters for instance in instances), *idle], axis=1)
        rhs, p = state_equation.lane_rhs.at(self._parameters)
        self._lanes = Lanes(
            [initial_value_problem(model, *item, rhs, p[:, lane]) for lane, item in enumerate(items)]
        )
        self.runs = [
            ForwardRun(instance, state_equation, integration, message="")
            for instance, integration in zip(instances, self._lanes.integrations, strict=True)
        ]

    def blocks(self) -> Iterator[list[dict[str, np.ndarray]]]:
        """Integrate and yield the datasets (k, ..) of every run, block by block; smaller k where a run has ended."""
        length = BLOCK // LANES  # so that they take no more memory together than one run
        for first in range(0, max(run.n_samples for run in self.runs), length):
            times = self._times(first, first + length)
            began = time.perf_counter()
            states = self._lanes.advance(times)
            seconds = time.perf_counter() - began
            evaluated = self._lanes.within(times)
            recorded = self._equations.observe_lanes(evaluated, states, self._parameters)
            block = []
            for lane, run in enumerate(self.runs):
                run.solve_seconds += seconds / len(self.runs)
                run.message = str(run.integration.failure or "")
                filled = self._lanes.integrations[lane].filled
                datasets = {"time": times[:, lane], **recorded[lane]}
                block.append({name: values[:filled] for name, values in datasets.items()})
            yield block
        for run in self.runs:
            run.status = "incomplete" if run.message else "complete"

    def _times(self, first: int, stop: int) -> np.ndarray:
        """Times of the samples first..stop-1 of all runs, (k, LANES) [s]; NaN where a run has none."""
        own = [sample_times(run.instance.arm, first, min(stop, run.n_samples)) for run in self.runs]
        times = np.full((max(map(len, own)), LANES), np.nan)
        for lane, (run, column) in enumerate(zip(self.runs, own, strict=True)):
            if not run.message:
                times[: len(column), lane] = column
        return times

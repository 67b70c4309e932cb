"""Chunks of a sweep: what a worker is given, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.sweeps.execution.point_result import PointResult, failed
from flexarm.sweeps.execution.run_kinds import FORWARD, RunKind, Runner
from flexarm.sweeps.measures.run_reduction import Recording
from flexarm.sweeps.parameters.variation import Variation


@dataclass(frozen=True)
class WorkerTask:
    """Everything that a worker has to know of a sweep but the points; small, hashable, easily sent.

    Attributes
    ----------
    text : str
        Description of the arm.
    keys : tuple of str
    measures, series : tuple of str
        Names of what is recorded.
    representatives : tuple of tuple of float
        Values of the keys at some points, between which everything changes that changes in the sweep: the parametric
        model is made of them. Chosen by the sweep alone, so that no number depends on which points are computed
        together.
    horizon : float [s]
        Duration of the longest run: series have one row for each of its samples.
    texts : tuple of (str, tuple of str)
        Keys whose values are numbers of expressions, counted from 1, and these.
    kind : RunKind
        What is computed at every point.
    """

    text: str
    keys: tuple[str, ...]
    measures: tuple[str, ...]
    series: tuple[str, ...]
    representatives: tuple[tuple[float, ...], ...]
    horizon: float
    texts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: RunKind = FORWARD


@dataclass(frozen=True)
class Chunk:
    """Points computed by one call, and how long that took.

    Attributes
    ----------
    points : (k,) int
        Their numbers.
    results : list of PointResult
    seconds : float
    """

    points: NDArray[np.intp]
    results: list[PointResult]
    seconds: float


def run_chunk(task: WorkerTask, points: NDArray[np.intp], values: NDArray[np.float64]) -> Chunk:
    """Compute some points of a sweep.

    Parameters
    ----------
    task : WorkerTask
    points : (k,) int
        Their numbers.
    values : (k, n_keys)
        Values of the keys at each of them.
    """
    began = perf_counter()
    variation, recording, run = _prepared(task)
    results: dict[int, PointResult] = {}
    arms: dict[int, Arm] = {}
    for k, row in enumerate(values.tolist()):
        try:
            arms[k] = task.kind.ready(variation.arm(row))
        except FlexarmError as fault:
            results[k] = failed(recording, str(fault))
    results |= zip(arms, run(list(arms.values())), strict=True)
    return Chunk(points, [results[k] for k in range(len(points))], perf_counter() - began)


@lru_cache(maxsize=4)
def _prepared(task: WorkerTask) -> tuple[Variation, Recording, Runner]:
    """Read a task, and prepare its runs, once in every worker."""
    variation = Variation(task.text, task.keys, dict(task.texts))
    recording = task.kind.recording(task.measures, task.series, task.horizon, variation.base)
    return variation, recording, task.kind.runner(variation, task.representatives, recording)

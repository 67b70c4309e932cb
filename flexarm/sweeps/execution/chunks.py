"""Chunks of a sweep: what a worker is given, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.errors import FlexarmError, SpecError
from flexarm.simulation.forward.parametric_model import ParametricModel, StructureMismatch
from flexarm.sweeps.execution.points import PointResult, failed, run_points
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
    """

    text: str
    keys: tuple[str, ...]
    measures: tuple[str, ...]
    series: tuple[str, ...]
    representatives: tuple[tuple[float, ...], ...]
    horizon: float
    texts: tuple[tuple[str, tuple[str, ...]], ...] = ()


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
    variation, recording, model = _prepared(task)
    results: dict[int, PointResult] = {}
    arms: dict[int, Arm] = {}
    for k, row in enumerate(values.tolist()):
        try:
            arms[k] = variation.arm(row)
        except FlexarmError as fault:
            results[k] = failed(recording, str(fault))
    results |= zip(arms, run_points(list(arms.values()), recording, model), strict=True)
    return Chunk(points, [results[k] for k in range(len(points))], perf_counter() - began)


@lru_cache(maxsize=4)
def _prepared(task: WorkerTask) -> tuple[Variation, Recording, ParametricModel | None]:
    """Read a task, and derive its parametric model, once in every worker."""
    variation = Variation(task.text, task.keys, dict(task.texts))
    recording = Recording.of(task.measures, task.series, task.horizon, variation.base)
    return variation, recording, _parametric_model(variation, task.representatives, recording)


def _parametric_model(
    variation: Variation, representatives: Sequence[Sequence[float]], recording: Recording
) -> ParametricModel | None:
    """Derive the model of all arms of a sweep; None if they differ in more than numbers."""
    arms: list[Arm] = []
    for values in representatives:
        with suppress(SpecError):  # such points fail when they are computed
            arms.append(variation.arm(values))
    try:
        return ParametricModel(arms, recording.datasets) if arms else None
    except (StructureMismatch, FlexarmError):
        return None

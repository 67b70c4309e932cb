"""The one place where the points of a sweep are computed: in a worker, a chunk of them at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.catalogue import METHODS
from flexarm.description.arm.arm import Arm
from flexarm.errors import FlexarmError, SpecError
from flexarm.simulation.forward.batch import Batch, BatchItem
from flexarm.simulation.forward.free_motion import initial_states
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel, StructureMismatch
from flexarm.simulation.forward.run import ForwardRun
from flexarm.simulation.forward.simulate import prepare_run
from flexarm.simulation.state.state_equation import StateEquation
from flexarm.solvers.dop853.layout import LANES
from flexarm.sweeps.measures.recorded_quantities import Block
from flexarm.sweeps.measures.run_reduction import Recording, RunReduction
from flexarm.sweeps.parameters.variation import Variation


@dataclass(frozen=True)
class PointResult:
    """What became of one point.

    Attributes
    ----------
    records : (n_records,)
        NaN if the point failed.
    series : dict
        Name -> (n_times, ..).
    reason : str
        Why the point failed; empty if it did not.
    """

    records: NDArray[np.float64]
    series: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    reason: str = ""


def run_points(
    arms: Sequence[Arm], recording: Recording, family: ParametricModel | None
) -> list[PointResult]:
    """Simulate arms and keep what is recorded of them; a failure stays with its own point.

    Arms of the family move side by side if they can; those that do not belong to it have equations derived for them
    alone.
    """
    outcomes: dict[int, PointResult] = {}
    members: dict[int, ModelInstance] = {}
    for k, arm in enumerate(arms):
        try:
            if member := _member(arm, family):
                members[k] = member
            else:
                outcomes[k] = _alone(arm, recording, family)
        except Exception as failure:  # whatever happens at one point, the others go on
            outcomes[k] = _failed_by(failure, recording)
    if family is not None and members:
        outcomes |= zip(members, _together(family, list(members.values()), recording), strict=True)
    return [outcomes[k] for k in range(len(arms))]


def _member(arm: Arm, family: ParametricModel | None) -> ModelInstance | None:
    """An arm as a member of the family, if it can move beside others of it."""
    if family is None or arm.contact is not None or not METHODS[arm.run.method].has_lanes:
        return None
    try:
        return family.instance(arm)
    except StructureMismatch:
        return None


def _together(
    family: ParametricModel, members: Sequence[ModelInstance], recording: Recording
) -> list[PointResult]:
    """Simulate arms of a family, as many at a time as there are lanes."""
    try:
        states = initial_states(family, members)
    except Exception as failure:  # there are no equations for any of them
        return [_failed_by(failure, recording)] * len(members)
    outcomes: dict[int, PointResult] = {}
    starts: dict[int, BatchItem] = {}
    for k, (member, state) in enumerate(zip(members, states, strict=True)):
        if isinstance(state, Exception):
            outcomes[k] = _failed_by(state, recording)
        else:
            starts[k] = BatchItem(member, state)
    # arms that are alike take about as many steps, so that no lane waits long
    places = sorted(starts, key=lambda k: starts[k].instance.parameters.tolist())
    for first in range(0, len(places), LANES):
        block = places[first : first + LANES]
        found = _side_by_side(family.state_equation, [starts[k] for k in block], recording)
        outcomes |= zip(block, found, strict=True)
    return [outcomes[k] for k in range(len(members))]


def _side_by_side(
    system: StateEquation, starts: Sequence[BatchItem], recording: Recording
) -> list[PointResult]:
    kept: list[RunReduction | PointResult] = [RunReduction(recording) for _ in starts]
    try:
        batch = Batch(system, starts)
        for blocks in batch.blocks():
            kept = [_with_block(one, block, recording) for one, block in zip(kept, blocks, strict=True)]
    except Exception as failure:
        return [_failed_by(failure, recording)] * len(starts)
    return [
        one if isinstance(one, PointResult) else _outcome(one, run, recording)
        for one, run in zip(kept, batch.runs, strict=True)
    ]


def _with_block(
    kept: RunReduction | PointResult, block: Block, recording: Recording
) -> RunReduction | PointResult:
    """Add a block to what is kept of a run, unless that has failed or fails now."""
    try:
        if isinstance(kept, RunReduction):
            kept.add(block)
    except Exception as failure:
        return _failed_by(failure, recording)
    return kept


def _alone(arm: Arm, recording: Recording, family: ParametricModel | None) -> PointResult:
    try:
        run = prepare_run(arm, model=family)
    except StructureMismatch:
        run = prepare_run(arm)
    kept = RunReduction(recording)
    for block in run.blocks():
        kept.add(block)
    return _outcome(kept, run, recording)


def _outcome(kept: RunReduction, run: ForwardRun, recording: Recording) -> PointResult:
    if run.status == "incomplete":
        return failed(recording, run.message)
    try:
        return PointResult(*kept.of(run))
    except Exception as failure:
        return _failed_by(failure, recording)


def _failed_by(failure: Exception, recording: Recording) -> PointResult:
    known = isinstance(failure, FlexarmError)
    return failed(
        recording, str(failure) if known else f"internal error: {type(failure).__name__}: {failure}"
    )


def failed(recording: Recording, reason: str) -> PointResult:
    """The outcome of a point that failed."""
    return PointResult(*recording.nothing(), reason=" ".join(reason.split()))


@dataclass(frozen=True)
class WorkerTask:
    """Everything that a worker has to know of a sweep but the points; small, hashable, easily sent.

    Attributes
    ----------
    text : str
        Description of the arm.
    keys : tuple of str
    records, series : tuple of str
    representatives : tuple of tuple of float
        Values of the keys at some points, between which everything changes that changes in the sweep: the family is
        made of them. Chosen by the sweep alone, so that no number depends on which points are computed together.
    horizon : float [s]
        Duration of the longest run: series have one row for each of its samples.
    """

    text: str
    keys: tuple[str, ...]
    records: tuple[str, ...]
    series: tuple[str, ...]
    representatives: tuple[tuple[float, ...], ...]
    horizon: float


@dataclass(frozen=True)
class Chunk:
    """Points computed by one call, and how long that took.

    Attributes
    ----------
    points : (k,) int
        Their numbers.
    outcomes : list of PointResult
    seconds : float
    """

    points: NDArray[np.intp]
    outcomes: list[PointResult]
    seconds: float


def run_chunk(study: WorkerTask, points: NDArray[np.intp], values: NDArray[np.float64]) -> Chunk:
    """Compute some points of a sweep.

    Parameters
    ----------
    study : WorkerTask
    points : (k,) int
        Their numbers.
    values : (k, n_keys)
        What the keys are at each of them.
    """
    began = perf_counter()
    variation, recording, family = _opened(study)
    outcomes: dict[int, PointResult] = {}
    arms: dict[int, Arm] = {}
    for k, row in enumerate(values.tolist()):
        try:
            arms[k] = variation.arm(row)
        except FlexarmError as fault:
            outcomes[k] = failed(recording, str(fault))
    outcomes |= zip(arms, run_points(list(arms.values()), recording, family), strict=True)
    return Chunk(points, [outcomes[k] for k in range(len(points))], perf_counter() - began)


@lru_cache(maxsize=4)
def _opened(study: WorkerTask) -> tuple[Variation, Recording, ParametricModel | None]:
    """What a study means; read, and its family derived, once in every worker."""
    variation = Variation(study.text, study.keys)
    recording = Recording.of(study.records, study.series, study.horizon, variation.base)
    return variation, recording, _family(variation, study.representatives, recording)


def _family(
    variation: Variation, representatives: Sequence[Sequence[float]], recording: Recording
) -> ParametricModel | None:
    """The family of the arms of a sweep; None if they differ in more than numbers."""
    arms: list[Arm] = []
    for values in representatives:
        with suppress(SpecError):  # such points fail when they are computed
            arms.append(variation.arm(values))
    try:
        return ParametricModel(arms, recording.datasets) if arms else None
    except (StructureMismatch, FlexarmError):
        return None

"""The one place where the points of a sweep are computed: in a worker, a chunk of them at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import FlexarmError, SpecError
from flexarm.simulation.family import Family, Stranger
from flexarm.simulation.flight import prepare_flight
from flexarm.simulation.forward import ForwardRun, prepare
from flexarm.spec.arm import Arm
from flexarm.sweeps.recording import Recording
from flexarm.sweeps.variation import Variation


@dataclass(frozen=True)
class Outcome:
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


def run_points(arms: Sequence[Arm], recording: Recording, family: Family | None) -> list[Outcome]:
    """Simulate arms and keep what is recorded of them; a failure stays with its own point.

    Arms that do not belong to the family have equations derived for them alone.
    """
    return [_run_point(arm, recording, family) for arm in arms]


def _run_point(arm: Arm, recording: Recording, family: Family | None) -> Outcome:
    try:
        kept = recording.keep(run := _prepared(arm, family))
    except FlexarmError as failure:
        return failed(recording, str(failure))
    except Exception as failure:  # whatever happens at one point, the others go on
        return failed(recording, f"internal error: {type(failure).__name__}: {failure}")
    return failed(recording, run.message) if run.status == "incomplete" else Outcome(*kept)


def _prepared(arm: Arm, family: Family | None) -> ForwardRun:
    begin = prepare_flight if arm.contact is not None else prepare
    try:
        return begin(arm, family=family)
    except Stranger:
        return begin(arm)


def failed(recording: Recording, reason: str) -> Outcome:
    """The outcome of a point that failed."""
    return Outcome(*recording.nothing(), reason=" ".join(reason.split()))


@dataclass(frozen=True)
class Study:
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
    outcomes : list of Outcome
    seconds : float
    """

    points: NDArray[np.intp]
    outcomes: list[Outcome]
    seconds: float


def run_chunk(study: Study, points: NDArray[np.intp], values: NDArray[np.float64]) -> Chunk:
    """Compute some points of a sweep.

    Parameters
    ----------
    study : Study
    points : (k,) int
        Their numbers.
    values : (k, n_keys)
        What the keys are at each of them.
    """
    began = perf_counter()
    variation, recording, family = _opened(study)
    outcomes: dict[int, Outcome] = {}
    arms: dict[int, Arm] = {}
    for k, row in enumerate(values.tolist()):
        try:
            arms[k] = variation.arm(row)
        except FlexarmError as fault:
            outcomes[k] = failed(recording, str(fault))
    outcomes |= zip(arms, run_points(list(arms.values()), recording, family), strict=True)
    return Chunk(points, [outcomes[k] for k in range(len(points))], perf_counter() - began)


@lru_cache(maxsize=4)
def _opened(study: Study) -> tuple[Variation, Recording, Family | None]:
    """What a study means; read, and its family derived, once in every worker."""
    variation = Variation(study.text, study.keys)
    recording = Recording.of(study.records, study.series, study.horizon, variation.base)
    return variation, recording, _family(variation, study.representatives)


def _family(variation: Variation, representatives: Sequence[Sequence[float]]) -> Family | None:
    """The family of the arms of a sweep; None if they differ in more than numbers."""
    arms: list[Arm] = []
    for values in representatives:
        with suppress(SpecError):  # such points fail when they are computed
            arms.append(variation.arm(values))
    try:
        return Family(arms) if arms else None
    except (Stranger, FlexarmError):
        return None

"""Numbers of segments that a description leaves open, as the motion asks for them: by trial runs.

The first numbers come from statics and the first mode, which do not know the motion. Trial runs with loose tolerances
show how far the links bend. Links of far too few segments bend differently, most often too far; with a third of what
they need they bend as they should, to some per cent. So one trial has a third of the first numbers, and a second one,
if that was too coarse, a third of what the first asks for.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link.link import MOST_SEGMENTS
from flexarm.description.reading.loader import has_chosen_segments, with_segments
from flexarm.errors import FlexarmError
from flexarm.formulations.derivation_cost import check_derivation
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.forward.parametric_model import ParametricModel, StructureMismatch
from flexarm.simulation.forward.segments.trial_run import run_trial
from flexarm.simulation.validity.needed_segments import needed_segments

LOG = logging.getLogger(__name__)

MOST_TRIALS = 2
COARSER = 3
"""Times fewer segments than a run has a trial: they turn by 0.6 rad instead of 0.2, and cost a twentieth."""

Numbers = Mapping[int, int]


class SuitedArm(NamedTuple):
    """An arm with the numbers of segments that its motion asks for.

    Attributes
    ----------
    arm : Arm
    model : ParametricModel or None
        Its equations, if a trial has derived them.
    """

    arm: Arm
    model: ParametricModel | None = None


class _Trial(NamedTuple):
    """Trial of some arms: numbers tried and asked for, by link, how far it came [s], and the equations of the first."""

    tried: Numbers
    asked: Numbers
    reached: float
    complete: bool
    model: ParametricModel


def _itself(arm: Arm) -> Sequence[Arm]:
    return [arm]


def segments_in_motion(arm: Arm, variations: Callable[[Arm], Sequence[Arm]] = _itself) -> SuitedArm:
    """Choose the segments that a description leaves open by trial runs; numbers that it gives stay as they are.

    The first numbers stay where a trial fails, or more need more memory than there is, and count beside those of a
    trial that does not reach the end of the motion. What was chosen is logged in one line if it differs from them.

    Parameters
    ----------
    arm : Arm
    variations : callable, optional
        From the arm to those whose motions count, at least one; the arm itself unless given.
    """
    if not has_chosen_segments(arm):
        return SuitedArm(arm)
    began, first = perf_counter(), _numbers(arm)
    asked, trial, count = first, None, 0
    try:
        for trials in range(1, MOST_TRIALS + 1):
            coarse = {link: math.ceil(n / COARSER) for link, n in asked.items()}
            if trial is not None and all(n <= trial.tried[link] for link, n in coarse.items()):
                break
            trial, count = _try(variations(_with(arm, coarse)), coarse), trials
            asked = trial.asked if trial.complete else _larger(first, trial.asked)
        assert trial is not None
        suited = _with(arm, asked)
        check_derivation(build_chain(suited), arm.run.formulation)
    except (FlexarmError, np.linalg.LinAlgError, MemoryError) as fault:
        if trial is not None:  # otherwise the run itself says what is wrong
            reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
            LOG.info(f"segments: auto stays at {_listed(first)}; {_listed(asked)} as in motion: {reason}")
        return SuitedArm(arm)
    if asked != first or not trial.complete:
        remark = "" if trial.complete else f", the last up to t = {trial.reached:.3g} s"
        LOG.info(
            f"segments: auto takes {_listed(asked)} instead of {_listed(first)}, as its links bend in motion "
            f"({count} trial run{'s' * (count > 1)} in {perf_counter() - began:.2g} s{remark})"
        )
    return SuitedArm(suited, trial.model if asked == trial.tried else None)


def _try(arms: Sequence[Arm], tried: Numbers) -> _Trial:
    """Run trials of some arms that have these numbers, and ask for those that suit all of their motions."""
    try:
        models = [ParametricModel(arms)] * len(arms)
    except StructureMismatch:
        models = [ParametricModel([one]) for one in arms]
    asked, reached, complete = dict.fromkeys(tried, 1), math.inf, True
    for one, model in zip(arms, models, strict=True):
        trial = run_trial(one, model)
        needed = needed_segments(one, model.instance(one).chain, trial.theta)
        asked = _larger(asked, {link: min(needed[link], MOST_SEGMENTS) for link in tried})
        reached, complete = min(reached, trial.reached), complete and trial.reached >= one.run.duration
    return _Trial(tried, asked, reached, complete, models[0])


def _larger(some: Numbers, others: Numbers) -> dict[int, int]:
    return {link: max(n, others[link]) for link, n in some.items()}


def _numbers(arm: Arm) -> Numbers:
    """Numbers of segments that are left open, by link from 0."""
    return {choice.link: arm.links[choice.link].segments for choice in arm.segment_choices}


def _with(arm: Arm, numbers: Numbers) -> Arm:
    return arm if numbers == _numbers(arm) else with_segments(arm, numbers)


def _listed(numbers: Numbers) -> str:
    return ", ".join(map(str, numbers.values()))

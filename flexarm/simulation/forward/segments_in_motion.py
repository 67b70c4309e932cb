"""Numbers of segments that a description leaves open, as the motion asks for them: by trial runs.

The first numbers come from statics and the first mode, which do not know the motion. A trial run with loose tolerances
shows how far the links bend. Where a segment would turn too far, links of too few segments bend differently, most often
too far; so a second trial, in which they are about right, says how many the run in earnest takes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from math import ceil
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
from flexarm.simulation.forward.trial_run import run_trial
from flexarm.simulation.validity.needed_segments import needed_segments

LOG = logging.getLogger(__name__)

COARSER = 3
"""Times fewer segments than the first trial asks for has the second: their turns of 0.6 rad bend the links as those of
0.2 rad do to some per cent, for a twentieth of the cost."""

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
    """What a trial asks for: numbers by link, why it ended early, and the equations of the first of its arms."""

    numbers: Numbers
    remark: str
    model: ParametricModel


def _itself(arm: Arm) -> Sequence[Arm]:
    return [arm]


def segments_in_motion(arm: Arm, variations: Callable[[Arm], Sequence[Arm]] = _itself) -> SuitedArm:
    """Choose the segments that a description leaves open by trial runs; numbers that it gives stay as they are.

    They become no fewer than the first choice, and stay if more need more memory than there is. What was chosen is
    logged in one line if it differs from the first choice.

    Parameters
    ----------
    arm : Arm
    variations : callable, optional
        From the arm to those whose motions count, at least one; the arm itself unless given.

    Raises
    ------
    ModelError
        The arm cannot start.
    """
    if not has_chosen_segments(arm):
        return SuitedArm(arm)
    began, first = perf_counter(), _numbers(arm)
    trial = _try(variations(arm), first)
    if trial.numbers == first:
        if trial.remark:
            LOG.info(f"segments: auto takes {_listed(first)}; the trial run {trial.remark}")
        return SuitedArm(arm, trial.model)
    try:
        middle = {link: max(first[link], ceil(n / COARSER)) for link, n in trial.numbers.items()}
        suited = with_segments(arm, middle)
        trial = _try(variations(suited), first)
        found = SuitedArm(suited, trial.model)
        if trial.numbers != middle:
            found = SuitedArm(with_segments(arm, trial.numbers))
            check_derivation(build_chain(found.arm), arm.run.formulation)
    except (FlexarmError, np.linalg.LinAlgError, MemoryError) as fault:
        reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        LOG.info(
            f"segments: auto stays at {_listed(first)}, though its links bend farther in motion: {reason}"
        )
        return SuitedArm(arm)
    LOG.info(
        f"segments: auto takes {_listed(trial.numbers)} instead of {_listed(first)}, as its links bend in motion "
        f"(2 trial runs in {perf_counter() - began:.2g} s{f'; the last one {trial.remark}' if trial.remark else ''})"
    )
    return found


def _try(arms: Sequence[Arm], least: Numbers) -> _Trial:
    """Run trials of some arms, and ask for the numbers of segments that suit all of their motions."""
    try:
        models = [ParametricModel(arms)] * len(arms)
    except StructureMismatch:
        models = [ParametricModel([one]) for one in arms]
    enough, remark = dict(least), ""
    for one, model in zip(arms, models, strict=True):
        trial = run_trial(one, model)
        needed = needed_segments(one, model.instance(one).chain, trial.theta)
        enough = {link: max(n, min(needed[link], MOST_SEGMENTS)) for link, n in enough.items()}
        if trial.reached < one.run.duration:
            remark = f"ended at t = {trial.reached:.3g} s"
    return _Trial(enough, remark, models[0])


def _numbers(arm: Arm) -> Numbers:
    """Numbers of segments that are left open, by link from 0."""
    return {choice.link: arm.links[choice.link].segments for choice in arm.segment_choices}


def _listed(numbers: Numbers) -> str:
    return ", ".join(map(str, numbers.values()))

"""Convergence of a run: the error of a description as given, and a description that is accurate at the least cost."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.analysis.convergence.economy import accurate_enough, cheapest, seek_cheapest
from flexarm.analysis.convergence.reference import Reference, ReferenceSearch
from flexarm.analysis.convergence.study import Study
from flexarm.analysis.convergence.trial import Interrupted, Trial
from flexarm.arguments import check_number, check_object
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.loader import parse_arm
from flexarm.errors import ModelError, SolverError
from flexarm.progress import Progress
from flexarm.simulation.forward.segments.segments_in_motion import segments_in_motion

LIMIT = 300.0
"""Time for all refinements [s]."""
UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6}
SENSITIVE = 1e4
"""Growth of the tolerance into the tip, over the links' length, from which on a motion counts as sensitive."""


@dataclass(frozen=True)
class Convergence:
    """What refining a run has shown.

    Attributes
    ----------
    arm : Arm
        As described.
    accuracy : float [m]
        Wanted for the tip.
    trials : tuple of Trial
        All runs in their order, the first one as described.
    failures : tuple of Trial
        Refinements that failed or would have taken too long.
    reference : Reference
        The finest run, and its own error.
    cheapest : Trial or None
        The cheapest run that is accurate enough.
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    arm: Arm
    accuracy: float
    trials: tuple[Trial, ...]
    failures: tuple[Trial, ...]
    reference: Reference
    cheapest: Trial | None
    interrupted: bool = False

    @property
    def length(self) -> float:
        """Length of the longest link [m], to which an accuracy without unit refers; 1 m if all have length 0."""
        return _longest(self.arm)

    @property
    def known(self) -> bool:
        """Whether the estimate can be relied on."""
        return self.reference.converged

    @cached_property
    def estimate(self) -> float:
        """Estimate of the largest error of the tip of the arm as described [m]; infinite where nothing is known."""
        return self.trials[0].distance(self.reference.trial) + self.reference.rest

    @property
    def description(self) -> str:
        """YAML text of the cheapest description; empty if there is none."""
        return self.cheapest.arm.text if self.cheapest else ""

    @cached_property
    def agreement(self) -> float:
        """Time [s] until which the arm as described stays within the accuracy of the finest run."""
        apart = np.linalg.norm(self.trials[0].tip - self.reference.trial.tip, axis=-1) > self.accuracy
        run = self.arm.run
        return min(float(apart.argmax()) * run.sample, run.duration) if apart.any() else run.duration

    @cached_property
    def sensitivity(self) -> float:
        """Change of the tip by the tolerances of the description, over the links' length and rtol."""
        change = self.reference.differences.get("tolerances", 0.0)
        return change / (self.length * self.arm.run.rtol)

    @property
    def sensitive(self) -> bool:
        """Whether the motion does not converge and enlarges small errors, as a chaotic one does."""
        return not self.known and self.sensitivity > SENSITIVE


def converge(
    arm: Arm, accuracy: float | str = 1e-3, *, limit: float = LIMIT, progress: Progress | None = None
) -> Convergence:
    """Estimate the error of a run by refining it, and find the cheapest description that is accurate enough.

    Parameters
    ----------
    arm : Arm
        As read from its description; with `segments: auto` the run has as many as :func:`flexarm.simulate` takes.
    accuracy : float or str
        Largest error of the tip over the run: a part of the length of the longest link, or a length such as
        ``"0.1 mm"``.
    limit : float [s]
        Time for all refinements; those that would take longer are not tried.
    progress : callable, optional
        Called with the fraction of the limit that is used and the simulated time. If it raises KeyboardInterrupt, what
        is known until then is returned.

    Raises
    ------
    ModelError
        The accuracy is no length, or the arm was changed after it was read.
    SolverError
        The run as described does not come to its end.

    Notes
    -----
    Segments are doubled, one mode is added in each direction, tolerances are divided by 100, each from the finest run
    so far, and the refinement that changes the tip most is kept. The reference is the finest run; a quarter of its
    last change and what the other refinements change are its own error. Families that carry no load at the tip are
    replaced by craig-bampton modes, since only those converge with segments.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> bool(flexarm.converge(arm, accuracy="10 mm").estimate < 0.01)
    True
    """
    check_object("arm", arm, Arm)
    check_number("limit", limit, above=0)
    tolerance = _metres(accuracy, _longest(arm))
    if not arm.text or parse_arm(arm.text) != arm:
        raise ModelError(
            f"{arm.name}: was changed after it was read, so its description is out of date",
            hint="change the text and use parse_arm",
        )
    study = Study(segments_in_motion(arm).arm, limit, progress)
    try:
        start = study.first()
    except Interrupted:
        raise KeyboardInterrupt from None
    if start.failure:
        raise SolverError(f"{arm.name}: the run as described fails: {start.failure}")
    search, interrupted, best = ReferenceSearch(study, start, tolerance), False, None
    try:
        reference = search.run()
        if reference.converged or accurate_enough(reference.trial, reference, tolerance):
            best = seek_cheapest(study, reference, tolerance)
    except (Interrupted, KeyboardInterrupt):
        reference, interrupted = search.reference, True
        if not reference.converged:
            reference = search.interrupted()
        best = cheapest(study, reference, tolerance)
    return Convergence(
        study.arm, tolerance, tuple(study.trials), tuple(study.failures), reference, best, interrupted
    )


def _longest(arm: Arm) -> float:
    return max(link.length for link in arm.links) or arm.reach


def _metres(accuracy: float | str, length: float) -> float:
    """Accuracy in metres, from a part of a length or from a text with a unit."""
    text = str(accuracy).strip()
    found = re.fullmatch(rf"(\S+?)\s*({'|'.join(UNITS)})?", text)
    try:
        value = float(found[1]) if found else math.nan
    except ValueError:
        value = math.nan
    metres = value * (UNITS[found[2]] if found and found[2] else length)
    if not 0 < metres < math.inf:
        raise ModelError(
            f"got the accuracy {text!r}, expected a part of the longest link's length such as 1e-3, or a length "
            f'such as "0.1 mm" ({", ".join(UNITS)})'
        )
    return metres

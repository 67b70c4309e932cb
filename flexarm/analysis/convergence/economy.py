"""The cheapest resolution that is accurate enough: coarsened step by step as long as the error allows."""

from __future__ import annotations

from flexarm.analysis.convergence.reference import Reference
from flexarm.analysis.convergence.study import Study
from flexarm.analysis.convergence.trial import Trial

HOPELESS = 1.5
"""Error, of the accuracy, of a run from which on nothing coarser is tried."""


def accurate_enough(trial: Trial, reference: Reference, accuracy: float) -> bool:
    """Whether the error of a run, that of the reference included, is at most the accuracy [m]."""
    return trial.distance(reference.trial) + reference.rest <= accuracy


def cheapest(study: Study, reference: Reference, accuracy: float) -> Trial | None:
    """Cheapest run known that is accurate enough; None if there is none."""
    fitting = [one for one in study.trials if accurate_enough(one, reference, accuracy)]
    return min(fitting, key=lambda one: one.operations, default=None)


def seek_cheapest(study: Study, reference: Reference, accuracy: float) -> Trial | None:
    """Coarsen the cheapest run that is accurate enough until every coarser one is not."""
    best = cheapest(study, reference, accuracy)
    while best is not None:
        for resolution in best.resolution.coarser():
            if any(
                _hopeless(one, reference, accuracy) and one.resolution.covers(resolution)
                for one in study.trials
            ):
                continue
            trial = study.trial("coarser", resolution)
            if trial and trial.operations < best.operations and accurate_enough(trial, reference, accuracy):
                best = trial
                break
        else:
            return best
    return None


def _hopeless(trial: Trial, reference: Reference, accuracy: float) -> bool:
    return trial.distance(reference.trial) > HOPELESS * accuracy

"""What came out of a search, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.identification.searching.fit_problem import Evaluation, FitProblem
from flexarm.identification.searching.search import Best
from flexarm.identification.searching.starts import Searched
from flexarm.identification.small_motions.modal_target import ModalTarget
from flexarm.identification.small_motions.response_target import ResponseTarget
from flexarm.identification.unknowns import Unknown
from flexarm.identification.worth.certainty import Certainty, certainty, in_words
from flexarm.identification.worth.fitted_series import FittedResponse, FittedRun
from flexarm.identification.worth.goodness import ColumnFit, column_fit
from flexarm.identification.worth.identification import Identification
from flexarm.sweeps.parameters.replacement import expressions_at, replace

LEVEL = 0.975
"""Part of all that is below the upper end of an interval."""
UNFINISHED = "the search was ended before it came to rest: start closer, or fit fewer numbers"
SHORT = 0.3
"""Distance from the least squares, in standard errors, at which a search that met an obstacle has not arrived."""
AT_BOUND = 1e-3
"""Distance from a bound, in scales and logarithms and of the distance between both, that is at it."""
WRITTEN = 1e-2
"""Part of a standard error to which a fitted number is written."""


def identification(
    arm: Arm,
    problem: FitProblem,
    given: np.ndarray,
    searched: Searched,
    checks: Sequence[tuple[FittedRun, tuple[ColumnFit, ...]]],
    command: str,
) -> Identification:
    """Result of a search.

    Parameters
    ----------
    given : (c,)
        Noise of the columns, NaN where it was estimated.
    command : str
        What asked for the fit.
    """
    best, unknowns = searched.best, problem.unknowns
    assert best.found is not None
    residuals, jacobian = problem.residuals(best.found, best.noise)
    free = residuals.size - len(unknowns)
    variance = _variance(problem, given, residuals, free)
    sure = certainty(jacobian, variance)
    values = np.array(problem.values_at(best.x))
    slopes = np.array([one.slope(value) for one, value in zip(unknowns, values, strict=True)])
    deviations = np.where(sure.known, np.sqrt(np.diag(sure.covariance)), np.nan)
    reach = _quantile(free) * deviations
    ends = np.array([problem.values_at(best.x + side * reach) for side in (-1, 1)]).T
    return Identification(
        arm=fitted_arm(arm, unknowns, values, np.abs(slopes) * deviations),
        names=tuple(one.name for one in unknowns),
        units=tuple(one.unit for one in unknowns),
        start=np.array([one.start for one in unknowns]),
        values=values,
        standard_errors=np.abs(slopes) * deviations,
        intervals=np.sort(ends, axis=1),
        correlation=sure.correlation,
        known=sure.known,
        remarks=(
            *(in_words(change, unknowns, list(values)) for change in sure.undetermined),
            *_at_bounds(problem, best.x),
            *_replaced(arm, unknowns),
            *([] if best.converged or not searched.complete else [UNFINISHED]),
            *_lost(searched),
            *_stopped_short(problem, best, jacobian.T @ residuals / variance, sure),
        ),
        columns=column_fits(problem, best.found),
        runs=fitted_runs(problem, best.found),
        modes=_modes(problem, best.found),
        response=_response(problem, best.found),
        checks=tuple(checks),
        agreeing_starts=searched.agreeing,
        evaluations=problem.evaluations,
        status="complete" if searched.complete else "interrupted",
        command=command,
    )


def _stopped_short(problem: FitProblem, best: Best, gradient: np.ndarray, sure: Certainty) -> list[str]:
    """Say that a search came to its end before places where the arm could not be followed.

    `gradient` (n,) is half that of the squares, in variances: what is told would go on by the covariance times it.
    """
    low, high = problem.bounds
    near = AT_BOUND * np.minimum(1.0, high - low)
    ahead = np.where((best.x - low < near) | (high - best.x < near), 0.0, sure.covariance @ gradient)
    errors = np.sqrt(np.diag(sure.covariance))
    short = float(np.abs(ahead / np.where(sure.known, errors, np.inf)).max())
    if not best.obstacle or short < SHORT:
        return []
    return [
        f"the search stopped {short:.2g} standard errors before the least squares, where the arm could not be "
        f"followed: {best.obstacle}"
    ]


def _lost(searched: Searched) -> list[str]:
    """Say which starts came to nothing."""
    if not searched.lost:
        return []
    which = f"start{'s' * (len(searched.lost) > 1)} {', '.join(map(str, searched.lost))}"
    return [f"{which} came to nothing: a worker process died, for want of memory perhaps"]


def _replaced(arm: Arm, unknowns: Sequence[Unknown]) -> list[str]:
    """Say which expressions of the description the fitted numbers replace."""
    keys = [one.target for one in _written(unknowns)]
    return [
        f"{key}: a number has taken the place of {text}" for key, text in expressions_at(arm, keys).items()
    ]


def _at_bounds(problem: FitProblem, x: np.ndarray) -> list[str]:
    """Say which unknowns ended at a bound."""
    found = []
    for one, place, ends in zip(problem.unknowns, x, np.transpose(problem.bounds), strict=True):
        near = AT_BOUND * min(1.0, ends[1] - ends[0])
        for end, bound in zip(ends, (one.low, one.high), strict=True):
            if abs(place - end) < near:
                found.append(f"{one.name} ended at its bound, {bound:g}")
    return found


def _variance(problem: FitProblem, given: np.ndarray, residuals: np.ndarray, free: int) -> float:
    """Variance of the residuals, which are in standard deviations of the noise: no less than 1 where this is known."""
    found = float(residuals @ residuals) / free if free > 0 else 1.0
    assumed = not problem.runs and not all(target.given for target in problem.targets)
    known = not np.isnan(given).any() and not assumed
    return max(found, 1.0) if known or free <= 0 else found


def _quantile(free: int) -> float:
    """Standard deviations in which an interval reaches to both sides, by Student's distribution."""
    from scipy.special import ndtri, stdtrit  # quicker to import than scipy.stats

    return float(stdtrit(free, LEVEL) if free > 0 else ndtri(LEVEL))


def fitted_arm(arm: Arm, unknowns: Sequence[Unknown], values: np.ndarray, errors: np.ndarray) -> Arm:
    """The arm with fitted numbers, as many digits of each as matter; starts if there is one run only."""
    changes = {}
    for one, value, error in zip(unknowns, values, errors, strict=True):
        if one in _written(unknowns):
            changes[one.target] = float(f"{value:.{_places(value, error)}g}")
    return replace(arm, changes) if changes else arm


def _written(unknowns: Sequence[Unknown]) -> list[Unknown]:
    """Those that are numbers of the fitted description: not the starts of several runs, nor what sensors have."""
    return [one for one in unknowns if one.kind in ("number", "start") and one.name == one.target]


def _places(value: float, error: float) -> int:
    if not np.isfinite(error) or not error or not value:
        return 6
    return int(np.clip(np.ceil(np.log10(abs(value) / (WRITTEN * error))), 1, 16))


def column_fits(problem: FitProblem, found: Evaluation) -> tuple[ColumnFit, ...]:
    """How well each measured column is followed."""
    left = problem.column_residuals(found)
    measured = [run.measurement.outputs for run in problem.runs]
    return tuple(
        column_fit(one.name, one.unit, [own[:, c] for own in measured], [own[:, c] for own in left])
        for c, one in enumerate(problem.outputs)
        if measured
    )


def fitted_runs(problem: FitProblem, found: Evaluation) -> tuple[FittedRun, ...]:
    """Measured runs beside the simulated ones."""
    pairs = zip(problem.runs, found.values, strict=True)
    return tuple(
        FittedRun(run.measurement.name, run.measurement.times, run.measurement.outputs, values)
        for run, values in pairs
    )


def _modes(problem: FitProblem, found: Evaluation) -> tuple[tuple[str, float, float, float], ...]:
    return tuple(
        (name, float(measured), float(own), float(error))
        for target, values in zip(problem.targets, found.small, strict=True)
        if isinstance(target, ModalTarget)
        for name, measured, own, error in zip(
            target.modal.names, target.measured, values, target.errors, strict=True
        )
    )


def _response(problem: FitProblem, found: Evaluation) -> FittedResponse | None:
    """Measured frequency response beside that of the fitted arm, which its logarithms tell."""
    for target, values in zip(problem.targets, found.small, strict=True):
        if isinstance(target, ResponseTarget):
            logarithm, phase = np.split(values, 2)
            fitted = target.response * np.exp(logarithm + 1j * phase)
            return FittedResponse(target.channel, target.frequencies, target.response, fitted)
    return None

"""Searches from several starts, side by side on the processors, of which the best is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.searching.fit_setup import FitSetup
from flexarm.identification.searching.one_start import SearchEnd, search_end
from flexarm.identification.searching.search import Best
from flexarm.identification.searching.side_by_side import WorkerDied, ends_side_by_side
from flexarm.progress import Progress

SPREAD = np.log(3.0)
"""Places of further starts lie so far from the first, in logarithms and scales, unless bounds are closer."""
SEED = 0
SAME = 1e-3
"""Difference of the badness of two ends of a search that are one."""


@dataclass(frozen=True)
class Searched:
    """What came out of all searches.

    Attributes
    ----------
    best : Best
    agreeing : (int, int)
        How many ended there, of how many.
    complete : bool
        Whether all were done.
    lost : tuple of int
        Starts, from 1, whose worker processes died.
    """

    best: Best
    agreeing: tuple[int, int]
    complete: bool
    lost: tuple[int, ...] = ()


def search_from(
    setup: FitSetup,
    problem: FitProblem,
    given: np.ndarray,
    count: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Searched:
    """Search from several starts: of one in this process, of more in worker processes.

    Parameters
    ----------
    setup : FitSetup
    problem : FitProblem
        Of the setup; it counts the evaluations of all.
    given : (c,)
        Noise of the columns, NaN where it is estimated.
    count : int
    workers : int, optional
        Processes, one for each core and start unless given; they change no bit of the result.
    progress : callable, optional
        KeyboardInterrupt, which it may raise, ends the searches; the best so far is taken, if there is any.

    Raises
    ------
    FlexarmError
        From no start does the arm move.
    """
    places = _places(problem, count)
    if count == 1:
        ends = [search_end(problem, given, places[0], progress)]
    else:
        ends = ends_side_by_side(setup, given, places, workers, progress)
        problem.evaluations += sum(end.evaluations for end in ends)
    problem.restart()
    return _taken(problem, given, ends, count)


def _taken(problem: FitProblem, given: np.ndarray, ends: Sequence[SearchEnd], count: int) -> Searched:
    """The best of what the searches found, in the order of their starts."""
    found = [(_badness(problem, given, end.best), end.best) for end in ends if end.best is not None]
    complete = len(ends) == count and not any(end.interrupted for end in ends)
    if not found:
        if not complete:
            raise KeyboardInterrupt
        fault = ends[0].fault
        assert isinstance(fault, FlexarmError)
        raise fault
    least, best = min(found, key=lambda one: one[0])
    agreeing = sum(badness - least < SAME * max(abs(least), 1.0) for badness, _ in found)
    lost = tuple(k for k, end in enumerate(ends, start=1) if isinstance(end.fault, WorkerDied))
    return Searched(best, (agreeing, count if complete else len(found)), complete, lost)


def _places(problem: FitProblem, count: int) -> np.ndarray:
    """Places (count, n) of the starts: the first at 0, the others spread evenly about it, the same each time."""
    n = len(problem.unknowns)
    if count == 1:
        return np.zeros((1, n))
    low, high = problem.bounds
    low, high = np.maximum(low, -SPREAD), np.minimum(high, SPREAD)
    random = np.random.default_rng(SEED)
    strata = np.array([random.permutation(count - 1) for _ in range(n)]).T  # a Latin hypercube
    places = low + (high - low) * (strata + random.random((count - 1, n))) / (count - 1)
    return np.concatenate([np.zeros((1, n)), places])


def _badness(problem: FitProblem, given: np.ndarray, best: Best) -> float:
    """Negative logarithm of the likelihood, but for what is the same everywhere."""
    found = best.found
    assert found is not None
    total = 0.0
    if problem.runs:
        left = np.concatenate(problem.column_residuals(found))
        known = ~np.isnan(given)
        total += float(((left[:, known] / given[known]) ** 2).sum()) / 2
        total += len(left) * float(np.log(best.noise[~known]).sum())
    for target, values in zip(problem.targets, found.small, strict=True):
        total += float((((values - target.measured) / target.errors) ** 2).sum()) / 2
    return total

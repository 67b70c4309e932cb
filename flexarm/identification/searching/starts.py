"""Searches from several starts, of which the best is taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.searching.search import Best, Search
from flexarm.progress import Progress, part

SPREAD = np.log(3.0)
"""Places of further starts lie so far from the first, in logarithms and scales, unless bounds are closer."""
SEED = 0
SAME = 1e-3
"""Difference of the badness of two ends of a search that are one."""


@dataclass(frozen=True)
class Searched:
    """What came out of all searches: the best, how many ended there, of how many; and whether all were done."""

    best: Best
    agreeing: tuple[int, int]
    complete: bool


def search_from(problem: FitProblem, given: np.ndarray, count: int, progress: Progress | None) -> Searched:
    """Search from several starts.

    Parameters
    ----------
    problem : FitProblem
    given : (c,)
        Noise of the columns, NaN where it is estimated.
    count : int
    progress : callable, optional
        KeyboardInterrupt, which it may raise, ends the search; the best so far is taken, if there is any.

    Raises
    ------
    FlexarmError
        From no start does the arm move.
    """
    ends: list[tuple[float, Best]] = []
    fault: FlexarmError | None = None
    complete = True
    for k, x0 in enumerate(_places(problem, count)):
        search = Search(problem, given, part(progress, k / count, (k + 1) / count))
        try:
            search.run(x0)
        except FlexarmError as error:
            fault = fault or error
            continue
        except KeyboardInterrupt:
            if search.best.cost == np.inf and not ends:
                raise
            complete = False
            if not ends and search.best.found is None:
                search.best.found = problem.evaluate(search.best.x)
        if search.best.found is not None:
            search.best.noise = search.estimated_noise(search.best)
            ends.append((_badness(problem, given, search.best), search.best))
        if not complete:
            break
    if not ends:
        assert fault is not None
        raise fault
    least, best = min(ends, key=lambda end: end[0])
    agreeing = sum(badness - least < SAME * max(abs(least), 1.0) for badness, _ in ends)
    return Searched(best, (agreeing, count if complete else len(ends)), complete)


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

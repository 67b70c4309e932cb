"""Search from one start to its end, whatever this is."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.searching.search import Best, Search
from flexarm.progress import Progress

AGAIN = 2
"""How often the best of an interrupted search is evaluated, which a second Ctrl-C breaks off."""


@dataclass(frozen=True, eq=False)
class SearchEnd:
    """End of a search.

    Attributes
    ----------
    best : Best or None
        What it found; None if nothing.
    evaluations : int
    fault : FlexarmError or None
        Why the arm does not move from its start.
    interrupted : bool
    """

    best: Best | None
    evaluations: int
    fault: FlexarmError | None = None
    interrupted: bool = False


def search_end(
    problem: FitProblem, given: np.ndarray, x0: np.ndarray, progress: Progress | None
) -> SearchEnd:
    """Search from a place x0 (n,); KeyboardInterrupt of the progress ends it with the best so far.

    What the problem met before changes nothing.
    """
    problem.restart()
    before, interrupted = problem.evaluations, False
    search = Search(problem, given, progress)
    try:
        search.run(x0)
    except FlexarmError as fault:
        return SearchEnd(None, problem.evaluations - before, fault)
    except KeyboardInterrupt:
        interrupted = True
        for _ in range(AGAIN):
            if search.best.cost == np.inf or search.best.found is not None:
                break
            with suppress(KeyboardInterrupt):  # of a window alone
                search.best.found = problem.evaluate(search.best.x)
    best = None if search.best.found is None else search.best
    if best is not None:
        best.noise = search.estimated_noise(best)
    return SearchEnd(best, problem.evaluations - before, None, interrupted)

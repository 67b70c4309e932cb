"""Unknowns that data do not tell, brought back to where they began as far as the data allow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.searching.starts import Searched
from flexarm.identification.worth.certainty import certainty

WORSE = 1.0
"""Growth of the sum of squares, in variances of the noise, that is as good as none."""


def near_start(problem: FitProblem, searched: Searched) -> Searched:
    """The best unknowns, without changes together that the data do not tell.

    A search moves along them as errors of derivatives and the noise have it. Without them products keep their values,
    as these are sums of the logarithms that are searched; what is no product changes the squares, and is left.
    """
    best = searched.best
    assert best.found is not None
    residuals, jacobian = problem.residuals(best.found, best.noise)
    free = max(residuals.size - len(problem.unknowns), 1)
    before = float(residuals @ residuals)
    changes = certainty(jacobian, before / free).undetermined
    if not len(changes):
        return searched
    low, high = problem.bounds
    x = np.clip(best.x - np.linalg.pinv(changes) @ (changes @ best.x), low, high)
    try:
        found = problem.evaluate(x)
    except FlexarmError:
        return searched
    residuals, _ = problem.residuals(found, best.noise)
    after = float(residuals @ residuals)
    if not after <= before + WORSE * before / free:
        return searched
    return replace(searched, best=replace(best, x=x, found=found, cost=after))

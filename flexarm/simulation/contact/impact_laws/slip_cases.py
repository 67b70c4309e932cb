"""What the contacts do in an impact that is known at its ends only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.impact_laws.impact_problem import (
    OPEN,
    REVERSE,
    SLIDE,
    STICK,
    ImpactProblem,
)

STILL = 1e-9
"""Slip that is none, in units of the largest speed."""


def slip_cases(
    problem: ImpactProblem, between: NDArray[np.float64], impulses: NDArray[np.float64]
) -> tuple[str, ...]:
    """What each contact does, read from the slip before, between (k, d) and after the phases."""
    after = problem.speeds_after(impulses)
    still = STILL * max(np.abs(problem.speeds).max(), np.abs(after).max())
    slips = zip(problem.speeds[:, 1:], between[:, 1:], after[:, 1:], strict=True)
    pushes = impulses[:, 0] > 0
    return tuple(_case(*slip, still) if push else OPEN for push, slip in zip(pushes, slips, strict=True))


def _case(
    before: NDArray[np.float64], between: NDArray[np.float64], after: NDArray[np.float64], still: float
) -> str:
    """Case of a contact with these slips (d - 1,)."""
    if np.linalg.norm(after) <= still:
        return STICK
    reverses = before @ after < 0 or between @ after < 0 or before @ between < 0
    return REVERSE if reverses else SLIDE

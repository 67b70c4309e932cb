"""State of a stepper between two periods."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.arguments import check_number
from flexarm.errors import ModelError
from flexarm.solvers.dop853.periods import UNKNOWN_PACE, Pace

WHOLE = 1e-9
"""Part of the time by which that of a state may be off a multiple of the period."""


@dataclass(frozen=True, eq=False)
class StepperState:
    """State of a stepper between two periods.

    Attributes
    ----------
    time : float [s]
        A multiple of the period.
    y : (n_y,)
        State of the arm, its controllers and sampled sensors.
    seed : int
        Of the noise.
    pace : Pace
        What the integrator goes on with; unknown unless given, and then it finds its step anew.
    """

    time: float
    y: np.ndarray
    seed: int = 0
    pace: Pace = UNKNOWN_PACE


def check_state(state: object, period: float, n_y: int) -> None:
    """Make sure that a stepper of this period [s] and number of states can go on from a state.

    Raises
    ------
    ModelError
        It cannot.
    """
    if not isinstance(state, StepperState):
        raise ModelError(f"state: got {type(state).__name__}, expected the state of a stepper")
    check_number("state.time", state.time, least=0)
    count = state.time / period
    if not math.isclose(count, round(count), rel_tol=WHOLE):
        raise ModelError(f"state.time: got {state.time!r}, expected a multiple of the period, {period:g} s")
    y = np.asarray(state.y)
    if y.shape != (n_y,) or y.dtype.kind not in "fiu" or not np.isfinite(y).all():
        raise ModelError(f"state.y: got an array of shape {y.shape}, expected {n_y} finite numbers")

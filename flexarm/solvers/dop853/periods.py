"""An integration by DOP853 that goes on period by period, while numbers of the right-hand side change in between."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexarm.solvers.base import Failure, InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.status import CONTINUING, REJECTED, RUNNING, STARTING, STATUS, STEPS
from flexarm.solvers.compiled.time_slices import kernel_failure
from flexarm.solvers.dop853.layout import END, H_NEXT, LAST_ERROR, MAX_STEP, T_OLD, T
from flexarm.solvers.dop853.method import SIGNATURE, Dop853, Dop853Arrays

STEP_BUDGET = 10_000
"""Steps of one call of the kernel, after which Ctrl-C is heard."""


class Pace(NamedTuple):
    """What the step-size control of an integration remembers: the step to try next [s], and the error of the last."""

    step: float = math.inf
    error: float = 0.0


UNKNOWN_PACE = Pace()
"""Of an integration whose first step is to be found."""


class Dop853Periods:
    """An integration whose periods end where steps do: no dense output, no search for the first step of a period.

    Parameters
    ----------
    problem : InitialValueProblem
        `max_steps` is the limit of a period.

    Attributes
    ----------
    y : (n,)
        State that the steps have reached; may be changed between periods.
    p : (n_p,)
        What the right-hand side reads; may be changed between periods.
    pace : Pace
        What the next period starts with besides; the same y, p and pace give the same bits.
    """

    def __init__(self, problem: InitialValueProblem):
        self._problem = problem  # which holds the machine code
        state = Dop853Arrays([replace(problem, intervals=None, jump=None)])
        self.y, self.p, self.pace = state.y[:, 0], state.p[:, 0], UNKNOWN_PACE
        self._limits, self._step_times = state.limits[:, 0], state.step_times[:, 0]
        self._counters = state.counters[:, 0]
        never, nothing = np.full(1, np.inf), np.empty((1, self.y.size))
        self._kernel = Kernel(
            Dop853.kernel_name,
            SIGNATURE,
            **state.arguments,
            step_budget=STEP_BUDGET,
            m=1,
            times=never,
            states=nothing,
        )

    def advance(self, t: float, end: float, longest_step: float = math.inf) -> Failure | None:
        """Integrate from y at a time t [s] to an end [s]; return why it failed, if it did."""
        limits, step_times, counters = self._limits, self._step_times, self._counters
        limits[END], limits[MAX_STEP] = end, longest_step
        step_times[T] = step_times[T_OLD] = t
        step_times[H_NEXT], step_times[LAST_ERROR] = self.pace
        counters[STEPS] = counters[REJECTED] = 0
        counters[STATUS] = STARTING if self.pace.step == math.inf else CONTINUING
        self._kernel()
        while step_times[T] < end and counters[STATUS] == RUNNING:
            self._kernel()
        self.pace = Pace(float(step_times[H_NEXT]), float(step_times[LAST_ERROR]))
        if counters[STATUS] == RUNNING:
            return None
        return kernel_failure(int(counters[STATUS]), float(step_times[T]), self._problem.max_steps)

    @property
    def steps(self) -> int:
        """Accepted steps of the last period."""
        return int(self._counters[STEPS])

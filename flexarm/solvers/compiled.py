"""What the compiled integrators share: calls of about one time slice each, and the words for failures."""

from __future__ import annotations

from abc import abstractmethod
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import TIME_SLICE, Failure, Integration, Problem

# How a call of a compiled kernel ends.
RUNNING, TOO_MANY_STEPS, STEP_TOO_SMALL, NOT_FINITE = range(4)

STIFF_REMEDY = (
    "if the arm is stiff or strongly damped try method: radau; otherwise loosen rtol or raise max_steps"
)


class CompiledIntegration(Integration):
    """An integration whose steps are taken by compiled code, a measured number of them per call."""

    def __init__(self, problem: Problem):
        super().__init__(problem)
        self._budget = 100  # steps of the first call: a few milliseconds for the largest arms

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        states = np.empty((times.size, self.problem.y0.size))
        steps, began = self.steps, perf_counter()
        filled, status = self._run(times, states, self._budget)
        if self.steps - steps == self._budget:
            growth = TIME_SLICE / max(perf_counter() - began, 1e-9)
            self._budget = max(1, int(self._budget * min(growth, 10.0)))
        if status != RUNNING:
            self.failure = self._failure(status)
        return states[:filled]

    @abstractmethod
    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], budget: int) -> tuple[int, int]:
        """Take at most `budget` steps; return the number of states filled in and how it ended."""

    def _failure(self, status: int) -> Failure:
        reason, remedy = {
            TOO_MANY_STEPS: (f"the limit of {self.problem.max_steps} steps is reached", STIFF_REMEDY),
            STEP_TOO_SMALL: (
                f"the step fell below {self._smallest_step():.1g} s: "
                "the equations are singular or stiff here",
                "check the arm's configuration and drives at this time, or try method: radau",
            ),
            NOT_FINITE: (
                "the equations have no finite value from here on",
                "look for an expression that becomes infinite or undefined, or a singular mass matrix",
            ),
        }[status]
        return Failure(self.t, reason, remedy)

    def _smallest_step(self) -> float:
        return 10 * float(np.spacing(abs(self.t)))

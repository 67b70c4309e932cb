"""Base of the compiled integrators: calls of about one time slice each, statistics, and messages of failures."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import TIME_SLICE, Failure, InitialValueProblem, Integration
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.status import (
    EVALUATIONS,
    NOT_FINITE,
    REJECTED,
    RUNNING,
    STATUS,
    STEP_TOO_SMALL,
    STEPS,
    TOO_MANY_STEPS,
)

STIFF_REMEDY = (
    "if the arm is stiff or strongly damped try method: radau; otherwise loosen rtol or raise max_steps"
)


class StepStatistics:
    """Statistics of an integration, as its kernel counts them."""

    _counters: NDArray[np.int64]

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return int(self._counters[STEPS])

    @property
    def rejected(self) -> int:
        """Rejected steps."""
        return int(self._counters[REJECTED])

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return int(self._counters[EVALUATIONS])

    def add_statistics(self, before: StepStatistics) -> None:
        """Go on with the statistics of an integration that this one takes over from."""
        self._counters[[STEPS, REJECTED, EVALUATIONS]] += before.steps, before.rejected, before.evaluations


class StepBudget:
    """Number of steps that a kernel may take in one call, adapted so that the call takes about a time slice."""

    def __init__(self):
        self.steps = 100  # of the first call: a few milliseconds for the largest arms

    def adapt(self, seconds: float) -> None:
        """Adapt it to a call that has taken all its steps in this time [s]."""
        self.steps = max(1, int(self.steps * min(TIME_SLICE / max(seconds, 1e-9), 10.0)))


class CompiledIntegration(StepStatistics, Integration):
    """An integration whose steps are taken by compiled code, a measured number of them per call.

    Subclasses make the kernel, with all its arguments bound but the budget of steps and the samples.
    """

    _kernel: Kernel

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self._budget = StepBudget()

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        states = np.empty((times.size, self.problem.y0.size))
        steps, start = self.steps, perf_counter()
        filled = self._run(times, states, self._budget.steps)
        if self.steps - steps == self._budget.steps:
            self._budget.adapt(perf_counter() - start)
        self._update_failure()
        return states[:filled]

    def _update_failure(self) -> None:
        """Set `failure` if the last call of a kernel has ended with one."""
        if (status := int(self._counters[STATUS])) != RUNNING:
            self.failure = self._failure(status)

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], step_budget: int) -> int:
        """Take at most `step_budget` steps; return the number of states filled in."""
        return self._kernel(step_budget=step_budget, m=times.size, times=times, states=states)

    def _failure(self, status: int) -> Failure:
        return kernel_failure(status, self.t, self.problem.max_steps)


def kernel_failure(status: int, t: float, max_steps: int) -> Failure:
    """Failure by which a kernel has ended an integration at a time t [s]."""
    smallest_step = 10 * float(np.spacing(abs(t)))
    reason, remedy = {
        TOO_MANY_STEPS: (f"the limit of {max_steps} steps is reached", STIFF_REMEDY),
        STEP_TOO_SMALL: (
            f"the step fell below {smallest_step:.1g} s: the equations are singular or stiff here",
            "check the arm's configuration and drives at this time, or try method: radau",
        ),
        NOT_FINITE: (
            "the equations have no finite value from here on",
            "look for an expression that becomes infinite or undefined, or a singular mass matrix",
        ),
    }[status]
    return Failure(t, reason, remedy)

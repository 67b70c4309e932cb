"""Several integrations of the same equations by DOP853 side by side, in the lanes of the processor's registers."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import InitialValueProblem, IntegrationStatus
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.status import RUNNING, STATUS, STEPS
from flexarm.solvers.compiled.time_slices import StepBudget, StepStatistics, kernel_failure
from flexarm.solvers.dop853.layout import END, FILLED, LANES, T
from flexarm.solvers.dop853.method import SIGNATURE, Dop853Arrays


class Lane(StepStatistics, IntegrationStatus):
    """One of the integrations, for reading only."""

    def __init__(self, state: Dop853Arrays, place: int, max_steps: int):
        self._counters, self._step_times, self._max_steps = (
            state.counters[:, place],
            state.step_times[:, place],
            max_steps,
        )

    @property
    def filled(self) -> int:
        """Number of samples that the last call has filled in."""
        return int(self._counters[FILLED])

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return float(self._step_times[T])

    def update_failure(self) -> None:
        """Set `failure` if the last call of the kernel has ended with one."""
        if self.failure is None and (status := int(self._counters[STATUS])) != RUNNING:
            self.failure = kernel_failure(status, self.t, self._max_steps)


class Lanes:
    """Integrations side by side, each with steps of its own: no number of one depends on the others.

    Parameters
    ----------
    problems : sequence of InitialValueProblem
        At most :data:`~flexarm.solvers.dop853.layout.LANES`; with the same right-hand side, which has that many lanes.

    Attributes
    ----------
    integrations : list of Lane
        The integrations, in the order of their problems.
    """

    def __init__(self, problems: Sequence[InitialValueProblem]):
        idle = [problems[-1]] * (LANES - len(problems))
        self._state, self._budget = Dop853Arrays([*problems, *idle]), StepBudget()
        self._problems, self._interval = problems, [0] * len(problems)
        self._kernel = Kernel(
            "solvers.dop853.kernels.kernel.advance_lanes", SIGNATURE, **self._state.arguments
        )
        self.integrations = [Lane(self._state, k, problem.max_steps) for k, problem in enumerate(problems)]
        self.advance(np.empty((0, LANES)))  # starts them: one that cannot fails before its first sample

    def advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Integrate all of them on to their next sample times.

        Parameters
        ----------
        times : (m, LANES) [s]
            Increasing from the last samples on; NaN at the end of a column that is shorter than others, and throughout
            that of a lane without an integration.

        Returns
        -------
        (m, n, LANES)
            States there; of one that has failed only the first `filled` ones.
        """
        state = self._state
        states = np.full((len(times), *state.y.shape), np.nan)
        times = self.within(times)
        wanted = np.count_nonzero(~np.isnan(times), axis=0)
        state.counters[FILLED] = 0
        while True:
            steps, start = state.counters[STEPS].copy(), perf_counter()
            self._kernel(step_budget=self._budget.steps, m=len(times), times=times, states=states)
            if np.max(state.counters[STEPS] - steps) == self._budget.steps:
                self._budget.adapt(perf_counter() - start)
            going = (state.counters[FILLED] < wanted) & (state.counters[STATUS] == RUNNING)
            if not np.any(going):
                break
            self._restart_at_breaks(going)
        for lane in self.integrations:
            lane.update_failure()
        return states

    def within(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Times (m, LANES) [s] at which the right-hand side is to be evaluated for states at these times."""
        times = times.copy()
        for lane, problem in enumerate(self._problems):
            times[:, lane] = problem.within(times[:, lane])
        return times

    def _restart_at_breaks(self, going: NDArray[np.bool_]) -> None:
        """Start anew in the lanes whose steps have ended at a break point before the samples that they go to.

        Where the state does not jump the kernel goes on by itself.
        """
        at_end = going & (self._state.step_times[T] >= self._state.limits[END])
        for lane in map(int, np.flatnonzero(at_end)):
            if self._problems[lane].crossed_intervals is not None:
                continue
            self._interval[lane] += 1
            y = self._state.y[:, lane].copy()
            self._state.restart(lane, self._problems[lane].from_interval(self._interval[lane], y))

"""Several integrations of the same equations by DOP853 at once, in the lanes of the processor's registers."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import IntegrationStatus, Problem
from flexarm.solvers.compiled.kernel_code import native_kernel
from flexarm.solvers.compiled.time_slices import RUNNING, STATUS, STEPS, Budget, Counted, failure
from flexarm.solvers.dop853.layout import FILLED, LANES, T
from flexarm.solvers.dop853.method import ARGUMENTS, Dop853Arrays


class Lane(Counted, IntegrationStatus):
    """One of the integrations, for reading only."""

    def __init__(self, state: Dop853Arrays, place: int, max_steps: int):
        self._count, self._clock, self._max_steps = state.count[:, place], state.clock[:, place], max_steps

    @property
    def filled(self) -> int:
        """How many samples the last call has filled in."""
        return int(self._count[FILLED])

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return float(self._clock[T])

    def look(self) -> None:
        """See whether something has gone wrong."""
        if self.failure is None and (status := int(self._count[STATUS])) != RUNNING:
            self.failure = failure(status, self.t, self._max_steps)


class Lanes:
    """Integrations side by side, each with steps of its own: no number of one depends on the others.

    Parameters
    ----------
    problems : sequence of Problem
        At most :data:`~flexarm.solvers.dop853.layout.LANES`; with the same right-hand side, which has that many lanes.

    Attributes
    ----------
    members : list of Lane
        The integrations, in the order of their problems.
    """

    def __init__(self, problems: Sequence[Problem]):
        idle = [problems[-1]] * (LANES - len(problems))
        self._rhs, self._state = problems[0].rhs, Dop853Arrays([*problems, *idle])
        self._kernel, self._budget = native_kernel("dop853.lanes_kernel", *ARGUMENTS), Budget()
        self._pointers = [array.ctypes.data for array in self._state.arrays]
        self.members = [Lane(self._state, k, problem.max_steps) for k, problem in enumerate(problems)]
        self.advance(np.empty((0, LANES)))  # starts them: one that cannot says so before its first sample

    def advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Integrate all of them on to their next sample times.

        Parameters
        ----------
        times : (m, LANES) [s]
            Increasing from the last samples on; NaN at the end of a column that is shorter than others, and throughout
            that of a lane without a member.

        Returns
        -------
        (m, n, LANES)
            States there; of a member that has failed only the first `filled` ones.
        """
        state = self._state
        states = np.full((len(times), *state.y.shape), np.nan)
        wanted = np.count_nonzero(~np.isnan(times), axis=0)
        state.count[FILLED] = 0
        pointers = *self._pointers, times.ctypes.data, states.ctypes.data
        while True:
            steps, began = state.count[STEPS].copy(), perf_counter()
            self._kernel(
                self._rhs.address, *state.numbers, self._budget.steps, len(state.y), len(times), *pointers
            )
            if np.max(state.count[STEPS] - steps) == self._budget.steps:
                self._budget.adapt(perf_counter() - began)
            if not np.any((state.count[FILLED] < wanted) & (state.count[STATUS] == RUNNING)):
                break
        for member in self.members:
            member.look()
        return states

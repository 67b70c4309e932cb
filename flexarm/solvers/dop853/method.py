"""DOP853: explicit Runge-Kutta method of order 8 with step-size control and dense output of order 7."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_int64, c_uint64, c_void_p

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import Problem
from flexarm.solvers.compiled.kernel_code import native_kernel
from flexarm.solvers.compiled.time_slices import RUNNING, STARTING, STATUS, CompiledIntegration
from flexarm.solvers.dop853.layout import (
    CLOCK_ROWS,
    COUNT_ROWS,
    DENSE_ROWS,
    FILLED,
    H_NEXT,
    T_OLD,
    WORK_ROWS,
    T,
)
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE

# address, p, n_p, budget, n, m and eleven arrays
ARGUMENTS = (c_uint64, c_void_p, *(c_int64,) * 4, *(c_void_p,) * 11)


class Dop853Arrays:
    """What DOP853 carries on, for as many integrations of the same equations as these have lanes.

    Notes
    -----
    E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993), sections
    II.4 to II.6 and program dop853.f. Coefficients, error estimate, first step and dense output are Hairer's;
    the step-size control is described in the kernel.
    """

    def __init__(self, problems: Sequence[Problem]):
        self.rhs = problems[0].rhs
        n, lanes = problems[0].y0.size, self.rhs.lanes
        self.p = np.array([problem.p for problem in problems]).T.copy()
        self.limits = np.array([(problem.max_step, problem.max_steps) for problem in problems]).T.copy()
        tolerances = np.array([(problem.rtol, problem.atol) for problem in problems])
        self.tolerances = np.repeat(tolerances.T[:, None], n, axis=1)
        self.count, self.clock = np.zeros((COUNT_ROWS, lanes), dtype=np.int64), np.zeros((CLOCK_ROWS, lanes))
        rows = 2 + WORK_ROWS + N_STAGES_DENSE + DENSE_ROWS
        states = np.zeros((rows, n, lanes))
        self.y, self.y_old = states[:2]
        self.work, self.k, self.dense = np.split(states[2:], np.cumsum([WORK_ROWS, N_STAGES_DENSE]))
        self.clock[H_NEXT] = np.inf
        self.restart(
            np.array([problem.t0 for problem in problems]),
            np.array([problem.y0 for problem in problems]).T,
        )

    @property
    def numbers(self) -> tuple[int, int]:
        """What the kernel takes before its budget, besides the address of the equations."""
        return self.p.ctypes.data, len(self.p)

    @property
    def arrays(self) -> tuple[NDArray, ...]:
        """What the kernel takes after the numbers of states and samples."""
        return (
            self.count,
            self.clock,
            self.limits,
            self.tolerances,
            self.y,
            self.y_old,
            self.k,
            self.work,
            self.dense,
        )

    def restart(self, t: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """Have the next call go on from other times (lanes,) and states (n, lanes); the statistics go on too."""
        self.y[:], self.clock[[T, T_OLD]] = y, t
        self.count[STATUS] = STARTING


class Dop853(CompiledIntegration):
    """An integration by DOP853, see :class:`Dop853Arrays`."""

    def __init__(self, problem: Problem):
        super().__init__(problem, native_kernel("dop853.kernel", *ARGUMENTS))
        self._state = Dop853Arrays([problem])
        self._clock, self._count = self._state.clock[:, 0], self._state.count[:, 0]
        self.y = self._state.y[:, 0]
        self._bind(self._state.numbers, self._state.arrays)
        self._start()

    def restart(self, t: float, y: NDArray[np.float64]) -> None:
        """Go on from another state, as after an impact; the statistics go on too.

        Parameters
        ----------
        t : float [s]
        y : (n,)
        """
        self._state.restart(np.array([t]), y[:, None])
        self._start()

    def step(self) -> bool:
        """Take one step; False if that failed, see `failure`."""
        self._run(np.array([np.inf]), np.empty((1, self.y.size)), 1)
        self._look()
        return self.failure is None

    def states_at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """States at increasing times (k,) within the last step, from t_old to t: (k, n)."""
        states = np.empty((times.size, self.y.size))
        self._run(np.ascontiguousarray(times), states, 0)
        return states

    @property
    def t_old(self) -> float:
        """Time at which the last step began [s]."""
        return float(self._clock[T_OLD])

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return float(self._clock[T])

    def _start(self) -> None:
        """Have the kernel begin and take no step, so that slopes and statistics are there before the first step."""
        self._run(np.empty(0), np.empty(0), 0)
        self._look()

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], budget: int) -> tuple[int, int]:
        self._count[FILLED] = 0
        return super()._run(times, states, budget)

    def _look(self) -> None:
        """See whether something has gone wrong."""
        if self._count[STATUS] != RUNNING:
            self.failure = self._failure(int(self._count[STATUS]))

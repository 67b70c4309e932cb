"""DOP853: explicit Runge-Kutta method of order 8 with step-size control and dense output of order 7."""

from __future__ import annotations

from ctypes import c_double, c_int64, c_uint64, c_void_p

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import Problem
from flexarm.solvers.compiled import EVALUATIONS, HAS_DENSE, NOT_FINITE, RUNNING, CompiledIntegration
from flexarm.solvers.dop853_tableau import N_STAGES, N_STAGES_DENSE
from flexarm.solvers.native_kernel import native_kernel

# Entries of clock [s]: where the last step ended and began, its length, and the length to try next.
T, T_OLD, H, H_NEXT = range(4)
# address, p, n_p, rtol, atol, max_step, max_steps, budget, n, m and nine arrays
ARGUMENTS = (c_uint64, c_void_p, c_int64, *(c_double,) * 3, *(c_int64,) * 4, *(c_void_p,) * 9)


class Dop853(CompiledIntegration):
    """An integration by DOP853.

    Notes
    -----
    E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993), sections
    II.4 to II.6 and program dop853.f. Coefficients, error estimate, first step and dense output are Hairer's;
    the step-size control is his simplest one with the limits that SciPy chose.
    """

    def __init__(self, problem: Problem):
        super().__init__(problem, native_kernel("dop853", *ARGUMENTS))
        n = problem.y0.size
        self._clock, self._y_old, self._work = np.zeros(4), np.empty(n), np.empty(n)
        self._k, self._dense = np.zeros((N_STAGES_DENSE, n)), np.zeros((7, n))
        self._clock[H_NEXT] = np.inf
        arrays = (self._clock, self.y, self._y_old, self._k, self._work, self._dense)
        self._bind((problem.rtol, problem.atol, problem.max_step), arrays)
        self.restart(problem.t0, problem.y0)

    def restart(self, t: float, y: NDArray[np.float64]) -> None:
        """Go on from another state, as after an impact; the statistics go on too.

        Parameters
        ----------
        t : float [s]
        y : (n,)
        """
        slope = self.problem.rhs(t, y, self.problem.p)
        self.y[:] = self._y_old[:] = y
        self._k[N_STAGES - 1] = slope
        # Before the first step there is the constant y to interpolate.
        self._dense[:] = 0
        self._count[HAS_DENSE] = 1
        self._clock[[T, T_OLD, H]] = t, t, 1.0
        self._clock[H_NEXT] = min(self._clock[H_NEXT], _first_step(self.problem, t, self.y, slope))
        self._count[EVALUATIONS] += 2
        if not np.all(np.isfinite(slope)):
            self.failure = self._failure(NOT_FINITE)

    def step(self) -> bool:
        """Take one step; False if that failed, see `failure`."""
        _, status = self._run(np.array([np.inf]), np.empty((1, self.y.size)), 1)
        if status != RUNNING:
            self.failure = self._failure(status)
        return status == RUNNING

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


def _first_step(problem: Problem, t: float, y: NDArray[np.float64], slope: NDArray[np.float64]) -> float:
    """Guess a step from the sizes of the state, its slope and the change of the slope (Hairer's HINIT)."""

    def norm(x: NDArray[np.float64]) -> float:
        return float(np.sqrt(np.mean((x / scale) ** 2)))

    with np.errstate(all="ignore"):  # whatever comes out, the step-size control has the last word
        scale = problem.atol + problem.rtol * np.abs(y)
        size, rate = norm(y), norm(slope)
        h = 1e-6 if min(size, rate) < 1e-5 else 0.01 * size / rate
        changed = problem.rhs(t + h, y + h * slope, problem.p)
        largest = max(rate, norm(changed - slope) / h)
        accurate = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (1 / 8)
        first = min(100 * h, accurate, problem.max_step)
    return first if np.isfinite(first) and first > 0 else 1e-6

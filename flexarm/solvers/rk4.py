"""The classical Runge-Kutta method of order 4 with a fixed step, as the papers' own programs use it."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from flexarm.solvers.base import Failure, Problem
from flexarm.solvers.calling import cached, call_native
from flexarm.solvers.compiled import NOT_FINITE, RUNNING, TOO_MANY_STEPS, CompiledIntegration

# Entries of count.
STEPS, EVALUATIONS = range(2)


class Rk4(CompiledIntegration):
    """An integration by the classical method: step k ends at t0 + k h.

    Samples at the ends of steps are the method's own states; between them runs the cubic through the states
    and slopes at both ends of the step, whose error is of order 4 as well.

    Notes
    -----
    W. Kutta, Z. Math. Phys. 46 (1901) 435; E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
    Equations I, 2nd ed. (1993), table II.1.2 and section II.6 (interpolation).
    """

    rejected = 0

    def __init__(self, problem: Problem):
        super().__init__(problem)
        assert problem.step is not None  # `start` sees to it
        self._step = problem.step
        self.y = np.array(problem.y0, dtype=float)
        self._y_old = self.y.copy()
        self._slopes = np.tile(problem.rhs(problem.t0, self.y, problem.p), (2, 1))
        self._work = np.empty((4, self.y.size))
        self._count = np.array([0, 1])
        if not np.all(np.isfinite(self._slopes)):
            self.failure = self._failure(NOT_FINITE)

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return self.problem.t0 + self.steps * self._step

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(self._count[STEPS])

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return int(self._count[EVALUATIONS])

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], budget: int) -> tuple[int, int]:
        problem = self.problem
        return advance(
            problem.rhs.address, problem.p, problem.t0, self._step, problem.max_steps, budget,
            self._count, self.y, self._y_old, self._slopes, self._work, times, states,
        )  # fmt: skip

    def _failure(self, status: int) -> Failure:
        if status != NOT_FINITE or self.steps == 0:
            return super()._failure(status)
        return Failure(
            self.t,
            "the state becomes infinite or undefined",
            "shorten the step (rk4 needs less than 2.8 / the highest angular frequency of the arm), try "
            "method: dop853, which chooses its steps, or look for an expression that is undefined here",
        )


@njit(error_model="numpy", fastmath={"contract"})
def _step(address, p, t, h, y, y_old, slopes, work):
    """Go from (t, y) to (t + h, y); slopes are those at both ends. Tell whether the new state is finite."""
    n = y.size
    k1, k2, k3, k4, stage = slopes[0], work[0], work[1], work[2], work[3]
    for i in range(n):
        k1[i] = slopes[1, i]  # the slope where the last step ended
        y_old[i] = y[i]
        stage[i] = y[i] + 0.5 * h * k1[i]
    call_native(address, t + 0.5 * h, stage, p, k2)
    for i in range(n):
        stage[i] = y[i] + 0.5 * h * k2[i]
    call_native(address, t + 0.5 * h, stage, p, k3)
    for i in range(n):
        stage[i] = y[i] + h * k3[i]
    call_native(address, t + h, stage, p, k4)
    total = 0.0
    for i in range(n):
        y[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i])
        total += abs(y[i])
    call_native(address, t + h, y, p, slopes[1])
    return math.isfinite(total)


@njit(error_model="numpy", fastmath={"contract"})
def _interpolate(x, h, y, y_old, slopes, state):
    """State at the fraction x of a step back from its end, by Hermite's cubic."""
    for i in range(y.size):
        difference = y[i] - y_old[i]
        inner = 2 * difference - h * (slopes[0, i] + slopes[1, i])
        inner = h * slopes[1, i] - difference + x * inner
        state[i] = y[i] - x * (difference + (1 - x) * inner)


@cached(
    "UniTuple(int64, 2)(uint64, float64[::1], float64, float64, int64, int64, int64[::1], float64[::1], "
    "float64[::1], float64[:, ::1], float64[:, ::1], float64[::1], float64[:, ::1])"
)
def advance(address, p, t0, h, max_steps, budget, count, y, y_old, slopes, work, times, states):
    """Step until every sample is filled in, `budget` steps are taken, or something is wrong.

    Parameters
    ----------
    address, p, t0, h, max_steps
        The problem.
    budget : int
        Steps this call may take. Where it ends has no influence on the results.
    count, y, y_old, slopes (2, n), work (4, n)
        The integration, changed in place.
    times : (m,) [s]
    states : (m, n)
        Filled with the states at `times`, as far as the call gets.

    Returns
    -------
    (int, int)
        How many states are filled in, and how the call ended.
    """
    filled = 0
    last = count[STEPS] + budget
    while True:
        t = t0 + count[STEPS] * h
        while filled < times.size and times[filled] <= t:
            _interpolate((t - times[filled]) / h, h, y, y_old, slopes, states[filled])
            filled += 1
        if filled == times.size or count[STEPS] >= last:
            return filled, RUNNING
        if count[STEPS] >= max_steps:
            return filled, TOO_MANY_STEPS
        finite = _step(address, p, t, h, y, y_old, slopes, work)
        count[EVALUATIONS] += 4
        if not finite:
            return filled, NOT_FINITE
        count[STEPS] += 1

"""DOP853: explicit Runge-Kutta method of order 8 with step-size control and dense output of order 7."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers import dop853_kernel as kernel
from flexarm.solvers.base import Problem
from flexarm.solvers.compiled import NOT_FINITE, CompiledIntegration
from flexarm.solvers.dop853_tableau import N_STAGES, N_STAGES_DENSE


class Dop853(CompiledIntegration):
    """An integration by DOP853.

    Notes
    -----
    E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993), sections
    II.4 to II.6 and program dop853.f. Coefficients, error estimate, first step and dense output are Hairer's;
    the step-size control is his simplest one with the limits that SciPy chose.
    """

    def __init__(self, problem: Problem):
        super().__init__(problem)
        n = problem.y0.size
        slope = problem.rhs(problem.t0, problem.y0, problem.p)
        self.y = np.array(problem.y0, dtype=float)
        self._clock = np.zeros(4)
        self._count = np.zeros(4, dtype=np.int64)
        self._y_old = self.y.copy()
        self._k = np.zeros((N_STAGES_DENSE, n))
        self._k[N_STAGES - 1] = slope
        self._work = np.empty(n)
        # Before the first step there is the constant y0 to interpolate.
        self._dense = np.zeros((7, n))
        self._count[kernel.HAS_DENSE] = 1
        self._clock[[kernel.T, kernel.T_OLD, kernel.H]] = problem.t0, problem.t0, 1.0
        self._clock[kernel.H_NEXT] = _first_step(problem, slope)
        self._count[kernel.EVALUATIONS] = 2
        if not np.all(np.isfinite(slope)):
            self.failure = self._failure(NOT_FINITE)

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return float(self._clock[kernel.T])

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(self._count[kernel.STEPS])

    @property
    def rejected(self) -> int:
        """Steps tried in vain."""
        return int(self._count[kernel.REJECTED])

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return int(self._count[kernel.EVALUATIONS])

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], budget: int) -> tuple[int, int]:
        problem = self.problem
        return kernel.advance(
            problem.rhs.address, problem.p, problem.rtol, problem.atol, problem.max_step, problem.max_steps,
            budget, self._clock, self._count, self.y, self._y_old, self._k, self._work, self._dense,
            times, states,
        )  # fmt: skip


def _first_step(problem: Problem, slope: NDArray[np.float64]) -> float:
    """Guess a step from the sizes of the state, its slope and the change of the slope (Hairer's HINIT)."""

    def norm(x: NDArray[np.float64]) -> float:
        return float(np.sqrt(np.mean((x / scale) ** 2)))

    with np.errstate(all="ignore"):  # whatever comes out, the step-size control has the last word
        scale = problem.atol + problem.rtol * np.abs(problem.y0)
        size, rate = norm(problem.y0), norm(slope)
        h = 1e-6 if min(size, rate) < 1e-5 else 0.01 * size / rate
        changed = problem.rhs(problem.t0 + h, problem.y0 + h * slope, problem.p)
        largest = max(rate, norm(changed - slope) / h)
        accurate = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (1 / 8)
        first = min(100 * h, accurate, problem.max_step)
    return first if np.isfinite(first) and first > 0 else 1e-6

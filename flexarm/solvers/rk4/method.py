"""The classical Runge-Kutta method of order 4 with a fixed step, as the papers' own programs use it."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.solvers.base import Failure, InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.compiled.status import EVALUATIONS, NOT_FINITE
from flexarm.solvers.compiled.time_slices import CompiledIntegration

SIGNATURE = Signature(
    "uint64 address, float64* p, int64 n_p, float64 t0, float64 h, float64 end, int64 first, int64 max_steps,"
    "int64 step_budget, int64 n, int64 m, int64* counters, float64* t_stage, float64* y, float64* y_old,"
    "float64* slopes, float64* work, float64* times, float64* states"
)


class Rk4(CompiledIntegration):
    """An integration by the classical method: step k ends at t0 + k h, but the last one before a break point there.

    Samples at the ends of steps are the method's own states; between them runs the cubic through the states
    and slopes at both ends of the step, whose error is of order 4 as well.

    Notes
    -----
    [Kutta1901]; [HNW93] table II.1.2 and section II.6 (interpolation).
    """

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self.y, n = np.array(problem.y0, dtype=float), problem.y0.size
        self._counters, self._slopes = np.zeros(4, dtype=np.int64), np.empty((2, n))
        self._arrays = {
            "counters": self._counters, "t_stage": np.empty(1), "y": self.y, "y_old": self.y.copy(),
            "slopes": self._slopes, "work": np.empty((4, n)),
        }  # fmt: skip
        self._restart(problem)

    def _restart(self, problem: InitialValueProblem) -> None:
        assert problem.step is not None  # `start` sees to it
        self._start, self._first, self._step, self._end = problem.t0, self.steps, problem.step, problem.end
        self.y[:] = problem.y0
        self._slopes[:] = problem.rhs(problem.t0, self.y, problem.p)
        self._counters[EVALUATIONS] += 1
        self._kernel = Kernel(
            "solvers.rk4.kernel.advance", SIGNATURE, **self._problem_arguments(problem), **self._arrays
        )
        if not np.all(np.isfinite(self._slopes)):
            self.failure = self._failure(NOT_FINITE)

    def _problem_arguments(self, problem: InitialValueProblem) -> dict[str, Any]:
        """Arguments of a kernel by name: the problem from the present interval on."""
        return {
            "address": problem.rhs.address, "p": problem.p, "n_p": problem.p.size, "n": self.y.size,
            "t0": problem.t0, "h": problem.step, "end": problem.end, "first": self._first,
            "max_steps": problem.max_steps,
        }  # fmt: skip

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return min(self._start + (self.steps - self._first) * self._step, self._end)

    def _failure(self, status: int) -> Failure:
        if status != NOT_FINITE or self.steps == 0:
            return super()._failure(status)
        return Failure(
            self.t,
            "the state becomes infinite or undefined",
            "shorten the step (rk4 needs less than 2.8 / the highest angular frequency of the arm), try "
            "method: dop853, which chooses its steps, or look for an expression that is undefined here",
        )

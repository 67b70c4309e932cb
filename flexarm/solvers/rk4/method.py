"""The classical Runge-Kutta method of order 4 with a fixed step, as the papers' own programs use it."""

from __future__ import annotations

from ctypes import c_double, c_int64, c_uint64, c_void_p

import numpy as np

from flexarm.solvers.base import Failure, Problem
from flexarm.solvers.compiled.kernel_code import native_kernel
from flexarm.solvers.compiled.time_slices import EVALUATIONS, NOT_FINITE, CompiledIntegration

# address, p, n_p, t0, h, max_steps, budget, n, m and eight arrays
ARGUMENTS = (c_uint64, c_void_p, c_int64, *(c_double,) * 2, *(c_int64,) * 4, *(c_void_p,) * 8)


class Rk4(CompiledIntegration):
    """An integration by the classical method: step k ends at t0 + k h.

    Samples at the ends of steps are the method's own states; between them runs the cubic through the states
    and slopes at both ends of the step, whose error is of order 4 as well.

    Notes
    -----
    W. Kutta, Z. Math. Phys. 46 (1901) 435; E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
    Equations I, 2nd ed. (1993), table II.1.2 and section II.6 (interpolation).
    """

    def __init__(self, problem: Problem):
        super().__init__(problem, native_kernel("rk4.kernel", *ARGUMENTS))
        assert problem.step is not None  # `start` sees to it
        self._step = problem.step
        self.y, n, p = np.array(problem.y0, dtype=float), problem.y0.size, problem.p
        self._count = np.zeros(4, dtype=np.int64)
        self._count[EVALUATIONS] = 1
        self._slopes = np.tile(problem.rhs(problem.t0, self.y, p), (2, 1))
        arrays = (self._count, np.empty(1), self.y, self.y.copy(), self._slopes, np.empty((4, n)))
        self._bind((p.ctypes.data, p.size, problem.t0, problem.step, problem.max_steps), arrays)
        if not np.all(np.isfinite(self._slopes)):
            self.failure = self._failure(NOT_FINITE)

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return self.problem.t0 + self.steps * self._step

    def _failure(self, status: int) -> Failure:
        if status != NOT_FINITE or self.steps == 0:
            return super()._failure(status)
        return Failure(
            self.t,
            "the state becomes infinite or undefined",
            "shorten the step (rk4 needs less than 2.8 / the highest angular frequency of the arm), try "
            "method: dop853, which chooses its steps, or look for an expression that is undefined here",
        )

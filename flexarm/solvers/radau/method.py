"""Radau IIA of order 5: implicit Runge-Kutta method for stiff equations, with the exact Jacobian."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.solvers.base import Failure, InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.compiled.status import (
    JACOBIAN_NOT_FINITE,
    STARTING,
    STATUS,
    STEP_TOO_SMALL,
    TOO_MANY_STEPS,
)
from flexarm.solvers.compiled.time_slices import CompiledIntegration
from flexarm.solvers.intervals import INTERVAL_ROWS
from flexarm.solvers.radau.layout import (
    CAUSE,
    COUNTER_ENTRIES,
    END,
    ERROR_TOO_LARGE,
    H_NEXT,
    INDEX_ROWS,
    LIMIT_ENTRIES,
    MATRIX_ROWS,
    MAX_STEP,
    NO_CONVERGENCE,
    SINGULAR,
    T_OLD,
    TIME_ENTRIES,
    VECTOR_ROWS,
    T,
    Y,
)

SIGNATURE = Signature(
    "uint64* addresses, float64* p, int64 n_p, float64* jacobian_p, int64 n_jacobian_p, int64 step_budget, int64 n,"
    "int64 m, int64* counters, float64* stage_time, float64* step_times, float64* limits, float64* vectors,"
    "float64* matrices, int64* indices, float64* intervals, int64 n_intervals, float64* times, float64* states"
)

NEWTON_SHARE = 0.3
"""Part of the tolerance of Newton's iteration in RADAU5, with which the error of a step does not notice it."""
FIRST_BUDGET = 10
"""Steps of the first call: their matrices may take milliseconds each."""

_CAUSES = {
    ERROR_TOO_LARGE: "its estimated error stays too large",
    NO_CONVERGENCE: "Newton's iteration does not converge",
    SINGULAR: "its linear equations are singular",
}
_MORE_STEPS = (
    "if nothing in the arm is stiff or strongly damped try method: dop853; "
    "otherwise loosen rtol or raise max_steps"
)
_REMEDY = "check the arm's configuration, drives and loads at this time, loosen rtol, or try method: dop853"


class Radau(CompiledIntegration):
    """An integration by Radau IIA of order 5, which is L-stable.

    Between the ends of a step runs the collocation polynomial, a cubic, whose error counts in that of the step.

    Notes
    -----
    [HW96] section IV.8 describes the method and its control as in the program RADAU5. Differs from source: the
    tolerances are those of the estimate, of order 3, as they stand (RADAU5 loosens tight ones), so that they hold for
    the cubic as well; safety factors are smaller; a correction below the tolerance of Newton's iteration that does not
    get smaller counts as round-off; the linear equations are reduced, see `linear_equations`.
    """

    crosses_break_points = True

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self._budget.steps = FIRST_BUDGET
        jacobian, n = problem.jacobian, problem.y0.size
        assert jacobian is not None  # `start` sees to it
        self._counters = np.zeros(COUNTER_ENTRIES, dtype=np.int64)
        self._step_times, self._limits = np.zeros(TIME_ENTRIES), np.zeros(LIMIT_ENTRIES)
        vectors, crossed = np.zeros((VECTOR_ROWS, n)), problem.crossed_intervals
        intervals = np.empty((INTERVAL_ROWS, 1)) if crossed is None else crossed.rows
        self.y = vectors[Y]
        self._arguments = {
            "addresses": np.array([problem.rhs.address, jacobian.f.address], dtype=np.uint64),
            "p": problem.p, "n_p": problem.p.size, "jacobian_p": jacobian.h, "n_jacobian_p": jacobian.h.size,
            "n": n, "counters": self._counters, "stage_time": np.zeros(1), "step_times": self._step_times,
            "limits": self._limits, "vectors": vectors, "matrices": np.zeros((MATRIX_ROWS, n, n)),
            "indices": np.zeros((INDEX_ROWS, n), dtype=np.int64), "intervals": intervals,
            "n_intervals": intervals.shape[1],
        }  # fmt: skip
        round_off = 10 * np.finfo(float).eps / problem.rtol
        newton_tolerance = max(round_off, NEWTON_SHARE * min(0.03, problem.rtol**0.5))
        self._limits[:] = np.inf, problem.max_steps, np.inf, problem.rtol, problem.atol, newton_tolerance
        self._kernel = Kernel("solvers.radau.kernel.advance", SIGNATURE, **self._arguments)
        self._restart(problem)
        self._run(np.empty(0), np.empty(0), 0)  # first slope and statistics, no step
        if problem.first_step is not None:
            self._step_times[H_NEXT] = problem.first_step
        self._update_failure()

    def _restart(self, problem: InitialValueProblem) -> None:
        self.y[:] = problem.y0
        self._limits[[MAX_STEP, END]] = problem.max_step, problem.end
        self._step_times[[T, T_OLD]] = problem.t0
        self._counters[STATUS] = STARTING

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return float(self._step_times[T])

    def _failure(self, status: int) -> Failure:
        if status == JACOBIAN_NOT_FINITE:
            return Failure(self.t, "the equations' derivatives have no finite value here", _REMEDY)
        if status == STEP_TOO_SMALL:
            cause = _CAUSES[int(self._counters[CAUSE])]
            return Failure(self.t, f"no step from here succeeds, however short: {cause}", _REMEDY)
        failure = super()._failure(status)
        return replace(failure, remedy=_MORE_STEPS) if status == TOO_MANY_STEPS else failure

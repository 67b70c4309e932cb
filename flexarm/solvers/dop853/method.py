"""DOP853: explicit Runge-Kutta method of order 8 with step-size control and dense output of order 7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import CompiledJump, InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.compiled.status import STARTING, STATUS
from flexarm.solvers.compiled.time_slices import CompiledIntegration
from flexarm.solvers.dop853.kernels.stiffness import near_limit
from flexarm.solvers.dop853.layout import (
    COUNTER_ROWS,
    DENSE_ROWS,
    END,
    FILLED,
    H_NEXT,
    MAX_STEP,
    STEP_TIME_ROWS,
    T_OLD,
    WORK_ROWS,
    T,
)
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE
from flexarm.solvers.intervals import INTERVAL_ROWS, Intervals

SIGNATURE = Signature(
    "uint64 address, float64* p, int64 n_p, int64 step_budget, int64 n, int64 m,"
    "int64* counters, float64* step_times, float64* limits, float64* tolerances, float64* y, float64* y_old,"
    "float64* k, float64* work, float64* dense, float64* intervals, int64 n_intervals,"
    "uint64 jump_address, float64* jump_p, int64 n_jump_p, float64* jump_rows, int64 n_jumps, int64 n_row,"
    "float64* jump_state, float64* times, float64* states"
)


class Dop853Arrays:
    """The arrays that the kernel carries on, for as many integrations of the same equations as these have lanes.

    Parameters
    ----------
    problems : sequence of InitialValueProblem
    makes_jumps : bool
        Whether the kernel makes the jumps of the state, if they are in machine code; of one problem.

    Notes
    -----
    [HNW93] sections II.4 to II.6 and Hairer's program dop853.f. Coefficients, error estimate and dense output are
    Hairer's; the first step is his with a bound, see `first_step`, and the step-size control is described in `steps`.
    """

    def __init__(self, problems: Sequence[InitialValueProblem], makes_jumps: bool = False):
        self.rhs = problems[0].rhs
        n, lanes = problems[0].y0.size, self.rhs.lanes
        self.p = np.array([problem.p for problem in problems]).T.copy()
        limits = [(each.max_step, each.max_steps, each.end, near_limit(each.rtol)) for each in problems]
        self.limits = np.array(limits).T.copy()
        tolerances = np.array([(problem.rtol, problem.atol) for problem in problems])
        jump = problems[0].jump if makes_jumps else None
        self.jump = jump if isinstance(jump, CompiledJump) else None
        self.intervals = _intervals(
            [each.crossed_intervals if self.jump is None else each.jumped_intervals for each in problems]
        )
        self._jump_state = np.zeros(n + (0 if self.jump is None else self.jump.rows.shape[1]))
        self.tolerances = np.repeat(tolerances.T[:, None], n, axis=1)
        self.counters = np.zeros((COUNTER_ROWS, lanes), dtype=np.int64)
        self.counters[STATUS] = STARTING
        self.step_times = np.zeros((STEP_TIME_ROWS, lanes))
        self.step_times[H_NEXT] = np.inf
        self.step_times[[T, T_OLD]] = [problem.t0 for problem in problems]
        states = np.zeros((2 + WORK_ROWS + N_STAGES_DENSE + DENSE_ROWS, n, lanes))
        self.y, self.y_old = states[:2]
        self.work, self.k, self.dense = np.split(states[2:], np.cumsum([WORK_ROWS, N_STAGES_DENSE]))
        self.y[:] = np.array([problem.y0 for problem in problems]).T

    def restart(self, lane: int, problem: InitialValueProblem) -> None:
        """Start anew in a lane from t0 and y0 of a problem, up to its end; the counters go on."""
        self.limits[[MAX_STEP, END], lane] = problem.max_step, problem.end
        self.set_start(lane, problem.t0, problem.y0)

    def set_start(self, lane: int, t: float, y: NDArray[np.float64]) -> None:
        """Start anew in a lane from a time [s] and a state (n,)."""
        self.y[:, lane] = y
        self.step_times[T, lane] = self.step_times[T_OLD, lane] = t
        self.step_times[H_NEXT, lane] = np.inf
        self.counters[STATUS, lane] = STARTING

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of the kernel by name, but for the budget of steps and the samples."""
        return {
            "address": self.rhs.address,
            "p": self.p,
            "n_p": len(self.p),
            "n": len(self.y),
            "counters": self.counters,
            "step_times": self.step_times,
            "limits": self.limits,
            "tolerances": self.tolerances,
            "y": self.y,
            "y_old": self.y_old,
            "k": self.k,
            "work": self.work,
            "dense": self.dense,
            "intervals": self.intervals,
            "n_intervals": self.intervals.shape[1],
            **self._jump_arguments,
        }

    @property
    def _jump_arguments(self) -> dict[str, Any]:
        address, p, rows = (0, np.empty(0), np.empty((0, 0)))
        if self.jump is not None:
            address, p, rows = self.jump.f.address, self.jump.p, self.jump.rows
        return {
            "jump_address": address,
            "jump_p": p,
            "n_jump_p": p.size,
            "jump_rows": rows,
            "n_jumps": len(rows),
            "n_row": rows.shape[1],
            "jump_state": self._jump_state,
        }


def _intervals(crossed: Sequence[Intervals | None]) -> NDArray[np.float64]:
    """Intervals (INTERVAL_ROWS, n_intervals, lanes) [s] that the kernel goes through by itself.

    One that starts at infinity is none. Of other problems the kernel knows the present interval alone: what happens at
    its end is none of its business.
    """
    most = max((own.starts.size for own in crossed if own is not None), default=1)
    found = np.full((INTERVAL_ROWS, most, len(crossed)), np.inf)
    for lane, own in enumerate(crossed):
        if own is not None:
            found[:, : own.starts.size, lane] = own.rows
    return found


class Dop853(CompiledIntegration):
    """An integration by DOP853, see :class:`Dop853Arrays`."""

    crosses_break_points = makes_jumps = True
    kernel_name: ClassVar[str] = "solvers.dop853.kernels.kernel.advance"
    signature: ClassVar[Signature] = SIGNATURE

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self._state = Dop853Arrays([problem], self.makes_jumps)
        self._step_times, self._counters = self._state.step_times[:, 0], self._state.counters[:, 0]
        self.y = self._state.y[:, 0]
        self._kernel = Kernel(self.kernel_name, self.signature, **self._state.arguments)
        self._run(np.empty(0), np.empty(0), 0)  # first slopes and statistics, no step
        self._update_failure()

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return float(self._step_times[T])

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], step_budget: int) -> int:
        self._counters[FILLED] = 0
        return super()._run(times, states, step_budget)

    def _restart(self, problem: InitialValueProblem) -> None:
        self._state.restart(0, problem)

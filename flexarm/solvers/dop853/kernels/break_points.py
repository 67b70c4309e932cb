"""Break points of the right-hand side of DOP853, compiled: from the end of an interval to the start of the next."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from flexarm.codegen.kernels.language import call, compiled
from flexarm.solvers.compiled.status import CONTINUING, EVALUATIONS, NOT_FINITE, RUNNING, STATUS
from flexarm.solvers.dop853.kernels.dense_output import waits_for_samples
from flexarm.solvers.dop853.layout import (
    END,
    ERROR,
    HAS_DENSE,
    INTERVAL,
    MAX_STEP,
    T_OLD,
    H,
    T,
)
from flexarm.solvers.dop853.tableau import N_STAGES
from flexarm.solvers.intervals import INTERVAL_END, INTERVAL_MAX_STEP, INTERVAL_START


class Jumps(NamedTuple):
    """Jumps of the state at break points: see :class:`~flexarm.solvers.base.CompiledJump`; rows without columns: none.

    Attributes
    ----------
    state : (n + n_row,)
        Memory for what the function reads.
    """

    address: Any
    p: Any
    rows: Any
    state: Any


@compiled
def cross_break_points(
    address, p, limits, intervals, step_times, counters, y, y_old, k, work, dense, times, jumps
):
    """Go on in the next interval in the lanes that are at the end of one before their samples.

    The state is continuous, or jumps where there is one lane; the slope is evaluated anew. The step keeps its size, as
    that before the last, which was cut to end here: error control shortens it where the change of the slope asks for
    that.
    """
    continuing = 0
    for lane in range(step_times.shape[1]):
        following = counters[INTERVAL, lane] + 1
        if (
            step_times[T, lane] >= limits[END, lane]
            and waits_for_samples(lane, counters, times)
            and following < intervals.shape[1]
            and math.isfinite(intervals[INTERVAL_START, following, lane])
        ):
            counters[INTERVAL, lane] = following
            step_times[T, lane] = intervals[INTERVAL_START, following, lane]
            limits[END, lane] = intervals[INTERVAL_END, following, lane]
            limits[MAX_STEP, lane] = intervals[INTERVAL_MAX_STEP, following, lane]
            counters[STATUS, lane] = CONTINUING
            if step_times.shape[1] == 1 and jumps.rows.shape[1] > 0:
                _jump(following - 1, step_times, counters, y, y_old, dense, jumps)
        continuing += counters[STATUS, lane] == CONTINUING
    if continuing:
        evaluate_slopes(address, p, step_times, counters, y, k, work[3])


@compiled
def _jump(index, step_times, counters, y, y_old, dense, jumps):
    """State after a break point, which is also what samples have until the next step."""
    for i in range(y.size):
        jumps.state[i] = y[i]
    for i in range(jumps.rows.shape[1]):
        jumps.state[y.size + i] = jumps.rows[index, i]
    call(jumps.address, step_times[T], jumps.state, jumps.p, y)
    step_times[T_OLD, 0], step_times[H, 0] = step_times[T, 0], 1.0
    counters[HAS_DENSE, 0] = 1
    for i in range(y.size):
        y_old[i] = y[i]
        for row in range(dense.shape[0]):
            dense[row, i] = 0.0


@compiled
def evaluate_slopes(address, p, step_times, counters, y, k, slope):
    """Slope at the present time and state in the lanes that continue."""
    lanes = step_times.shape[1]
    call(address, step_times[T], y, p, slope)
    for lane in range(lanes):
        if counters[STATUS, lane] == CONTINUING:
            size = 0.0
            for i in range(lane, y.size, lanes):
                k[N_STAGES - 1, i] = slope[i]
                size += abs(slope[i])
            step_times[ERROR, lane] = 0.0
            counters[EVALUATIONS, lane] += 1
            counters[STATUS, lane] = RUNNING if math.isfinite(size) else NOT_FINITE

"""Break points of the right-hand side of Radau IIA, compiled: from the end of an interval to the start of the next."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import call, compiled
from flexarm.solvers.compiled.status import EVALUATIONS, NOT_FINITE, STATUS
from flexarm.solvers.intervals import INTERVAL_END, INTERVAL_MAX_STEP, INTERVAL_START
from flexarm.solvers.radau.layout import (
    END,
    INTERVAL,
    IS_FRESH,
    MAX_STEP,
    SLOPE,
    STEPS_SINCE_START,
    T,
    Y,
)


@compiled
def cross_break_point(addresses, p, stage_time, limits, intervals, step_times, counters, vectors):
    """Go on in the next interval from the end of the present one; False if there is none.

    The state is continuous, the slope is not: it is evaluated anew, and the last step's polynomial is not carried on.
    The step keeps its size, and the matrices serve as long as the iteration converges with them.
    """
    following = counters[INTERVAL] + 1
    if following >= intervals.shape[1]:
        return False
    counters[INTERVAL] = following
    step_times[T], limits[END] = intervals[INTERVAL_START, following], intervals[INTERVAL_END, following]
    limits[MAX_STEP] = intervals[INTERVAL_MAX_STEP, following]
    stage_time[0] = step_times[T]
    call(addresses[0], stage_time, vectors[Y], p, vectors[SLOPE])
    size = 0.0
    for i in range(vectors.shape[1]):
        size += abs(vectors[SLOPE, i])
    if not math.isfinite(size):
        counters[STATUS] = NOT_FINITE
    counters[EVALUATIONS] += 1
    counters[STEPS_SINCE_START], counters[IS_FRESH] = 0, 0
    return True

"""How an integration by DOP853 begins, compiled: the slope at its state, and the length of its first step."""

from __future__ import annotations

import math

from flexarm.solvers.compiled.native_calls import call_native
from flexarm.solvers.compiled.time_slices import EVALUATIONS, NOT_FINITE, RUNNING, STARTING, STATUS
from flexarm.solvers.dop853.layout import (
    ABSOLUTE,
    ACTIVE,
    AT,
    ERROR,
    FIRST_ERROR,
    H_NEXT,
    HAS_DENSE,
    LAST_ERROR,
    MAX_STEP,
    RELATIVE,
    TRIED,
    H,
    T,
)
from flexarm.solvers.dop853.stages import compiled, spread_out, stage_times
from flexarm.solvers.dop853.tableau import N_STAGES


@compiled
def begin(address, p, limits, tolerances, clock, count, y, y_old, k, work, dense):
    """Start in the lanes that are to go on from another state: its slope, and a first step (Hairer's HINIT)."""
    lanes = clock.shape[1]
    h, y_trial, slope = work[0], work[1], work[2]
    starting = 0
    for lane in range(lanes):
        count[ACTIVE, lane] = count[STATUS, lane] == STARTING
        starting += count[ACTIVE, lane]
    if not starting:
        return
    call_native(address, clock[T], y, p, slope)
    for lane in range(lanes):
        clock[TRIED, lane] = 0.0
        if count[ACTIVE, lane]:
            for i in range(lane, y.size, lanes):
                y_old[i], k[N_STAGES - 1, i] = y[i], slope[i]
                for row in range(dense.shape[0]):
                    dense[row, i] = 0.0  # before the first step there is the constant y to interpolate
            size, rate = _norm(lane, lanes, y, y, tolerances), _norm(lane, lanes, slope, y, tolerances)
            clock[TRIED, lane] = 1e-6 if min(size, rate) < 1e-5 else 0.01 * size / rate
    spread_out(clock[TRIED], h)
    for i in range(y.size):
        y_trial[i] = y[i] + h[i] * slope[i]
    stage_times(clock, T, TRIED)
    call_native(address, clock[AT + N_STAGES - 1], y_trial, p, slope)
    for lane in range(lanes):
        if not count[ACTIVE, lane]:
            continue
        finite = True
        for i in range(lane, y.size, lanes):
            slope[i] -= k[N_STAGES - 1, i]
            finite = finite and math.isfinite(k[N_STAGES - 1, i])
        tried, rate = clock[TRIED, lane], _norm(lane, lanes, k[N_STAGES - 1], y, tolerances)
        largest = max(rate, _norm(lane, lanes, slope, y, tolerances) / tried)
        accurate = max(1e-6, 1e-3 * tried) if largest <= 1e-15 else (0.01 / largest) ** 0.125
        first = min(min(100 * tried, accurate), min(clock[H_NEXT, lane], limits[MAX_STEP, lane]))
        clock[H_NEXT, lane] = first if math.isfinite(first) and first > 0.0 else 1e-6
        clock[H, lane], clock[LAST_ERROR, lane], clock[ERROR, lane] = 1.0, FIRST_ERROR, 0.0
        count[HAS_DENSE, lane] = 1
        count[EVALUATIONS, lane] += 2
        count[STATUS, lane] = RUNNING if finite else NOT_FINITE


@compiled
def _norm(lane, lanes, x, y, tolerances):
    """Size of a vector in a lane over the error that its state y allows."""
    total = 0.0
    for i in range(lane, x.size, lanes):
        total += (x[i] / (tolerances[ABSOLUTE, i] + tolerances[RELATIVE, i] * abs(y[i]))) ** 2
    return math.sqrt(total / (x.size // lanes))

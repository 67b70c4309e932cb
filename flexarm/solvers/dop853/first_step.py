"""The first step of DOP853, compiled: the slope at the initial state, and the initial step size."""

from __future__ import annotations

import math

from flexarm.solvers.compiled.native_calls import call_native
from flexarm.solvers.compiled.status import EVALUATIONS, NOT_FINITE, RUNNING, STARTING, STATUS
from flexarm.solvers.dop853.layout import (
    ABSOLUTE,
    ACTIVE,
    ERROR,
    FIRST_ERROR,
    H_NEXT,
    HAS_DENSE,
    LAST_ERROR,
    MAX_STEP,
    RELATIVE,
    STAGE_TIMES,
    TRIAL_STEP,
    H,
    T,
)
from flexarm.solvers.dop853.stages import broadcast_lanes, compiled, stage_times
from flexarm.solvers.dop853.tableau import N_STAGES


@compiled
def first_step(address, p, limits, tolerances, step_times, counters, y, y_old, k, work, dense):
    """Slope and initial step size in the lanes that start: Hairer's HINIT, [HNW93] section II.4."""
    lanes = step_times.shape[1]
    h, y_trial, slope = work[0], work[1], work[2]
    starting = 0
    for lane in range(lanes):
        counters[ACTIVE, lane] = counters[STATUS, lane] == STARTING
        starting += counters[ACTIVE, lane]
    if not starting:
        return
    call_native(address, step_times[T], y, p, slope)
    for lane in range(lanes):
        step_times[TRIAL_STEP, lane] = 0.0
        if counters[ACTIVE, lane]:
            for i in range(lane, y.size, lanes):
                y_old[i], k[N_STAGES - 1, i] = y[i], slope[i]
                for row in range(dense.shape[0]):
                    dense[row, i] = 0.0  # before the first step there is the constant y to interpolate
            d_0, d_1 = _norm(lane, lanes, y, y, tolerances), _norm(lane, lanes, slope, y, tolerances)
            step_times[TRIAL_STEP, lane] = 1e-6 if min(d_0, d_1) < 1e-5 else 0.01 * d_0 / d_1
    broadcast_lanes(step_times[TRIAL_STEP], h)
    for i in range(y.size):
        y_trial[i] = y[i] + h[i] * slope[i]
    stage_times(step_times, T, TRIAL_STEP)
    call_native(address, step_times[STAGE_TIMES + N_STAGES - 1], y_trial, p, slope)
    for lane in range(lanes):
        if not counters[ACTIVE, lane]:
            continue
        finite = True
        for i in range(lane, y.size, lanes):
            slope[i] -= k[N_STAGES - 1, i]
            finite = finite and math.isfinite(k[N_STAGES - 1, i])
        h_0, d_1 = step_times[TRIAL_STEP, lane], _norm(lane, lanes, k[N_STAGES - 1], y, tolerances)
        d_2 = _norm(lane, lanes, slope, y, tolerances) / h_0
        d = max(d_1, d_2)
        h_1 = max(1e-6, 1e-3 * h_0) if d <= 1e-15 else (0.01 / d) ** 0.125
        h_1 = min(min(100 * h_0, h_1), min(step_times[H_NEXT, lane], limits[MAX_STEP, lane]))
        step_times[H_NEXT, lane] = h_1 if math.isfinite(h_1) and h_1 > 0.0 else 1e-6
        step_times[H, lane], step_times[LAST_ERROR, lane], step_times[ERROR, lane] = 1.0, FIRST_ERROR, 0.0
        counters[HAS_DENSE, lane] = 1
        counters[EVALUATIONS, lane] += 2
        counters[STATUS, lane] = RUNNING if finite else NOT_FINITE


@compiled
def _norm(lane, lanes, x, y, tolerances):
    """Root mean square of a vector in a lane, weighted by the tolerances at the state y."""
    total = 0.0
    for i in range(lane, x.size, lanes):
        total += (x[i] / (tolerances[ABSOLUTE, i] + tolerances[RELATIVE, i] * abs(y[i]))) ** 2
    return math.sqrt(total / (x.size // lanes))

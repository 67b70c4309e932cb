"""The first step of DOP853, compiled: the slope at the initial state, and the initial step size."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import call, compiled
from flexarm.solvers.compiled.status import EVALUATIONS, NOT_FINITE, RUNNING, STARTING, STATUS
from flexarm.solvers.dop853.kernels.stages import broadcast_lanes, stage_times
from flexarm.solvers.dop853.layout import (
    ABSOLUTE,
    ACTIVE,
    ERROR,
    FIRST_ERROR,
    FREQUENCY,
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
from flexarm.solvers.dop853.tableau import N_STAGES

_STABLE = 6.0
"""Step times fastest frequency up to which DOP853 does not magnify an oscillation."""


@compiled
def first_step(address, p, limits, tolerances, step_times, counters, y, y_old, k, work, dense):
    """Slope and initial step size in the lanes that start: Hairer's HINIT, [HNW93] section II.4, and a bound.

    Differs from source: HINIT sees nothing of the frequencies of an arm at rest, where f(y) = (0, round-off) and one
    Euler step changes positions alone. Its step may be a thousand periods of the fastest mode; error estimate and
    accelerations then are below the tolerance, but the dense output, whose degree is higher, magnifies their
    round-off further. A second application of the Jacobian J to x = h_0 f shows the frequency, (|J J x| / |x|)^(1/2).
    It does so where h_0 f_t, which the Euler step also sees, is small beside J x. At rest under a load that grows f is
    round-off and f_t is not: so a frequency that would bound the step is confirmed with J J u, where u is as large as
    the tolerance and has the direction of what the Euler step has changed. And a state below the tolerance counts as
    zero: round-off alone, where a slip begins, says nothing of a step.
    """
    lanes = step_times.shape[1]
    h, y_trial, slope, change = work[0], work[1], work[2], work[3]
    starting = 0
    for lane in range(lanes):
        counters[ACTIVE, lane] = counters[STATUS, lane] == STARTING
        starting += counters[ACTIVE, lane]
    if not starting:
        return
    call(address, step_times[T], y, p, slope)
    for lane in range(lanes):
        step_times[TRIAL_STEP, lane] = 0.0
        if counters[ACTIVE, lane]:
            for i in range(lane, y.size, lanes):
                y_old[i], k[N_STAGES - 1, i] = y[i], slope[i]
                for row in range(dense.shape[0]):
                    dense[row, i] = 0.0  # before the first step there is the constant y to interpolate
            d_0, d_1 = _norm(lane, lanes, y, y, tolerances), _norm(lane, lanes, slope, y, tolerances)
            step_times[TRIAL_STEP, lane] = 1e-6 if d_0 < 1.0 or d_1 < 1e-5 else 0.01 * d_0 / d_1
    broadcast_lanes(step_times[TRIAL_STEP], h)
    for i in range(y.size):
        y_trial[i] = y[i] + h[i] * slope[i]
    stage_times(step_times, T, TRIAL_STEP)
    call(address, step_times[STAGE_TIMES + N_STAGES - 1], y_trial, p, change)
    for lane in range(lanes):
        if counters[ACTIVE, lane]:
            for i in range(lane, y.size, lanes):
                change[i] -= k[N_STAGES - 1, i]
            size = _norm(lane, lanes, change, y, tolerances)
            for i in range(lane, y.size, lanes):  # by as much as the tolerance
                y_trial[i] = y[i] + change[i] / size if size > 0.0 else y[i]
    call(address, step_times[T], y_trial, p, slope)
    bounded = 0
    for lane in range(lanes):
        if not counters[ACTIVE, lane]:
            continue
        finite = True
        for i in range(lane, y.size, lanes):
            slope[i] -= k[N_STAGES - 1, i]
            finite = finite and math.isfinite(k[N_STAGES - 1, i])
        h_0, d_1 = step_times[TRIAL_STEP, lane], _norm(lane, lanes, k[N_STAGES - 1], y, tolerances)
        size, turned = _norm(lane, lanes, change, y, tolerances), _norm(lane, lanes, slope, y, tolerances)
        d = max(d_1, size / h_0)
        h_1 = max(1e-6, 1e-3 * h_0) if d <= 1e-15 else (0.01 / d) ** 0.125
        h_1 = min(min(100 * h_0, h_1), min(step_times[H_NEXT, lane], limits[MAX_STEP, lane]))
        step_times[H_NEXT, lane] = h_1 if math.isfinite(h_1) and h_1 > 0.0 else 1e-6
        frequency = math.sqrt(turned * size / (h_0 * d_1)) if d_1 > 0.0 else 0.0
        step_times[FREQUENCY, lane] = frequency
        for i in range(lane, y.size, lanes):
            y_trial[i] = y[i] + slope[i] / turned if turned > 0.0 else y[i]
        counters[ACTIVE, lane] = step_times[H_NEXT, lane] * frequency > _STABLE
        bounded += counters[ACTIVE, lane]
        step_times[H, lane], step_times[LAST_ERROR, lane], step_times[ERROR, lane] = 1.0, FIRST_ERROR, 0.0
        counters[HAS_DENSE, lane] = 1
        counters[EVALUATIONS, lane] += 3
        counters[STATUS, lane] = RUNNING if finite else NOT_FINITE
    if bounded:
        call(address, step_times[T], y_trial, p, change)
        for lane in range(lanes):
            if counters[ACTIVE, lane]:
                for i in range(lane, y.size, lanes):
                    change[i] -= k[N_STAGES - 1, i]
                size, turned = (
                    _norm(lane, lanes, change, y, tolerances),
                    _norm(lane, lanes, slope, y, tolerances),
                )
                frequency = min(step_times[FREQUENCY, lane], math.sqrt(turned * size))
                if step_times[H_NEXT, lane] * frequency > _STABLE:
                    step_times[H_NEXT, lane] = _STABLE / frequency
                counters[EVALUATIONS, lane] += 1


@compiled
def _norm(lane, lanes, x, y, tolerances):
    """Root mean square of a vector in a lane, weighted by the tolerances at the state y."""
    total = 0.0
    for i in range(lane, x.size, lanes):
        total += (x[i] / (tolerances[ABSOLUTE, i] + tolerances[RELATIVE, i] * abs(y[i]))) ** 2
    return math.sqrt(total / (x.size // lanes))

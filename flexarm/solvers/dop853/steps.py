"""The steps of DOP853, compiled: tried in every lane, and taken where they are accurate enough."""

from __future__ import annotations

import math

from flexarm.solvers.compiled.time_slices import (
    EVALUATIONS,
    NOT_FINITE,
    REJECTED,
    RUNNING,
    STATUS,
    STEP_TOO_SMALL,
    STEPS,
    TOO_MANY_STEPS,
)
from flexarm.solvers.dop853.layout import (
    ABSOLUTE,
    ACTIVE,
    ERROR,
    FIRST_ERROR,
    GROWTH,
    H_NEXT,
    HAS_DENSE,
    LAST_ERROR,
    MAX_STEP,
    MAX_TRIED,
    RELATIVE,
    T_OLD,
    TRIED,
    H,
    T,
)
from flexarm.solvers.dop853.stages import compiled, spread_out, stage, stage_times
from flexarm.solvers.dop853.tableau import N_STAGES
from flexarm.solvers.dop853.weighted_sums import ERROR_3, ERROR_5, weighted_sum

# After a step whose error was e, the one before it e', h is multiplied by 0.9 e^(-0.6/8) e'^(0.2/8): Soderlind's PI.4.2
# (ACM Trans. Math. Softw. 29 (2003) 1), which does not run against the limit of stability again and again as e^(-1/8)
# does. The limits of the factor are SciPy's, the least e' is Hairer's.
_SAFETY, _SHRINK, _GROW = 0.9, 0.2, 10.0
_EPSILON = 2.0**-52


@compiled
def _stages(address, p, clock, h, y, k, y_new):
    """k[s] = f(t + c_s h, y + h sum_j a_sj k[j]) for s = 1 to 12; the last of these states is the new one."""
    stage_times(clock, T, TRIED)
    stage(1, address, p, clock, h, y, k, y_new)
    stage(2, address, p, clock, h, y, k, y_new)
    stage(3, address, p, clock, h, y, k, y_new)
    stage(4, address, p, clock, h, y, k, y_new)
    stage(5, address, p, clock, h, y, k, y_new)
    stage(6, address, p, clock, h, y, k, y_new)
    stage(7, address, p, clock, h, y, k, y_new)
    stage(8, address, p, clock, h, y, k, y_new)
    stage(9, address, p, clock, h, y, k, y_new)
    stage(10, address, p, clock, h, y, k, y_new)
    stage(11, address, p, clock, h, y, k, y_new)
    stage(12, address, p, clock, h, y, k, y_new)


@compiled
def _error_norms(tolerances, clock, y, y_new, k, e5, e3):
    """Error of the step in every lane over the error allowed, Hairer's mixture of the estimates of order 5 and 3."""
    weighted_sum(ERROR_5, k, e5)
    weighted_sum(ERROR_3, k, e3)
    for i in range(y.size):
        before, after = abs(y[i]), abs(y_new[i])
        size = before if before > after else after  # max asks about NaN, and keeps the loop out of registers
        per_scale = 1.0 / (tolerances[ABSOLUTE, i] + tolerances[RELATIVE, i] * size)
        e5[i], e3[i] = (e5[i] * per_scale) ** 2, (e3[i] * per_scale) ** 2
    lanes = clock.shape[1]
    for lane in range(lanes):
        square_5, square_3, size = 0.0, 0.0, 0.0
        for i in range(lane, y.size, lanes):
            square_5 += e5[i]
            square_3 += e3[i]
            size += abs(y_new[i])
        mixture = square_5 + 0.01 * square_3
        if not math.isfinite(size):
            clock[ERROR, lane] = math.nan
        elif mixture == 0.0:
            clock[ERROR, lane] = 0.0
        else:
            clock[ERROR, lane] = clock[TRIED, lane] * square_5 / math.sqrt(mixture * (y.size // lanes))


@compiled
def try_steps(address, p, limits, tolerances, clock, count, y, y_old, k, work):
    """Try a step in every active lane, and take it if it is accurate enough."""
    lanes = clock.shape[1]
    h, y_new = work[0], work[1]
    for lane in range(lanes):
        clock[TRIED, lane] = 0.0
        if not count[ACTIVE, lane]:
            continue
        tried = min(clock[H_NEXT, lane], limits[MAX_STEP, lane])
        if tried <= 10 * _EPSILON * abs(clock[T, lane]):
            count[STATUS, lane] = STEP_TOO_SMALL if math.isfinite(clock[ERROR, lane]) else NOT_FINITE
        elif count[STEPS, lane] + count[REJECTED, lane] >= limits[MAX_TRIED, lane]:
            count[STATUS, lane] = TOO_MANY_STEPS
        else:
            clock[TRIED, lane], clock[GROWTH, lane] = tried, 1.0
            if clock[ERROR, lane] < 1.0:  # the last one was taken: here is the slope where it ended
                clock[GROWTH, lane] = _GROW
                for i in range(lane, y.size, lanes):
                    k[0, i] = k[N_STAGES - 1, i]
        if count[STATUS, lane] != RUNNING:
            count[ACTIVE, lane] = 0
    spread_out(clock[TRIED], h)
    _stages(address, p, clock, h, y, k, y_new)
    _error_norms(tolerances, clock, y, y_new, k, work[2], work[3])
    for lane in range(lanes):
        if not count[ACTIVE, lane]:
            continue
        count[EVALUATIONS, lane] += N_STAGES - 1
        tried, error = clock[TRIED, lane], clock[ERROR, lane]
        if error < 1.0:
            for i in range(lane, y.size, lanes):
                y_old[i], y[i] = y[i], y_new[i]
            clock[T_OLD, lane], clock[H, lane] = clock[T, lane], tried
            clock[T, lane] += tried
            factor = _GROW if error == 0.0 else _SAFETY * (clock[LAST_ERROR, lane] / error**3) ** 0.025
            clock[H_NEXT, lane] = tried * min(clock[GROWTH, lane], max(_SHRINK, factor))
            clock[LAST_ERROR, lane] = max(error, FIRST_ERROR)
            count[STEPS, lane] += 1
            count[HAS_DENSE, lane] = 0
        else:
            factor = max(_SHRINK, _SAFETY * error**-0.125) if math.isfinite(error) else _SHRINK
            clock[H_NEXT, lane] = tried * factor
            count[REJECTED, lane] += 1

"""The steps of DOP853, compiled: a trial step in every lane, accepted where its error is small enough."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import compiled, registers
from flexarm.solvers.compiled.status import (
    EVALUATIONS,
    NOT_FINITE,
    REJECTED,
    RUNNING,
    STATUS,
    STEP_TOO_SMALL,
    STEPS,
    TOO_MANY_STEPS,
)
from flexarm.solvers.dop853.kernels.stages import broadcast_lanes, stage, stage_times, weighted_sum
from flexarm.solvers.dop853.layout import (
    ABSOLUTE,
    ACTIVE,
    END,
    ERROR,
    FACTOR_LIMIT,
    FIRST_ERROR,
    H_NEXT,
    HAS_DENSE,
    LAST_ERROR,
    MAX_STEP,
    MAX_TRIALS,
    RELATIVE,
    T_OLD,
    TRIAL_STEP,
    H,
    T,
)
from flexarm.solvers.dop853.tableau import ERROR_WEIGHTS_3, ERROR_WEIGHTS_5, N_STAGES

# PI step-size control: after a step whose error was e, the one before it e', h is multiplied by
# 0.9 e^(-0.6/8) e'^(0.2/8), the controller PI.4.2 of [Soderlind2003], which does not run against the limit of stability
# again and again as e^(-1/8) does [Gustafsson1991]. The limits of the factor are SciPy's, the least e' is Hairer's.
_SAFETY, _MIN_FACTOR, _MAX_FACTOR = 0.9, 0.2, 10.0
_EPSILON = 2.0**-52
_ALMOST = 1 - 1e-9
"""A step that reaches this part of what is left goes to the end."""


STAGES = tuple(range(1, N_STAGES))


@compiled
def _stages(address, p, step_times, h, y, k, y_new):
    """k[s] = f(t + c_s h, y + h sum_j a_sj k[j]) for s = 1 to 12; the last of these states is the new one."""
    stage_times(step_times, T, TRIAL_STEP)
    for s in STAGES:
        stage(s, address, p, step_times, h, y, k, y_new)


@compiled
def _error_norms(tolerances, step_times, y, y_new, k, e5, e3):
    """Error of the trial step in every lane over its tolerance: Hairer's mixture of the estimates of order 5 and 3."""
    for i in registers(y.size):
        size = max(abs(y[i]), abs(y_new[i]))
        per_scale = 1.0 / (tolerances[ABSOLUTE, i] + tolerances[RELATIVE, i] * size)
        e5[i] = (weighted_sum(ERROR_WEIGHTS_5, k, i) * per_scale) ** 2
        e3[i] = (weighted_sum(ERROR_WEIGHTS_3, k, i) * per_scale) ** 2
    lanes = step_times.shape[1]
    for lane in range(lanes):
        square_5, square_3, size = 0.0, 0.0, 0.0
        for i in range(lane, y.size, lanes):
            square_5 += e5[i]
            square_3 += e3[i]
            size += abs(y_new[i])
        mixture = square_5 + 0.01 * square_3
        if not math.isfinite(size):
            step_times[ERROR, lane] = math.nan
        elif mixture == 0.0:
            step_times[ERROR, lane] = 0.0
        else:
            step_times[ERROR, lane] = (
                step_times[TRIAL_STEP, lane] * square_5 / math.sqrt(mixture * (y.size // lanes))
            )


@compiled
def try_steps(address, p, limits, tolerances, step_times, counters, y, y_old, k, work):
    """Try a step in every active lane, and accept it if its error is below its tolerance."""
    lanes = step_times.shape[1]
    h, y_new = work[0], work[1]
    for lane in range(lanes):
        step_times[TRIAL_STEP, lane] = 0.0
        if not counters[ACTIVE, lane]:
            continue
        trial = min(step_times[H_NEXT, lane], limits[MAX_STEP, lane])
        left = limits[END, lane] - step_times[T, lane]
        if trial > _ALMOST * left:
            trial = left  # the last step: however short it is
        elif trial <= 10 * _EPSILON * abs(step_times[T, lane]):
            counters[STATUS, lane] = STEP_TOO_SMALL if math.isfinite(step_times[ERROR, lane]) else NOT_FINITE
        trials = counters[STEPS, lane] + counters[REJECTED, lane]
        if counters[STATUS, lane] != RUNNING:
            counters[ACTIVE, lane] = 0
        elif trials >= limits[MAX_TRIALS, lane]:
            counters[STATUS, lane], counters[ACTIVE, lane] = TOO_MANY_STEPS, 0
        else:
            step_times[TRIAL_STEP, lane], step_times[FACTOR_LIMIT, lane] = trial, 1.0
            if (
                step_times[ERROR, lane] < 1.0
            ):  # the last one was accepted: its last stage is the first of this one
                step_times[FACTOR_LIMIT, lane] = _MAX_FACTOR
                for i in range(lane, y.size, lanes):
                    k[0, i] = k[N_STAGES - 1, i]
    broadcast_lanes(step_times[TRIAL_STEP], h)
    _stages(address, p, step_times, h, y, k, y_new)
    _error_norms(tolerances, step_times, y, y_new, k, work[2], work[3])
    for lane in range(lanes):
        if not counters[ACTIVE, lane]:
            continue
        counters[EVALUATIONS, lane] += N_STAGES - 1
        trial, error = step_times[TRIAL_STEP, lane], step_times[ERROR, lane]
        if error < 1.0:
            for i in range(lane, y.size, lanes):
                y_old[i], y[i] = y[i], y_new[i]
            step_times[T_OLD, lane], step_times[H, lane] = step_times[T, lane], trial
            last = trial == limits[END, lane] - step_times[T, lane]
            step_times[T, lane] = limits[END, lane] if last else step_times[T, lane] + trial
            factor = (
                _MAX_FACTOR if error == 0.0 else _SAFETY * (step_times[LAST_ERROR, lane] / error**3) ** 0.025
            )
            following = trial * min(step_times[FACTOR_LIMIT, lane], max(_MIN_FACTOR, factor))
            if last:  # the next interval goes on with the step that this one has had
                following = max(following, step_times[H_NEXT, lane])
            step_times[H_NEXT, lane] = following
            step_times[LAST_ERROR, lane] = max(error, FIRST_ERROR)
            counters[STEPS, lane] += 1
            counters[HAS_DENSE, lane] = 0
        else:
            factor = max(_MIN_FACTOR, _SAFETY * error**-0.125) if math.isfinite(error) else _MIN_FACTOR
            step_times[H_NEXT, lane] = trial * factor
            counters[REJECTED, lane] += 1

"""The dense output of DOP853, compiled."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import compiled, registers
from flexarm.solvers.compiled.status import EVALUATIONS, RUNNING, STATUS
from flexarm.solvers.dop853.kernels.stages import broadcast_lanes, stage, stage_times, weighted_sum
from flexarm.solvers.dop853.layout import ACTIVE, FILLED, HAS_DENSE, T_OLD, H, T
from flexarm.solvers.dop853.tableau import DENSE_WEIGHTS, N_STAGES, N_STAGES_DENSE

DENSE_STAGES = tuple(range(N_STAGES, N_STAGES_DENSE))
DENSE_SUMS = tuple(enumerate(DENSE_WEIGHTS, start=3))


@compiled
def prepare_dense(address, p, step_times, counters, y, y_old, k, work, dense):
    """Evaluate three more stages of the last step and make its polynomials of degree 7, in the active lanes."""
    h, total, active = work[0], work[1], work[2]
    broadcast_lanes(step_times[H], h)
    broadcast_lanes(counters[ACTIVE], active)
    stage_times(step_times, T_OLD, H)
    for s in DENSE_STAGES:
        stage(s, address, p, step_times, h, y_old, k, total)
    for i in registers(y.size):
        takes_part = active[i] != 0.0
        difference = y[i] - y_old[i]
        dense[0, i] = difference if takes_part else dense[0, i]
        dense[1, i] = h[i] * k[0, i] - difference if takes_part else dense[1, i]
        bend = 2.0 * difference - h[i] * (k[N_STAGES - 1, i] + k[0, i])
        dense[2, i] = bend if takes_part else dense[2, i]
        for row, weights in DENSE_SUMS:
            dense[row, i] = h[i] * weighted_sum(weights, k, i) if takes_part else dense[row, i]
    for lane in range(step_times.shape[1]):
        if counters[ACTIVE, lane]:
            counters[HAS_DENSE, lane] = 1
            counters[EVALUATIONS, lane] += N_STAGES_DENSE - N_STAGES


@compiled
def interpolate(x, lane, lanes, y_old, dense, state):
    """State of a lane at the fraction x of its last step."""
    if lanes == 1:
        for i in registers(y_old.size):
            state[i] = _interpolated(x, i, y_old, dense)
    else:
        for i in range(lane, y_old.size, lanes):
            state[i] = _interpolated(x, i, y_old, dense)


@compiled
def _interpolated(x, i, y_old, dense):
    """One number of a state: Hairer's nested products of x and 1 - x."""
    inner = dense[5, i] + x * dense[6, i]
    inner = dense[3, i] + x * (dense[4, i] + (1.0 - x) * inner)
    inner = dense[1, i] + x * (dense[2, i] + (1.0 - x) * inner)
    return y_old[i] + x * (dense[0, i] + (1.0 - x) * inner)


@compiled
def waits_for_samples(lane, counters, times):
    """Whether a lane is under way and has samples that are not filled in."""
    sample = counters[FILLED, lane]
    return (
        sample < times.shape[0] and not math.isnan(times[sample, lane]) and counters[STATUS, lane] == RUNNING
    )


@compiled
def fill_samples(address, p, step_times, counters, y, y_old, k, work, dense, times, states):
    """Fill in the samples of every lane that lie in its last step."""
    lanes, m = step_times.shape[1], times.shape[0]
    n_active = 0
    for lane in range(lanes):
        next_sample = counters[FILLED, lane]
        in_step = next_sample < m and times[next_sample, lane] <= step_times[T, lane]
        counters[ACTIVE, lane] = in_step and not counters[HAS_DENSE, lane]
        n_active += counters[ACTIVE, lane]
    if n_active:
        prepare_dense(address, p, step_times, counters, y, y_old, k, work, dense)
    for lane in range(lanes):
        sample = counters[FILLED, lane]
        while sample < m and times[sample, lane] <= step_times[T, lane]:
            x = (times[sample, lane] - step_times[T_OLD, lane]) / step_times[H, lane]
            interpolate(x, lane, lanes, y_old, dense, states[sample])
            sample += 1
        counters[FILLED, lane] = sample

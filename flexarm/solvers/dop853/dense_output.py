"""The dense output of DOP853, compiled."""

from __future__ import annotations

from flexarm.solvers.compiled.status import EVALUATIONS
from flexarm.solvers.dop853.layout import ACTIVE, FILLED, HAS_DENSE, T_OLD, H, T
from flexarm.solvers.dop853.stages import broadcast_lanes, compiled, stage, stage_times
from flexarm.solvers.dop853.tableau import N_STAGES, N_STAGES_DENSE
from flexarm.solvers.dop853.weighted_sums import DENSE_3, DENSE_4, DENSE_5, DENSE_6, scaled_sum


@compiled
def prepare_dense(address, p, step_times, counters, y, y_old, k, work, dense):
    """Evaluate three more stages of the last step and make its polynomials of degree 7, in the active lanes."""
    h, total, active = work[0], work[1], work[2]
    broadcast_lanes(step_times[H], h)
    broadcast_lanes(counters[ACTIVE], active)
    stage_times(step_times, T_OLD, H)
    stage(13, address, p, step_times, h, y_old, k, total)
    stage(14, address, p, step_times, h, y_old, k, total)
    stage(15, address, p, step_times, h, y_old, k, total)
    for i in range(y.size):
        if active[i] != 0.0:
            difference = y[i] - y_old[i]
            dense[0, i] = difference
            dense[1, i] = h[i] * k[0, i] - difference
            dense[2, i] = 2 * difference - h[i] * (k[N_STAGES - 1, i] + k[0, i])
    scaled_sum(DENSE_3, h, active, dense[3], k, dense[3])
    scaled_sum(DENSE_4, h, active, dense[4], k, dense[4])
    scaled_sum(DENSE_5, h, active, dense[5], k, dense[5])
    scaled_sum(DENSE_6, h, active, dense[6], k, dense[6])
    for lane in range(step_times.shape[1]):
        if counters[ACTIVE, lane]:
            counters[HAS_DENSE, lane] = 1
            counters[EVALUATIONS, lane] += N_STAGES_DENSE - N_STAGES


@compiled
def interpolate(x, lane, lanes, y_old, dense, state):
    """State of a lane at the fraction x of its last step: Hairer's nested products of x and 1 - x."""
    for i in range(lane, y_old.size, lanes):
        inner = dense[5, i] + x * dense[6, i]
        inner = dense[3, i] + x * (dense[4, i] + (1 - x) * inner)
        inner = dense[1, i] + x * (dense[2, i] + (1 - x) * inner)
        state[i] = y_old[i] + x * (dense[0, i] + (1 - x) * inner)


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

"""The dense output of DOP853, compiled."""

from __future__ import annotations

from flexarm.solvers.compiled.time_slices import EVALUATIONS
from flexarm.solvers.dop853.layout import ACTIVE, FILLED, HAS_DENSE, T_OLD, H, T
from flexarm.solvers.dop853.stages import compiled, spread_out, stage, stage_times
from flexarm.solvers.dop853.tableau import N_STAGES, N_STAGES_DENSE
from flexarm.solvers.dop853.weighted_sums import DENSE_3, DENSE_4, DENSE_5, DENSE_6, scaled_sum


@compiled
def prepare_dense(address, p, clock, count, y, y_old, k, work, dense):
    """Evaluate three more stages of the last step and make its polynomials of degree 7, in the active lanes."""
    h, total, active = work[0], work[1], work[2]
    spread_out(clock[H], h)
    spread_out(count[ACTIVE], active)
    stage_times(clock, T_OLD, H)
    stage(13, address, p, clock, h, y_old, k, total)
    stage(14, address, p, clock, h, y_old, k, total)
    stage(15, address, p, clock, h, y_old, k, total)
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
    for lane in range(clock.shape[1]):
        if count[ACTIVE, lane]:
            count[HAS_DENSE, lane] = 1
            count[EVALUATIONS, lane] += N_STAGES_DENSE - N_STAGES


@compiled
def interpolate(x, lane, lanes, y_old, dense, state):
    """State of a lane at the fraction x of its last step: Hairer's nested products of x and 1 - x."""
    for i in range(lane, y_old.size, lanes):
        inner = dense[5, i] + x * dense[6, i]
        inner = dense[3, i] + x * (dense[4, i] + (1 - x) * inner)
        inner = dense[1, i] + x * (dense[2, i] + (1 - x) * inner)
        state[i] = y_old[i] + x * (dense[0, i] + (1 - x) * inner)


@compiled
def fill(address, p, clock, count, y, y_old, k, work, dense, times, states):
    """Fill in the samples of every lane that lie in its last step."""
    lanes, m = clock.shape[1], times.shape[0]
    missing = 0
    for lane in range(lanes):
        next_sample = count[FILLED, lane]
        here = next_sample < m and times[next_sample, lane] <= clock[T, lane]
        count[ACTIVE, lane] = here and not count[HAS_DENSE, lane]
        missing += count[ACTIVE, lane]
    if missing:
        prepare_dense(address, p, clock, count, y, y_old, k, work, dense)
    for lane in range(lanes):
        sample = count[FILLED, lane]
        while sample < m and times[sample, lane] <= clock[T, lane]:
            x = (times[sample, lane] - clock[T_OLD, lane]) / clock[H, lane]
            interpolate(x, lane, lanes, y_old, dense, states[sample])
            sample += 1
        count[FILLED, lane] = sample

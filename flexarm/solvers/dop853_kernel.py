"""The steps of DOP853, compiled: integrations are a handful of arrays that any number of calls carry on.

Everything here runs without Python. As many integrations of the same equations as there are lanes go on side by side,
each with steps of its own: the lanes are the last axis of every array, and arrays of states (n, lanes) are flat here.
In every lane the last step went from (t_old, y_old) to (t, y) with the slopes k, which the dense output needs. A lane
that has nothing to do takes steps of length zero.
"""

from __future__ import annotations

import math

from numba import carray, int64, njit, uint64  # pyright: ignore[reportPrivateImportUsage]

from flexarm.solvers.calling import DOUBLES, INTEGERS, call_native
from flexarm.solvers.compiled import (
    EVALUATIONS,
    NOT_FINITE,
    REJECTED,
    RUNNING,
    STARTING,
    STATUS,
    STEP_TOO_SMALL,
    STEPS,
    TOO_MANY_STEPS,
)
from flexarm.solvers.dop853_layout import (
    ABSOLUTE,
    ACTIVE,
    AT,
    BEGAN,
    CLOCK_ROWS,
    COUNT_ROWS,
    DENSE_ROWS,
    ERROR,
    FILLED,
    FIRST_ERROR,
    GROWTH,
    H_NEXT,
    HAS_DENSE,
    LAST_ERROR,
    LIMIT_ROWS,
    MAX_STEP,
    MAX_TRIED,
    RELATIVE,
    T_OLD,
    TRIED,
    WORK_ROWS,
    H,
    T,
)
from flexarm.solvers.dop853_sums import (
    DENSE_3,
    DENSE_4,
    DENSE_5,
    DENSE_6,
    ERROR_3,
    ERROR_5,
    scaled_sum,
    stage_state,
    weighted_sum,
)
from flexarm.solvers.dop853_tableau import N_STAGES, N_STAGES_DENSE, C

# After a step whose error was e, the one before it e', h is multiplied by 0.9 e^(-0.6/8) e'^(0.2/8): Soderlind's PI.4.2
# (ACM Trans. Math. Softw. 29 (2003) 1), which does not run against the limit of stability again and again as e^(-1/8)
# does. The limits of the factor are SciPy's, the least e' is Hairer's.
_SAFETY, _SHRINK, _GROW = 0.9, 0.2, 10.0
_EPSILON = 2.0**-52

# No product is fused with a sum: which ones are would depend on how a loop is cut, and so differ among the lanes.
_compiled = njit(error_model="numpy")


@_compiled
def _stage_times(clock, begin, length):
    """Times of all stages in every lane; rows of the clock tell where the step begins and how long it is."""
    for stage in range(N_STAGES_DENSE):
        for lane in range(clock.shape[1]):
            clock[AT + stage, lane] = clock[begin, lane] + C[stage] * clock[length, lane]


@_compiled
def _spread(values, spread):
    """Give every element of a state the number of its lane."""
    lanes = values.size
    for i in range(spread.size // lanes):
        for lane in range(lanes):
            spread[i * lanes + lane] = values[lane]


@_compiled
def _begin(address, p, limits, tolerances, clock, count, y, y_old, k, work, dense):
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
    _spread(clock[TRIED], h)
    for i in range(y.size):
        y_trial[i] = y[i] + h[i] * slope[i]
    _stage_times(clock, T, TRIED)
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


@_compiled
def _norm(lane, lanes, x, y, tolerances):
    """Size of a vector in a lane over the error that its state y allows."""
    total = 0.0
    for i in range(lane, x.size, lanes):
        total += (x[i] / (tolerances[ABSOLUTE, i] + tolerances[RELATIVE, i] * abs(y[i]))) ** 2
    return math.sqrt(total / (x.size // lanes))


@_compiled
def _stages(address, p, clock, h, y, k, y_new):
    """k[s] = f(t + c_s h, y + h sum_j a_sj k[j]) for s = 1 to 12; the last of these states is the new one."""
    _stage_times(clock, T, TRIED)
    stage_state(1, y, h, k, y_new)
    call_native(address, clock[AT + 1], y_new, p, k[1])
    stage_state(2, y, h, k, y_new)
    call_native(address, clock[AT + 2], y_new, p, k[2])
    stage_state(3, y, h, k, y_new)
    call_native(address, clock[AT + 3], y_new, p, k[3])
    stage_state(4, y, h, k, y_new)
    call_native(address, clock[AT + 4], y_new, p, k[4])
    stage_state(5, y, h, k, y_new)
    call_native(address, clock[AT + 5], y_new, p, k[5])
    stage_state(6, y, h, k, y_new)
    call_native(address, clock[AT + 6], y_new, p, k[6])
    stage_state(7, y, h, k, y_new)
    call_native(address, clock[AT + 7], y_new, p, k[7])
    stage_state(8, y, h, k, y_new)
    call_native(address, clock[AT + 8], y_new, p, k[8])
    stage_state(9, y, h, k, y_new)
    call_native(address, clock[AT + 9], y_new, p, k[9])
    stage_state(10, y, h, k, y_new)
    call_native(address, clock[AT + 10], y_new, p, k[10])
    stage_state(11, y, h, k, y_new)
    call_native(address, clock[AT + 11], y_new, p, k[11])
    stage_state(12, y, h, k, y_new)
    call_native(address, clock[AT + 12], y_new, p, k[12])


@_compiled
def _error_norms(tolerances, clock, y, y_new, k, e5, e3):
    """Error of the step in every lane over the error allowed, Hairer's mixture of the estimates of order 5 and 3."""
    weighted_sum(ERROR_5, k, e5)
    weighted_sum(ERROR_3, k, e3)
    for i in range(y.size):
        before, after = abs(y[i]), abs(y_new[i])
        size = before if before > after else after
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


@_compiled
def _try_steps(address, p, limits, tolerances, clock, count, y, y_old, k, work):
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
    _spread(clock[TRIED], h)
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


@_compiled
def _prepare_dense(address, p, clock, count, y, y_old, k, work, dense):
    """Evaluate three more stages of the last step and make its polynomials of degree 7, in the active lanes."""
    h, total, active = work[0], work[1], work[2]
    _spread(clock[H], h)
    _spread(count[ACTIVE], active)
    _stage_times(clock, T_OLD, H)
    stage_state(13, y_old, h, k, total)
    call_native(address, clock[AT + 13], total, p, k[13])
    stage_state(14, y_old, h, k, total)
    call_native(address, clock[AT + 14], total, p, k[14])
    stage_state(15, y_old, h, k, total)
    call_native(address, clock[AT + 15], total, p, k[15])
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


@_compiled
def _interpolate(x, lane, lanes, y_old, dense, state):
    """State of a lane at the fraction x of its last step: Hairer's nested products of x and 1 - x."""
    for i in range(lane, y_old.size, lanes):
        inner = dense[5, i] + x * dense[6, i]
        inner = dense[3, i] + x * (dense[4, i] + (1 - x) * inner)
        inner = dense[1, i] + x * (dense[2, i] + (1 - x) * inner)
        state[i] = y_old[i] + x * (dense[0, i] + (1 - x) * inner)


@_compiled
def _fill(address, p, clock, count, y, y_old, k, work, dense, times, states):
    """Fill in the samples of every lane that lie in its last step."""
    lanes, m = clock.shape[1], times.shape[0]
    missing = 0
    for lane in range(lanes):
        next_sample = count[FILLED, lane]
        here = next_sample < m and times[next_sample, lane] <= clock[T, lane]
        count[ACTIVE, lane] = here and not count[HAS_DENSE, lane]
        missing += count[ACTIVE, lane]
    if missing:
        _prepare_dense(address, p, clock, count, y, y_old, k, work, dense)
    for lane in range(lanes):
        sample = count[FILLED, lane]
        while sample < m and times[sample, lane] <= clock[T, lane]:
            x = (times[sample, lane] - clock[T_OLD, lane]) / clock[H, lane]
            _interpolate(x, lane, lanes, y_old, dense, states[sample])
            sample += 1
        count[FILLED, lane] = sample


SIGNATURE = int64(
    uint64, DOUBLES, int64, int64, int64, int64,
    INTEGERS, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES,
)  # fmt: skip


def kernel(lanes):
    """Write the kernel for a number of lanes, which the compiler then knows."""

    def advance(
        address, p, n_p, budget, n, m,
        count, clock, limits, tolerances, y, y_old, k, work, dense, times, states,
    ):  # fmt: skip
        """Step until every sample is filled in, some lane has taken `budget` steps, or something is wrong.

        Parameters
        ----------
        address, p (n_p, lanes), limits (2, lanes), tolerances (2, n, lanes)
            Right-hand side, longest steps and numbers of steps that may be tried in the whole integrations, and the
            error that a step may make.
        budget : int
            Steps this call may take. Where it ends has no influence on the results.
        n, m : int
            Number of states and of samples.
        count, clock, y, y_old, k (16, n, lanes), work (4, n, lanes), dense (DENSE_ROWS, n, lanes)
            The integrations, changed in place. count[STATUS] tells how they stand: STARTING from y at clock[T], until
            the next call. count[FILLED] tells how many of the states have been filled in.
        times : (m, lanes) [s]
            NaN where a lane has fewer samples than others.
        states : (m, n, lanes)
            Filled with the states at `times`, as far as the call gets.

        Returns
        -------
        int
            How many states are filled in, in the first lane.
        """
        size = n * lanes
        p, clock = carray(p, n_p * lanes), carray(clock, (CLOCK_ROWS, lanes))
        count = carray(count, (COUNT_ROWS, lanes))
        limits, tolerances = carray(limits, (LIMIT_ROWS, lanes)), carray(tolerances, (2, size))
        work = carray(work, (WORK_ROWS, size))
        y, y_old = carray(y, size), carray(y_old, size)
        k, dense = carray(k, (N_STAGES_DENSE, size)), carray(dense, (DENSE_ROWS, size))
        times, states = carray(times, (m, lanes)), carray(states, (m, size))
        for lane in range(lanes):
            count[BEGAN, lane] = count[STEPS, lane]
        _begin(address, p, limits, tolerances, clock, count, y, y_old, k, work, dense)
        while True:
            _fill(address, p, clock, count, y, y_old, k, work, dense, times, states)
            going = 0
            for lane in range(lanes):
                sample = count[FILLED, lane]
                waits = sample == m or math.isnan(times[sample, lane]) or count[STATUS, lane] != RUNNING
                count[ACTIVE, lane] = not waits
                going += not waits
                if not waits and count[STEPS, lane] - count[BEGAN, lane] >= budget:
                    return count[FILLED, 0]
            if not going:
                return count[FILLED, 0]
            _try_steps(address, p, limits, tolerances, clock, count, y, y_old, k, work)

    return advance


advance = kernel(lanes=1)

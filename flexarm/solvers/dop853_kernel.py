"""The steps of DOP853, compiled: an integration is a handful of arrays that any number of calls carry on.

Everything here runs without Python. Indices into `clock` and `count` are named below; the last step went from
(t_old, y_old) to (t, y) with the slopes in `stages`, which the dense output needs.
"""

from __future__ import annotations

import math

from numba import njit

from flexarm.codegen.calling import cached, call_native
from flexarm.solvers.compiled import NOT_FINITE, RUNNING, STEP_TOO_SMALL, TOO_MANY_STEPS
from flexarm.solvers.dop853_tableau import (
    DENSE,
    ERROR_3,
    ERROR_5,
    FIRST,
    N_STAGES,
    N_STAGES_DENSE,
    STAGE,
    WEIGHT,
    C,
)

# Entries of clock [s]: where the last step ended and began, its length, and the length to try next.
T, T_OLD, H, H_NEXT = range(4)
# Entries of count; HAS_DENSE tells whether the polynomials of the last step are there already.
STEPS, REJECTED, EVALUATIONS, HAS_DENSE = range(4)

# Limits of the step-size control, as in SciPy: h is multiplied by 0.9 error^(-1/8) within these.
_SAFETY, _SHRINK, _GROW = 0.9, 0.2, 10.0
_EPSILON = 2.0**-52

_vector, _matrix = "float64[::1]", "float64[:, ::1]"
_options = {"error_model": "numpy", "fastmath": {"contract"}}


@njit(**_options)
def _sum_stages(row, stages, total):
    """total[i] = sum over the stages s of the weights in this row of the tableau times stages[s, i]."""
    n = total.size
    for i in range(n):
        total[i] = 0.0
    for term in range(FIRST[row], FIRST[row + 1]):
        weight, stage = WEIGHT[term], stages[STAGE[term]]
        for i in range(n):
            total[i] += weight * stage[i]


@njit(**_options)
def _evaluate_stage(s, address, p, t, h, y, stages, trial):
    """stages[s] = f(t + c_s h, y + h sum_j a_sj stages[j]); the state stays in `trial`."""
    _sum_stages(s, stages, trial)
    for i in range(y.size):
        trial[i] = y[i] + h * trial[i]
    call_native(address, t + C[s] * h, trial, p, stages[s])


@njit(**_options)
def _error_norm(h, rtol, atol, y, y_new, stages, work):
    """Error of the step over the error allowed, Hairer's mixture of the estimates of order 5 and 3."""
    n = y.size
    _sum_stages(ERROR_5, stages, work[0])
    _sum_stages(ERROR_3, stages, work[1])
    square_5, square_3, largest = 0.0, 0.0, 0.0
    for i in range(n):
        largest += abs(y_new[i])
        scale = atol + rtol * max(abs(y[i]), abs(y_new[i]))
        square_5 += (work[0, i] / scale) ** 2
        square_3 += (work[1, i] / scale) ** 2
    if not math.isfinite(largest):
        return math.nan
    mixture = square_5 + 0.01 * square_3
    return 0.0 if mixture == 0.0 else abs(h) * square_5 / math.sqrt(mixture * n)


@njit(**_options)
def _step(address, p, rtol, atol, max_step, max_tried, clock, count, y, y_old, stages, work):
    """Try shorter and shorter steps until one is accurate enough, and take it."""
    t, h = clock[T], clock[H_NEXT]
    y_new = work[2]
    for i in range(y.size):
        stages[0, i] = stages[N_STAGES - 1, i]  # the slope where the last step ended
    largest_factor, error = _GROW, 0.0
    while True:
        h = min(h, max_step)
        if h <= 10 * _EPSILON * abs(t):
            return STEP_TOO_SMALL if math.isfinite(error) else NOT_FINITE
        if count[STEPS] + count[REJECTED] >= max_tried:
            return TOO_MANY_STEPS
        for s in range(1, N_STAGES):
            _evaluate_stage(s, address, p, t, h, y, stages, y_new)
        count[EVALUATIONS] += N_STAGES - 1
        error = _error_norm(h, rtol, atol, y, y_new, stages, work)
        if error < 1.0:
            break
        count[REJECTED] += 1
        h *= max(_SHRINK, _SAFETY * error**-0.125) if math.isfinite(error) else _SHRINK
        largest_factor = 1.0
    for i in range(y.size):
        y_old[i], y[i] = y[i], y_new[i]
    clock[T_OLD], clock[T], clock[H] = t, t + h, h
    clock[H_NEXT] = h * (
        _GROW if error == 0.0 else min(largest_factor, max(_SHRINK, _SAFETY * error**-0.125))
    )
    count[STEPS] += 1
    count[HAS_DENSE] = 0
    return RUNNING


@njit(**_options)
def _prepare_dense(address, p, clock, count, y, y_old, stages, work, dense):
    """Evaluate three more stages of the last step and make its polynomials of degree 7."""
    t, h = clock[T_OLD], clock[H]
    for s in range(N_STAGES, N_STAGES_DENSE):
        _evaluate_stage(s, address, p, t, h, y_old, stages, work[2])
    count[EVALUATIONS] += N_STAGES_DENSE - N_STAGES
    for i in range(y.size):
        difference = y[i] - y_old[i]
        dense[0, i] = difference
        dense[1, i] = h * stages[0, i] - difference
        dense[2, i] = 2 * difference - h * (stages[N_STAGES - 1, i] + stages[0, i])
    for row in range(4):
        _sum_stages(DENSE + row, stages, dense[3 + row])
        for i in range(y.size):
            dense[3 + row, i] *= h
    count[HAS_DENSE] = 1


@njit(**_options)
def _interpolate(x, y_old, dense, state):
    """State at the fraction x of the last step: Hairer's nested products of x and 1 - x."""
    for i in range(state.size):
        inner = dense[5, i] + x * dense[6, i]
        inner = dense[3, i] + x * (dense[4, i] + (1 - x) * inner)
        inner = dense[1, i] + x * (dense[2, i] + (1 - x) * inner)
        state[i] = y_old[i] + x * (dense[0, i] + (1 - x) * inner)


@cached(
    f"UniTuple(int64, 2)(uint64, {_vector}, float64, float64, float64, int64, int64, "
    f"{_vector}, int64[::1], {_vector}, {_vector}, {_matrix}, {_matrix}, {_matrix}, {_vector}, {_matrix})"
)
def advance(
    address, p, rtol, atol, max_step, max_tried, budget,
    clock, count, y, y_old, stages, work, dense, times, states,
):  # fmt: skip
    """Step until every sample is filled in, `budget` steps are taken, or something is wrong.

    Parameters
    ----------
    address, p, rtol, atol, max_step, max_tried
        Right-hand side and limits; max_tried bounds the steps tried in the whole integration.
    budget : int
        Steps this call may take. Where it ends has no influence on the results.
    clock, count, y, y_old, stages (16, n), work (3, n), dense (7, n)
        The integration, changed in place.
    times : (m,) [s]
    states : (m, n)
        Filled with the states at `times`, as far as the call gets.

    Returns
    -------
    (int, int)
        How many states are filled in, and how the call ended.
    """
    filled = 0
    last = count[STEPS] + budget
    while True:
        while filled < times.size and times[filled] <= clock[T]:
            if not count[HAS_DENSE]:
                _prepare_dense(address, p, clock, count, y, y_old, stages, work, dense)
            _interpolate((times[filled] - clock[T_OLD]) / clock[H], y_old, dense, states[filled])
            filled += 1
        if filled == times.size or count[STEPS] >= last:
            return filled, RUNNING
        status = _step(address, p, rtol, atol, max_step, max_tried, clock, count, y, y_old, stages, work)
        if status != RUNNING:
            return filled, status

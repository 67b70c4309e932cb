"""The steps of DOP853, compiled: an integration is a handful of arrays that any number of calls carry on.

Everything here runs without Python. The last step went from (t_old, y_old) to (t, y) with the slopes k, which the
dense output needs.
"""

from __future__ import annotations

import math

from numba import carray, float64, int64, njit, uint64  # pyright: ignore[reportPrivateImportUsage]

from flexarm.solvers.calling import DOUBLES, INTEGERS, call_native
from flexarm.solvers.compiled import (
    EVALUATIONS,
    HAS_DENSE,
    NOT_FINITE,
    REJECTED,
    RUNNING,
    STATUS,
    STEP_TOO_SMALL,
    STEPS,
    TOO_MANY_STEPS,
)
from flexarm.solvers.dop853 import H_NEXT, T_OLD, H, T
from flexarm.solvers.dop853_tableau import E3, E5, N_STAGES, N_STAGES_DENSE, A, C, D

# Limits of the step-size control, as in SciPy: h is multiplied by 0.9 error^(-1/8) within these.
_SAFETY, _SHRINK, _GROW = 0.9, 0.2, 10.0
_EPSILON = 2.0**-52

_options = {"error_model": "numpy", "fastmath": {"contract"}}


# fmt: off
@njit(**_options)
def _stages(address, p, t, h, y, k, y_new):
    """k[s] = f(t + c_s h, y + h sum_j a_sj k[j]) for s = 1 to 12; the last of these states is the new one.

    Written out as in dop853.f: the compiler then knows every coefficient and skips the zeros.
    """
    n = y.size
    for i in range(n):
        y_new[i] = y[i] + h*(A[1, 0]*k[0, i])
    call_native(address, t + C[1]*h, y_new, p, k[1])
    for i in range(n):
        y_new[i] = y[i] + h*(A[2, 0]*k[0, i] + A[2, 1]*k[1, i])
    call_native(address, t + C[2]*h, y_new, p, k[2])
    for i in range(n):
        y_new[i] = y[i] + h*(A[3, 0]*k[0, i] + A[3, 2]*k[2, i])
    call_native(address, t + C[3]*h, y_new, p, k[3])
    for i in range(n):
        y_new[i] = y[i] + h*(A[4, 0]*k[0, i] + A[4, 2]*k[2, i] + A[4, 3]*k[3, i])
    call_native(address, t + C[4]*h, y_new, p, k[4])
    for i in range(n):
        y_new[i] = y[i] + h*(A[5, 0]*k[0, i] + A[5, 3]*k[3, i] + A[5, 4]*k[4, i])
    call_native(address, t + C[5]*h, y_new, p, k[5])
    for i in range(n):
        y_new[i] = y[i] + h*(A[6, 0]*k[0, i] + A[6, 3]*k[3, i] + A[6, 4]*k[4, i] + A[6, 5]*k[5, i])
    call_native(address, t + C[6]*h, y_new, p, k[6])
    for i in range(n):
        y_new[i] = y[i] + h*(A[7, 0]*k[0, i] + A[7, 3]*k[3, i] + A[7, 4]*k[4, i] + A[7, 5]*k[5, i]
            + A[7, 6]*k[6, i])
    call_native(address, t + C[7]*h, y_new, p, k[7])
    for i in range(n):
        y_new[i] = y[i] + h*(A[8, 0]*k[0, i] + A[8, 3]*k[3, i] + A[8, 4]*k[4, i] + A[8, 5]*k[5, i]
            + A[8, 6]*k[6, i] + A[8, 7]*k[7, i])
    call_native(address, t + C[8]*h, y_new, p, k[8])
    for i in range(n):
        y_new[i] = y[i] + h*(A[9, 0]*k[0, i] + A[9, 3]*k[3, i] + A[9, 4]*k[4, i] + A[9, 5]*k[5, i]
            + A[9, 6]*k[6, i] + A[9, 7]*k[7, i] + A[9, 8]*k[8, i])
    call_native(address, t + C[9]*h, y_new, p, k[9])
    for i in range(n):
        y_new[i] = y[i] + h*(A[10, 0]*k[0, i] + A[10, 3]*k[3, i] + A[10, 4]*k[4, i] + A[10, 5]*k[5, i]
            + A[10, 6]*k[6, i] + A[10, 7]*k[7, i] + A[10, 8]*k[8, i] + A[10, 9]*k[9, i])
    call_native(address, t + C[10]*h, y_new, p, k[10])
    for i in range(n):
        y_new[i] = y[i] + h*(A[11, 0]*k[0, i] + A[11, 3]*k[3, i] + A[11, 4]*k[4, i] + A[11, 5]*k[5, i]
            + A[11, 6]*k[6, i] + A[11, 7]*k[7, i] + A[11, 8]*k[8, i] + A[11, 9]*k[9, i]
            + A[11, 10]*k[10, i])
    call_native(address, t + C[11]*h, y_new, p, k[11])
    for i in range(n):
        y_new[i] = y[i] + h*(A[12, 0]*k[0, i] + A[12, 5]*k[5, i] + A[12, 6]*k[6, i] + A[12, 7]*k[7, i]
            + A[12, 8]*k[8, i] + A[12, 9]*k[9, i] + A[12, 10]*k[10, i] + A[12, 11]*k[11, i])
    call_native(address, t + C[12]*h, y_new, p, k[12])


@njit(**_options)
def _error_norm(h, rtol, atol, y, y_new, k):
    """Error of the step over the error allowed, Hairer's mixture of the estimates of order 5 and 3."""
    n = y.size
    square_5, square_3, largest = 0.0, 0.0, 0.0
    for i in range(n):
        e5 = (E5[0]*k[0, i] + E5[5]*k[5, i] + E5[6]*k[6, i] + E5[7]*k[7, i] + E5[8]*k[8, i]
            + E5[9]*k[9, i] + E5[10]*k[10, i] + E5[11]*k[11, i])
        e3 = (E3[0]*k[0, i] + E3[5]*k[5, i] + E3[6]*k[6, i] + E3[7]*k[7, i] + E3[8]*k[8, i]
            + E3[9]*k[9, i] + E3[10]*k[10, i] + E3[11]*k[11, i])
        scale = atol + rtol*max(abs(y[i]), abs(y_new[i]))
        square_5 += (e5/scale)**2
        square_3 += (e3/scale)**2
        largest += abs(y_new[i])
    if not math.isfinite(largest):
        return math.nan
    mixture = square_5 + 0.01*square_3
    return 0.0 if mixture == 0.0 else h*square_5/math.sqrt(mixture*n)
# fmt: on


@njit(**_options)
def _step(address, p, rtol, atol, max_step, max_tried, clock, count, y, y_old, k, y_new):
    """Try shorter and shorter steps until one is accurate enough, and take it."""
    t, h = clock[T], clock[H_NEXT]
    for i in range(y.size):
        k[0, i] = k[N_STAGES - 1, i]  # the slope where the last step ended
    largest_factor, error = _GROW, 0.0
    while True:
        h = min(h, max_step)
        if h <= 10 * _EPSILON * abs(t):
            return STEP_TOO_SMALL if math.isfinite(error) else NOT_FINITE
        if count[STEPS] + count[REJECTED] >= max_tried:
            return TOO_MANY_STEPS
        _stages(address, p, t, h, y, k, y_new)
        count[EVALUATIONS] += N_STAGES - 1
        error = _error_norm(h, rtol, atol, y, y_new, k)
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
def _sum_stages(weights, k, total):
    """total[i] = sum_j weights[j] k[j, i]."""
    for i in range(total.size):
        total[i] = 0.0
    for j in range(weights.size):
        for i in range(total.size):
            total[i] += weights[j] * k[j, i]


@njit(**_options)
def _prepare_dense(address, p, clock, count, y, y_old, k, stage, dense):
    """Evaluate three more stages of the last step and make its polynomials of degree 7."""
    n, t, h = y.size, clock[T_OLD], clock[H]
    for s in range(N_STAGES, N_STAGES_DENSE):
        _sum_stages(A[s, :s], k, stage)
        for i in range(n):
            stage[i] = y_old[i] + h * stage[i]
        call_native(address, t + C[s] * h, stage, p, k[s])
    count[EVALUATIONS] += N_STAGES_DENSE - N_STAGES
    for i in range(n):
        difference = y[i] - y_old[i]
        dense[0, i] = difference
        dense[1, i] = h * k[0, i] - difference
        dense[2, i] = 2 * difference - h * (k[N_STAGES - 1, i] + k[0, i])
    for row in range(4):
        _sum_stages(D[row], k, dense[3 + row])
        for i in range(n):
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


SIGNATURE = int64(
    uint64, DOUBLES, int64, float64, float64, float64, int64, int64, int64, int64,
    INTEGERS, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES,
)  # fmt: skip


def advance(
    address, p, n_p, rtol, atol, max_step, max_tried, budget, n, m,
    count, clock, y, y_old, k, work, dense, times, states,
):  # fmt: skip
    """Step until every sample is filled in, `budget` steps are taken, or something is wrong.

    Parameters
    ----------
    address, p (n_p,), rtol, atol, max_step, max_tried
        Right-hand side and limits; max_tried bounds the steps tried in the whole integration.
    budget : int
        Steps this call may take. Where it ends has no influence on the results.
    n, m : int
        Number of states and of samples.
    count, clock, y, y_old, k (16, n), work (n,), dense (7, n)
        The integration, changed in place; count[STATUS] tells how the call ended.
    times : (m,) [s]
    states : (m, n)
        Filled with the states at `times`, as far as the call gets.

    Returns
    -------
    int
        How many states are filled in.
    """
    p, clock, count = carray(p, n_p), carray(clock, 4), carray(count, 5)
    y, y_old, work = carray(y, n), carray(y_old, n), carray(work, n)
    k, dense = carray(k, (N_STAGES_DENSE, n)), carray(dense, (7, n))
    times, states = carray(times, m), carray(states, (m, n))
    filled = 0
    last = count[STEPS] + budget
    count[STATUS] = RUNNING
    while True:
        while filled < m and times[filled] <= clock[T]:
            if not count[HAS_DENSE]:
                _prepare_dense(address, p, clock, count, y, y_old, k, work, dense)
            _interpolate((times[filled] - clock[T_OLD]) / clock[H], y_old, dense, states[filled])
            filled += 1
        if filled == m or count[STEPS] >= last:
            return filled
        status = _step(address, p, rtol, atol, max_step, max_tried, clock, count, y, y_old, k, work)
        if status != RUNNING:
            count[STATUS] = status
            return filled

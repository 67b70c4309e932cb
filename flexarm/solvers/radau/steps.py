"""The steps of Radau IIA, compiled: one trial, with its matrices, its error and what follows from it for the next."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import call, compiled, registers
from flexarm.solvers.compiled.status import (
    EVALUATIONS,
    JACOBIAN_NOT_FINITE,
    NOT_FINITE,
    REJECTED,
    RUNNING,
    STATUS,
    STEP_TOO_SMALL,
    STEPS,
    TOO_MANY_STEPS,
)
from flexarm.solvers.radau.coefficients import ALPHA, BETA, REAL
from flexarm.solvers.radau.dense_output import divided_differences
from flexarm.solvers.radau.error_estimate import estimate_error, set_weights
from flexarm.solvers.radau.layout import (
    CAUSE,
    CONTRACTION,
    D1,
    D2,
    D3,
    END,
    ERROR_TOO_LARGE,
    H_FACTOR,
    H_FACTORISED,
    H_NEXT,
    HAS_JACOBIAN,
    IS_FACTORISED,
    IS_FRESH,
    ITERATIONS,
    JACOBIAN,
    LAST_ERROR,
    LAST_H,
    MAX_STEP,
    MAX_TRIALS,
    SINGULAR,
    SLOPE,
    STEPS_SINCE_START,
    T_OLD,
    UNDEFINED,
    WAS_REJECTED,
    Z3,
    H,
    T,
    Y,
)
from flexarm.solvers.radau.linear_algebra.linear_equations import (
    factorise_pair,
    factorise_real,
    reduce_jacobian,
)
from flexarm.solvers.radau.newton import MOST_ITERATIONS, solve_stages, start_values

# Step-size control and limits are Hairer's [HW96, section IV.8]: h is divided by err^(1/4) / safety, where the safety
# is less the more iterations there were, or by what Gustafsson's predictive controller says if that is more. With a
# safety of 0.8 instead of 0.9 steps are 11 % shorter, half as many are tried in vain, and errors are a third less.
_SAFETY, _LEAST_QUOTIENT, _MOST_QUOTIENT = 0.8, 1 / 8, 5.0
_LEAST_ERROR = 1e-2
"""What counts as the error of the step before, at least."""
_KEPT_STEP = 1.2
"""A step that could be longer by less keeps its length, and its factorised matrices."""
_KEPT_JACOBIAN = 1e-3
"""The Jacobian is kept while the iteration contracts as fast as this."""
_FIRST_REJECTED = 0.1
"""Factor after an error in the very first step, whose length is a guess."""
_ROUND_OFF = 1e-9
"""Relative difference of steps whose matrices serve each other."""
_EPSILON = 2.0**-52
_ALMOST = 1 - 1e-9
"""A step that reaches this part of what is left goes to the end."""
UNROLLED = False
"""For kernels: loops of linear algebra are no quicker if LLVM unrolls them, and take three times as long to compile."""


@compiled
def try_step(addresses, p, jacobian_p, stage_time, limits, step_times, counters, vectors, matrices, indices):
    """Try a step, and accept it if its error is below its tolerance."""
    h, left = min(step_times[H_NEXT], limits[MAX_STEP]), limits[END] - step_times[T]
    if left <= 0.0:
        _stand_still(step_times, counters, vectors)
        return
    is_last = h > _ALMOST * left
    if is_last:
        h = left  # however short it is
    elif counters[IS_FACTORISED] and step_times[H_FACTORISED] <= h <= _KEPT_STEP * step_times[H_FACTORISED]:
        h = step_times[H_FACTORISED]
    if not is_last and h <= 10 * _EPSILON * abs(step_times[T]):
        counters[STATUS] = NOT_FINITE if counters[CAUSE] == UNDEFINED else STEP_TOO_SMALL
        return
    if counters[STEPS] + counters[REJECTED] >= limits[MAX_TRIALS]:
        counters[STATUS] = TOO_MANY_STEPS
        return
    if not _prepare(h, addresses, jacobian_p, stage_time, step_times, counters, vectors, matrices, indices):
        if counters[STATUS] == RUNNING:
            _reject(h, 0.5, SINGULAR, step_times, counters)
        return
    start_values(h, step_times, counters, vectors)
    if not solve_stages(
        h, addresses, p, stage_time, limits, step_times, counters, vectors, matrices, indices
    ):
        _reject(h, step_times[H_FACTOR], counters[CAUSE], step_times, counters)
        return
    error = estimate_error(
        h, addresses, p, stage_time, limits, step_times, counters, vectors, matrices, indices
    )
    if not math.isfinite(error):
        _reject(h, 0.5, UNDEFINED, step_times, counters)
        return
    safety = min(_SAFETY, _SAFETY * (1 + 2 * MOST_ITERATIONS) / (counters[ITERATIONS] + 2 * MOST_ITERATIONS))
    quotient = max(_LEAST_QUOTIENT, min(_MOST_QUOTIENT, error**0.25 / safety))
    if error < 1.0:
        _accept(h, is_last, error, quotient, addresses, p, stage_time, limits, step_times, counters, vectors)
    elif counters[STEPS_SINCE_START] == 0:
        _reject(h, _FIRST_REJECTED, ERROR_TOO_LARGE, step_times, counters)
    else:
        _reject(h, 1.0 / quotient, ERROR_TOO_LARGE, step_times, counters)


@compiled
def _stand_still(step_times, counters, vectors):
    """A step of no length, where the integration is at its end already."""
    for i in registers(vectors.shape[1]):
        vectors[D1, i], vectors[D2, i], vectors[D3, i] = 0.0, 0.0, 0.0
    step_times[T_OLD], step_times[H] = step_times[T], 0.0
    counters[STEPS] += 1


@compiled
def _prepare(h, addresses, jacobian_p, stage_time, step_times, counters, vectors, matrices, indices):
    """Evaluate the Jacobian and factorise the matrices where those at hand do not serve; False if that fails."""
    if not counters[HAS_JACOBIAN]:
        stage_time[0] = step_times[T]
        call(addresses[1], stage_time, vectors[Y], jacobian_p, matrices[JACOBIAN])
        if not reduce_jacobian(counters, vectors, matrices, indices):
            counters[STATUS] = JACOBIAN_NOT_FINITE
            return False
        counters[HAS_JACOBIAN], counters[IS_FRESH], counters[IS_FACTORISED] = 1, 1, 0
    if not counters[IS_FACTORISED] or abs(h - step_times[H_FACTORISED]) > _ROUND_OFF * h:
        counters[IS_FACTORISED], step_times[H_FACTORISED] = 0, h
        if not factorise_real(REAL / h, counters, vectors, matrices, indices):
            return False
        if not factorise_pair(ALPHA / h, BETA / h, counters, vectors, matrices, indices):
            return False
        counters[IS_FACTORISED] = 1
    return True


@compiled
def _reject(h, factor, cause, step_times, counters):
    """Try a shorter step next, with the Jacobian of this state."""
    step_times[H_NEXT] = h * factor
    counters[CAUSE], counters[WAS_REJECTED] = cause, 1
    counters[REJECTED] += 1
    if not counters[IS_FRESH]:
        counters[HAS_JACOBIAN] = 0


@compiled
def _accept(h, is_last, error, quotient, addresses, p, stage_time, limits, step_times, counters, vectors):
    """Go to the end of a step, and choose the length of the next and whether it has a new Jacobian."""
    if counters[STEPS_SINCE_START] > 0 and error > 0.0:
        predicted = step_times[LAST_H] / h * (error**2 / step_times[LAST_ERROR]) ** 0.25 / _SAFETY
        quotient = max(quotient, min(_MOST_QUOTIENT, max(_LEAST_QUOTIENT, predicted)))
    step_times[LAST_H], step_times[LAST_ERROR] = h, max(_LEAST_ERROR, error)
    h_next = h / quotient
    h_next = min(h, h_next) if counters[WAS_REJECTED] else h_next
    if is_last:  # the next interval goes on with the step that this one has had
        h_next = max(h_next, step_times[H_NEXT])
    step_times[H_NEXT] = h_next
    divided_differences(vectors)
    for i in registers(vectors.shape[1]):
        vectors[Y, i] = vectors[Y, i] + vectors[Z3, i]
    step_times[T_OLD], step_times[H] = step_times[T], h
    step_times[T] = limits[END] if is_last else step_times[T] + h
    stage_time[0] = step_times[T]
    call(addresses[0], stage_time, vectors[Y], p, vectors[SLOPE])
    set_weights(limits, vectors)
    counters[EVALUATIONS] += 1
    counters[STEPS] += 1
    counters[STEPS_SINCE_START] += 1
    counters[WAS_REJECTED], counters[IS_FRESH] = 0, 0
    if counters[ITERATIONS] > 1 and step_times[CONTRACTION] > _KEPT_JACOBIAN:
        counters[HAS_JACOBIAN] = 0

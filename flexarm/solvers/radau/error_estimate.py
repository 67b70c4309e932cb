"""The error estimate of Radau IIA, compiled: that of an embedded formula of order 3, with the real matrix before it."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import call, compiled, registers
from flexarm.solvers.compiled.status import EVALUATIONS
from flexarm.solvers.radau import coefficients
from flexarm.solvers.radau.layout import (
    ABSOLUTE,
    ESTIMATE,
    INCREMENTS,
    PREDICTED,
    RELATIVE,
    SLOPE,
    STEPS_SINCE_START,
    WAS_REJECTED,
    WEIGHT,
    WORK,
    Z1,
    Z2,
    Z3,
    H,
    T,
    Y,
)
from flexarm.solvers.radau.linear_algebra.linear_equations import solve_real


@compiled
def set_weights(limits, vectors):
    """One over the tolerance of each state, as it is now."""
    for i in registers(vectors.shape[1]):
        vectors[WEIGHT, i] = 1.0 / (limits[ABSOLUTE] + limits[RELATIVE] * abs(vectors[Y, i]))


@compiled
def estimate_error(h, addresses, p, stage_time, limits, step_times, counters, vectors, matrices, indices):
    """Error of a step, at its end or between, over its tolerance; not finite if its end is not.

    In the first step and after a rejected one the estimate is filtered a second time, with the slope where the first
    one leads: for stiff components it does not vanish with h otherwise [HW96, section IV.8].

    Differs from source: the estimate nearly vanishes for what settles quickly and then follows something slow. Steps
    are short enough for the cubic of the dense output as well; elsewhere its error is below the estimate.
    """
    n = vectors.shape[1]
    for i in registers(n):
        total = coefficients.ERROR[0] * vectors[Z1, i] + coefficients.ERROR[1] * vectors[Z2, i]
        vectors[INCREMENTS, i] = (total + coefficients.ERROR[2] * vectors[Z3, i]) / h
        vectors[ESTIMATE, i] = vectors[SLOPE, i] + vectors[INCREMENTS, i]
    error = 0.0
    for attempt in range(2):
        solve_real(coefficients.REAL / h, vectors[ESTIMATE], counters, vectors, matrices, indices)
        total = 0.0
        for i in range(n):
            total += (vectors[ESTIMATE, i] * vectors[WEIGHT, i]) ** 2
        error = math.sqrt(total / n)
        if error < 1.0 or attempt == 1 or not (counters[STEPS_SINCE_START] == 0 or counters[WAS_REJECTED]):
            break
        for i in registers(n):
            vectors[WORK, i] = vectors[Y, i] + vectors[ESTIMATE, i]
        stage_time[0] = step_times[T]
        call(addresses[0], stage_time, vectors[WORK], p, vectors[ESTIMATE])
        counters[EVALUATIONS] += 1
        for i in registers(n):
            vectors[ESTIMATE, i] = vectors[ESTIMATE, i] + vectors[INCREMENTS, i]
    if counters[STEPS_SINCE_START] > 0:
        error = max(error, _interpolation_error(h / step_times[H], vectors))
    end = 0.0
    for i in range(n):
        end += abs(vectors[Y, i] + vectors[Z3, i])
    return error if math.isfinite(end) else end - end


@compiled
def _interpolation_error(ratio, vectors):
    """Error of the cubic between the ends of a step over its tolerance; `ratio` is its length in those of the last one.

    The cubic of the last step, carried on, misses the new end by the fourth divided difference of the solution times
    the product of the distances from its nodes, and the new cubic misses what lies between by as much times a product
    that is INTERPOLATION at most.
    """
    c_1, c_2 = coefficients.C[0], coefficients.C[1]
    distances = (
        (ratio + 1.0 - c_2) * (ratio + 1.0 - c_1) * (ratio + 1.0)
    )  # but for the end's, the ratio itself
    total = 0.0
    for i in range(vectors.shape[1]):
        total += ((vectors[Z3, i] - vectors[PREDICTED, i]) * vectors[WEIGHT, i]) ** 2
    return coefficients.INTERPOLATION * ratio**3 / distances * math.sqrt(total / vectors.shape[1])

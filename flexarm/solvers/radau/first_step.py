"""The first step of Radau IIA, compiled: the slope at the initial state, and a guess of the step size."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import call, compiled, registers
from flexarm.solvers.compiled.status import EVALUATIONS, NOT_FINITE, RUNNING, STARTING, STATUS
from flexarm.solvers.radau.error_estimate import set_weights
from flexarm.solvers.radau.layout import (
    CONTRACTION,
    CONVERGENCE,
    D1,
    D2,
    D3,
    ESTIMATE,
    H_NEXT,
    HAS_JACOBIAN,
    IS_FACTORISED,
    IS_FRESH,
    MAX_STEP,
    SLOPE,
    STEPS_SINCE_START,
    WAS_REJECTED,
    WEIGHT,
    WORK,
    H,
    T,
    Y,
)


@compiled
def first_step(addresses, p, stage_time, limits, step_times, counters, vectors):
    """Slope and initial step size where the integration starts: Hairer's HINIT [HNW93, section II.4], of order 3.

    The rate of the slope after one Euler step shows what is fast, so that the guess does not jump over it. A fast
    component at rest does not bound the step: an implicit method damps it.
    """
    if counters[STATUS] != STARTING:
        return
    n = vectors.shape[1]
    for i in registers(n):
        vectors[D1, i], vectors[D2, i], vectors[D3, i] = 0.0, 0.0, 0.0  # the constant y, to be interpolated
    step_times[H] = 1.0
    step_times[CONTRACTION], step_times[CONVERGENCE] = 1.0, 1.0
    counters[HAS_JACOBIAN], counters[IS_FRESH], counters[IS_FACTORISED] = 0, 0, 0
    counters[STEPS_SINCE_START], counters[WAS_REJECTED] = 0, 0
    stage_time[0] = step_times[T]
    call(addresses[0], stage_time, vectors[Y], p, vectors[SLOPE])
    set_weights(limits, vectors)
    d_0, d_1 = _norm(vectors, Y), _norm(vectors, SLOPE)
    h_0 = 1e-6 if min(d_0, d_1) < 1e-5 else 0.01 * d_0 / d_1
    h_0 = min(h_0, limits[MAX_STEP])
    for i in registers(n):
        vectors[WORK, i] = vectors[Y, i] + h_0 * vectors[SLOPE, i]
    stage_time[0] = step_times[T] + h_0
    call(addresses[0], stage_time, vectors[WORK], p, vectors[ESTIMATE])
    for i in registers(n):
        vectors[ESTIMATE, i] = vectors[ESTIMATE, i] - vectors[SLOPE, i]
    d = max(d_1, _norm(vectors, ESTIMATE) / h_0)
    h_1 = max(1e-6, 1e-3 * h_0) if d <= 1e-15 else (0.01 / d) ** 0.25
    h_1 = min(min(100 * h_0, h_1), limits[MAX_STEP])
    step_times[H_NEXT] = h_1 if math.isfinite(h_1) and h_1 > 0.0 else 1e-6
    counters[EVALUATIONS] += 2
    counters[STATUS] = RUNNING if math.isfinite(d_1) else NOT_FINITE


@compiled
def _norm(vectors, row):
    """Root mean square of a vector over the tolerances."""
    total = 0.0
    for i in range(vectors.shape[1]):
        total += (vectors[row, i] * vectors[WEIGHT, i]) ** 2
    return math.sqrt(total / vectors.shape[1])

"""Simplified Newton's iteration for the stages of a step, compiled, in the basis of the eigenvectors.

The increments Z of the stages, of the state y at the start, fulfil A^-1 Z / h = F(Z); those in the basis, W = T^-1 Z,
are corrected by solutions of one real and one complex system of equations [HW96, section IV.8].
"""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import call, compiled, registers
from flexarm.solvers.compiled.status import EVALUATIONS
from flexarm.solvers.radau.coefficients import ALPHA, BASIS, BASIS_INVERSE, BETA, REAL, C
from flexarm.solvers.radau.dense_output import collocation
from flexarm.solvers.radau.layout import (
    CAUSE,
    CONTRACTION,
    CONVERGENCE,
    H_FACTOR,
    ITERATIONS,
    NEWTON_TOLERANCE,
    NO_CONVERGENCE,
    PREDICTED,
    R1,
    R2,
    R3,
    STEPS_SINCE_START,
    UNDEFINED,
    W1,
    W2,
    W3,
    WEIGHT,
    WORK,
    Z1,
    Z2,
    Z3,
    H,
    T,
    Y,
)
from flexarm.solvers.radau.linear_algebra.linear_equations import solve_pair, solve_real

MOST_ITERATIONS = 7
_EPSILON = 2.0**-52
_SLOWEST = 0.99
"""Contraction from which the iteration has failed."""
_SHORTER = 0.5
"""Factor of the step where it has."""
_STAGES = ((0, Z1, R1), (1, Z2, R2), (2, Z3, R3))


@compiled
def start_values(h, step_times, counters, vectors):
    """Increments of the stages by the collocation polynomial of the last step; zero in the first one."""
    n = vectors.shape[1]
    if counters[STEPS_SINCE_START] == 0:
        for i in registers(n):
            for _, z, _ in _STAGES:
                vectors[z, i] = 0.0
            vectors[W1, i], vectors[W2, i], vectors[W3, i] = 0.0, 0.0, 0.0
        return
    ratio = h / step_times[H]
    for i in registers(n):
        for s, z, _ in _STAGES:
            vectors[z, i] = collocation(C[s] * ratio, vectors, i)
        vectors[PREDICTED, i] = vectors[Z3, i]
        for row, w in ((0, W1), (1, W2), (2, W3)):
            vectors[w, i] = (
                BASIS_INVERSE[row][0] * vectors[Z1, i]
                + BASIS_INVERSE[row][1] * vectors[Z2, i]
                + BASIS_INVERSE[row][2] * vectors[Z3, i]
            )


@compiled
def solve_stages(h, addresses, p, stage_time, limits, step_times, counters, vectors, matrices, indices):
    """Find the increments of the stages of a step h; False, with the cause, if that does not succeed."""
    real, re, im = REAL / h, ALPHA / h, BETA / h
    convergence = max(step_times[CONVERGENCE], _EPSILON) ** 0.8  # what it was, with some distrust
    size_before, ratio_before = 0.0, 0.0
    counters[CAUSE], step_times[H_FACTOR] = NO_CONVERGENCE, _SHORTER
    for iteration in range(1, MOST_ITERATIONS + 1):
        counters[ITERATIONS] = iteration
        _residuals(h, real, re, im, addresses, p, stage_time, step_times, vectors)
        counters[EVALUATIONS] += 3
        solve_real(real, vectors[R1], counters, vectors, matrices, indices)
        solve_pair(re, im, vectors[R2], vectors[R3], counters, vectors, matrices, indices)
        size = _size(vectors)
        if not math.isfinite(size):
            counters[CAUSE] = UNDEFINED
            return False
        if iteration > 1:
            ratio = size / size_before
            contraction = ratio if iteration == 2 else math.sqrt(ratio * ratio_before)
            ratio_before = ratio
            if contraction < _SLOWEST:
                step_times[CONTRACTION], convergence = contraction, contraction / (1.0 - contraction)
                left = MOST_ITERATIONS - iteration
                expected = convergence * size * contraction**left / limits[NEWTON_TOLERANCE]
                if expected >= 1.0:
                    step_times[H_FACTOR] = 0.8 * max(1e-4, min(20.0, expected)) ** (-1.0 / (4.0 + left))
                    return False
            elif size > limits[NEWTON_TOLERANCE]:  # otherwise it is round-off that does not get smaller
                step_times[CONTRACTION] = contraction
                return False
            else:
                convergence = 1.0
        size_before = max(size, _EPSILON)
        _correct(vectors)
        if convergence * size <= limits[NEWTON_TOLERANCE]:
            step_times[CONVERGENCE] = convergence
            return True
    return False


@compiled
def _residuals(h, real, re, im, addresses, p, stage_time, step_times, vectors):
    """T^-1 F(Z) - (T^-1 A^-1 T) W / h, in the rows R."""
    n = vectors.shape[1]
    for s, z, r in _STAGES:
        for i in registers(n):
            vectors[WORK, i] = vectors[Y, i] + vectors[z, i]
        stage_time[0] = step_times[T] + C[s] * h
        call(addresses[0], stage_time, vectors[WORK], p, vectors[r])
    for i in registers(n):
        f1, f2, f3 = vectors[R1, i], vectors[R2, i], vectors[R3, i]
        w1, w2, w3 = vectors[W1, i], vectors[W2, i], vectors[W3, i]
        g1 = BASIS_INVERSE[0][0] * f1 + BASIS_INVERSE[0][1] * f2 + BASIS_INVERSE[0][2] * f3
        g2 = BASIS_INVERSE[1][0] * f1 + BASIS_INVERSE[1][1] * f2 + BASIS_INVERSE[1][2] * f3
        g3 = BASIS_INVERSE[2][0] * f1 + BASIS_INVERSE[2][1] * f2 + BASIS_INVERSE[2][2] * f3
        vectors[R1, i] = g1 - real * w1
        vectors[R2, i] = g2 - (re * w2 - im * w3)
        vectors[R3, i] = g3 - (im * w2 + re * w3)


@compiled
def _size(vectors):
    """Root mean square of the corrections over the tolerance."""
    n = vectors.shape[1]
    total = 0.0
    for row in (R1, R2, R3):
        for i in range(n):
            total += (vectors[row, i] * vectors[WEIGHT, i]) ** 2
    return math.sqrt(total / (3 * n))


@compiled
def _correct(vectors):
    """Add the corrections to W; Z = T W."""
    for i in registers(vectors.shape[1]):
        w1, w2 = vectors[W1, i] + vectors[R1, i], vectors[W2, i] + vectors[R2, i]
        w3 = vectors[W3, i] + vectors[R3, i]
        vectors[W1, i], vectors[W2, i], vectors[W3, i] = w1, w2, w3
        vectors[Z1, i] = BASIS[0][0] * w1 + BASIS[0][1] * w2 + BASIS[0][2] * w3
        vectors[Z2, i] = BASIS[1][0] * w1 + BASIS[1][1] * w2 + BASIS[1][2] * w3
        vectors[Z3, i] = BASIS[2][0] * w1 + BASIS[2][1] * w2 + BASIS[2][2] * w3

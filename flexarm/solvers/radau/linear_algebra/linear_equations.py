"""The linear equations of Newton's iteration, compiled: (gamma - J) x = r for a real and a complex gamma.

A row i of J with a single entry c, in column j, says gamma x_i = r_i + c x_j: so x_i is eliminated beforehand, and only
what remains is factorised. Of q' = v these are all rows of q, which halves the size. The entries of the present J
count, so that nothing needs to be known of the equations.
"""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import compiled, registers
from flexarm.solvers.radau.layout import (
    COMPLEX_FACTORS_IM,
    COMPLEX_FACTORS_RE,
    COMPLEX_PIVOTS,
    ELIMINATED,
    ELIMINATED_INDEX,
    ELIMINATED_PART,
    FACTORS,
    JACOBIAN,
    KEPT,
    KEPT_INDEX,
    KEPT_PART,
    PLACE,
    REAL_FACTORS,
    REAL_PIVOTS,
    ROLE,
    TARGET,
    WORK,
    WORK_2,
)
from flexarm.solvers.radau.linear_algebra.complex_factorisation import factorise_complex, solve_complex
from flexarm.solvers.radau.linear_algebra.factorisation import factorise, solve_factorised

_FREE, _NEEDED, _ELIMINATED = range(3)
"""What a state is: nothing so far, one that an eliminated state depends on, an eliminated one."""


@compiled
def reduce_jacobian(counters, vectors, matrices, indices):
    """Choose the states to eliminate and take the Jacobian apart; False if this is not finite."""
    n = vectors.shape[1]
    J = matrices[JACOBIAN]
    total = 0.0
    for j in range(n):
        for i in range(n):
            total += abs(J[j, i])
    if not math.isfinite(total):
        return False
    _choose(J, counters, vectors, indices)
    kept, eliminated = counters[KEPT], counters[ELIMINATED]
    for j in range(kept):
        for i in range(kept):
            matrices[KEPT_PART, j, i] = J[indices[KEPT_INDEX, j], indices[KEPT_INDEX, i]]
    for j in range(eliminated):
        for i in range(kept):
            matrices[ELIMINATED_PART, j, i] = J[indices[ELIMINATED_INDEX, j], indices[KEPT_INDEX, i]]
    return True


@compiled
def _choose(J, counters, vectors, indices):
    """List kept and eliminated states, and the kept one that each of these depends on, with its factor."""
    n = vectors.shape[1]
    kept, eliminated = 0, 0
    for i in range(n):
        indices[ROLE, i] = _FREE
    for i in range(n):
        entries, column = 0, i
        for j in range(n):
            if J[j, i] != 0.0:
                entries += 1
                column = j
        alone = entries == 1 and column != i and indices[ROLE, i] == _FREE
        if alone and indices[ROLE, column] != _ELIMINATED:
            indices[ELIMINATED_INDEX, eliminated], indices[TARGET, eliminated] = i, column
            vectors[FACTORS, eliminated] = J[column, i]
            indices[ROLE, i], indices[ROLE, column] = _ELIMINATED, _NEEDED
            eliminated += 1
        else:
            indices[KEPT_INDEX, kept], indices[PLACE, i] = i, kept
            kept += 1
    for k in range(eliminated):
        indices[TARGET, k] = indices[PLACE, indices[TARGET, k]]
    counters[KEPT], counters[ELIMINATED] = kept, eliminated


@compiled
def factorise_real(gamma, counters, vectors, matrices, indices):
    """Factorise gamma - J without what is eliminated; False if it is singular."""
    m = counters[KEPT]
    A = matrices[REAL_FACTORS]
    for j in range(m):
        for i in registers(m):
            A[j, i] = -matrices[KEPT_PART, j, i]
        A[j, j] = A[j, j] + gamma
    for k in range(counters[ELIMINATED]):
        j, factor = indices[TARGET, k], vectors[FACTORS, k] / gamma
        for i in registers(m):
            A[j, i] = A[j, i] - factor * matrices[ELIMINATED_PART, k, i]
    return factorise(A, indices[REAL_PIVOTS], m)


@compiled
def factorise_pair(re, im, counters, vectors, matrices, indices):
    """Factorise re + i im - J without what is eliminated; False if it is singular."""
    m = counters[KEPT]
    A, B = matrices[COMPLEX_FACTORS_RE], matrices[COMPLEX_FACTORS_IM]
    square = re * re + im * im
    for j in range(m):
        for i in registers(m):
            A[j, i] = -matrices[KEPT_PART, j, i]
            B[j, i] = 0.0
        A[j, j], B[j, j] = A[j, j] + re, im
    for k in range(counters[ELIMINATED]):
        j, factor = indices[TARGET, k], vectors[FACTORS, k] / square
        factor_re, factor_im = factor * re, -factor * im
        for i in registers(m):
            A[j, i] = A[j, i] - factor_re * matrices[ELIMINATED_PART, k, i]
            B[j, i] = B[j, i] - factor_im * matrices[ELIMINATED_PART, k, i]
    return factorise_complex(A, B, indices[COMPLEX_PIVOTS], m)


@compiled
def solve_real(gamma, r, counters, vectors, matrices, indices):
    """Solve (gamma - J) x = r, in place."""
    m, eliminated = counters[KEPT], counters[ELIMINATED]
    x = vectors[WORK]
    for i in range(m):
        x[i] = r[indices[KEPT_INDEX, i]]
    for k in range(eliminated):
        factor = r[indices[ELIMINATED_INDEX, k]] / gamma
        for i in registers(m):
            x[i] = x[i] + factor * matrices[ELIMINATED_PART, k, i]
    solve_factorised(matrices[REAL_FACTORS], indices[REAL_PIVOTS], x, m)
    for i in range(m):
        r[indices[KEPT_INDEX, i]] = x[i]
    for k in range(eliminated):
        i = indices[ELIMINATED_INDEX, k]
        r[i] = (r[i] + vectors[FACTORS, k] * x[indices[TARGET, k]]) / gamma


@compiled
def solve_pair(re, im, r, s, counters, vectors, matrices, indices):
    """Solve (re + i im - J) (x + i y) = r + i s, in place."""
    m, eliminated = counters[KEPT], counters[ELIMINATED]
    x, y = vectors[WORK], vectors[WORK_2]
    square = re * re + im * im
    inverse_re, inverse_im = re / square, -im / square
    for i in range(m):
        x[i], y[i] = r[indices[KEPT_INDEX, i]], s[indices[KEPT_INDEX, i]]
    for k in range(eliminated):
        i = indices[ELIMINATED_INDEX, k]
        factor_re = r[i] * inverse_re - s[i] * inverse_im
        factor_im = r[i] * inverse_im + s[i] * inverse_re
        for j in registers(m):
            x[j] = x[j] + factor_re * matrices[ELIMINATED_PART, k, j]
            y[j] = y[j] + factor_im * matrices[ELIMINATED_PART, k, j]
    solve_complex(
        matrices[COMPLEX_FACTORS_RE], matrices[COMPLEX_FACTORS_IM], indices[COMPLEX_PIVOTS], x, y, m
    )
    for i in range(m):
        r[indices[KEPT_INDEX, i]], s[indices[KEPT_INDEX, i]] = x[i], y[i]
    for k in range(eliminated):
        i, j = indices[ELIMINATED_INDEX, k], indices[TARGET, k]
        a, b = r[i] + vectors[FACTORS, k] * x[j], s[i] + vectors[FACTORS, k] * y[j]
        r[i], s[i] = a * inverse_re - b * inverse_im, a * inverse_im + b * inverse_re

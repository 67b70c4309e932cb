"""LU factorisation with partial pivoting, compiled: of matrices whose columns lie one after the other in memory.

Every inner loop runs along a column. A column is worked on once, by all columns before it, as a right-hand side is by
all of them. Of the diagonal of U the reciprocals are kept.
"""

from __future__ import annotations

from flexarm.codegen.kernels.language import compiled, registers


@compiled
def factorise(A, pivots, m):
    """Factorise the first m rows and columns of A, in place; False if this is singular."""
    for k in range(m):
        _permute(A[k], pivots, k)
        _eliminate(A, A[k], k, m)
        pivot, largest = k, abs(A[k, k])
        for i in range(k + 1, m):
            size = abs(A[k, i])
            if size > largest:
                pivot, largest = i, size
        if not largest > 0.0:
            return False
        pivots[k] = pivot
        if pivot != k:
            for j in range(k + 1):
                A[j, k], A[j, pivot] = A[j, pivot], A[j, k]
        A[k, k] = 1.0 / A[k, k]
        reciprocal = A[k, k]
        for i in registers(k + 1, m):
            A[k, i] = A[k, i] * reciprocal
    return True


@compiled
def solve_factorised(A, pivots, x, m):
    """Solve A x = b, of which x is b before."""
    _permute(x, pivots, m)
    _eliminate(A, x, m, m)
    for k in range(m - 1, -1, -1):
        x[k] = x[k] * A[k, k]
        factor = x[k]
        for i in registers(k):
            x[i] = x[i] - factor * A[k, i]


@compiled
def _permute(x, pivots, count):
    """The exchanges of the first rows."""
    for k in range(count):
        pivot = pivots[k]
        x[k], x[pivot] = x[pivot], x[k]


@compiled
def _eliminate(A, x, count, m):
    """Eliminate by the first columns, two at a time."""
    for k in range(0, count - 1, 2):
        x[k + 1] = x[k + 1] - x[k] * A[k, k + 1]
        first, second = x[k], x[k + 1]
        for i in registers(k + 2, m):
            x[i] = x[i] - first * A[k, i] - second * A[k + 1, i]
    if count % 2 == 1:
        last = x[count - 1]
        for i in registers(count, m):
            x[i] = x[i] - last * A[count - 1, i]

"""The same LU factorisation of complex matrices, whose real and imaginary parts are arrays of their own."""

from __future__ import annotations

from flexarm.codegen.kernels.language import compiled, registers


@compiled
def factorise_complex(A, B, pivots, m):
    """Factorise the first m rows and columns of A + i B, in place; False if this is singular."""
    for k in range(m):
        _permute(A[k], B[k], pivots, k)
        _eliminate(A, B, A[k], B[k], k, m)
        pivot, largest = k, abs(A[k, k]) + abs(B[k, k])
        for i in range(k + 1, m):
            size = abs(A[k, i]) + abs(B[k, i])
            if size > largest:
                pivot, largest = i, size
        if not largest > 0.0:
            return False
        pivots[k] = pivot
        if pivot != k:
            for j in range(k + 1):
                A[j, k], A[j, pivot] = A[j, pivot], A[j, k]
                B[j, k], B[j, pivot] = B[j, pivot], B[j, k]
        square = A[k, k] * A[k, k] + B[k, k] * B[k, k]
        A[k, k], B[k, k] = A[k, k] / square, -B[k, k] / square
        re, im = A[k, k], B[k, k]
        for i in registers(k + 1, m):
            a, b = A[k, i], B[k, i]
            A[k, i] = a * re - b * im
            B[k, i] = a * im + b * re
    return True


@compiled
def solve_complex(A, B, pivots, x, y, m):
    """Solve (A + i B) (x + i y) = b, of which x and y are the parts before."""
    _permute(x, y, pivots, m)
    _eliminate(A, B, x, y, m, m)
    for k in range(m - 1, -1, -1):
        x[k], y[k] = x[k] * A[k, k] - y[k] * B[k, k], x[k] * B[k, k] + y[k] * A[k, k]
        re, im = x[k], y[k]
        for i in registers(k):
            x[i] = x[i] - (re * A[k, i] - im * B[k, i])
            y[i] = y[i] - (re * B[k, i] + im * A[k, i])


@compiled
def _permute(x, y, pivots, count):
    """The exchanges of the first rows."""
    for k in range(count):
        pivot = pivots[k]
        x[k], x[pivot] = x[pivot], x[k]
        y[k], y[pivot] = y[pivot], y[k]


@compiled
def _eliminate(A, B, x, y, count, m):
    """Eliminate by the first columns."""
    for k in range(count):
        re, im = x[k], y[k]
        for i in registers(k + 1, m):
            x[i] = x[i] - (re * A[k, i] - im * B[k, i])
            y[i] = y[i] - (re * B[k, i] + im * A[k, i])

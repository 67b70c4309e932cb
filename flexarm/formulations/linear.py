"""Symbolic linear algebra for symmetric positive definite systems; structural zeros cost nothing."""

from __future__ import annotations

import casadi as ca


def ldl(M: ca.SX) -> tuple[ca.SX, list[ca.SX]]:
    """Factor a symmetric matrix (n, n) as L D L^T without pivoting: unit lower triangle L and the list D."""
    n = M.size1()
    L = ca.SX.eye(n)
    D: list[ca.SX] = []
    for j in range(n):
        scaled = [L[j, k] * D[k] for k in range(j)]
        D.append(M[j, j] - sum((L[j, k] * scaled[k] for k in range(j)), ca.SX(0)))
        for i in range(j + 1, n):
            L[i, j] = (M[i, j] - sum((L[i, k] * scaled[k] for k in range(j)), ca.SX(0))) / D[j]
    return L, D


def ldl_solve(M: ca.SX, B: ca.SX) -> ca.SX:
    """Solve M X = B for a symmetric positive definite M (n, n) and B (n, k)."""
    return ldl_substitute(ldl(M), B)


def ldl_substitute(factors: tuple[ca.SX, list[ca.SX]], B: ca.SX) -> ca.SX:
    """Solve L D L^T X = B with factors from :func:`ldl`."""
    L, D = factors
    n = len(D)
    rows = [B[i, :] for i in range(n)]
    for i in range(n):
        for k in range(i):
            rows[i] = rows[i] - L[i, k] * rows[k]
    rows = [row / d for row, d in zip(rows, D, strict=True)]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            rows[i] = rows[i] - L[k, i] * rows[k]
    return ca.vertcat(*rows) if rows else ca.SX(0, B.size2())


def mirror(M: ca.SX) -> ca.SX:
    """Symmetric matrix with the upper triangle of M; its lower triangle is never computed."""
    return ca.triu2symm(ca.triu(M))

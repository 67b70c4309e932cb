"""Symbolic linear algebra: LDL^T factors, triangular solves, constants; structural zeros cost nothing."""

from __future__ import annotations

import casadi as ca
import numpy as np


def ldl(M: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Factor a symmetric matrix (n, n) as L D L^T without pivoting: unit lower triangle L and the column D (n,)."""
    n = M.size1()
    if n == 0:
        return ca.SX(0, 0), ca.SX(0, 1)
    D, upper, _ = ca.ldl(ca.densify(M), False)
    return ca.SX.eye(n) + upper.T, D


def ldl_solve(M: ca.SX, B: ca.SX) -> ca.SX:
    """Solve M X = B for a symmetric positive definite M (n, n) and B (n, k)."""
    return ldl_substitute(ldl(M), B)


def ldl_substitute(factors: tuple[ca.SX, ca.SX], B: ca.SX) -> ca.SX:
    """Solve L D L^T X = B, (n, k), with factors from :func:`ldl`."""
    L, D = factors
    return triangular_solve(L.T, divided_rows(triangular_solve(L, B), D))


def lu(M: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Factor a matrix (n, n) as L U without pivoting: unit lower triangle L and upper triangle U."""
    n = M.size1()
    L, U = ca.SX.eye(n), ca.SX(M)
    for k in range(n - 1):
        L[k + 1 :, k] = U[k + 1 :, k] / U[k, k]
        U[k + 1 :, k:] -= L[k + 1 :, k] @ U[k, k:]
    return L, ca.triu(U)


def lu_substitute(factors: tuple[ca.SX, ca.SX], b: ca.SX) -> ca.SX:
    """Solve L U x = b, (n,), with factors from :func:`lu`."""
    L, U = factors
    D = ca.diag(U)
    return triangular_solve(ca.diag(1 / D) @ U, triangular_solve(L, b) / D)


def triangular_solve(L: ca.SX, B: ca.SX) -> ca.SX:
    """Solve L X = B for a unit triangle L (n, n), lower or upper, and B (n, k)."""
    return ca.solve(L, B) if L.size1() else B


def divided_rows(B: ca.SX, D: ca.SX) -> ca.SX:
    """Divide each row of B (n, k) by its number among D (n,), with one division for the whole row."""
    return ca.diag(1 / D) @ B


def symmetric_from_upper(M: ca.SX) -> ca.SX:
    """Symmetric matrix (n, n) with the upper triangle of M; its lower triangle is never computed."""
    return ca.triu2symm(ca.triu(M))


def constant(array: np.ndarray) -> ca.SX:
    """Expression of an array (n,) or (n, k) of numbers or symbols; zeros become structural, empty shapes stay."""
    return ca.SX(array) if array.size else ca.SX(*array.shape)

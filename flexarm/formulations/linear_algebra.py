"""Symbolic linear algebra for symmetric positive definite systems; structural zeros cost nothing."""

from __future__ import annotations

import casadi as ca
import numpy as np


def ldl(M: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Factor a symmetric matrix (n, n) as L D L^T without pivoting: unit lower triangle L and the column D (n,)."""
    n = M.size1()
    if n == 0:
        return ca.SX(0, 0), ca.SX(0, 1)
    D, above, _ = ca.ldl(ca.densify(M), False)
    return ca.SX.eye(n) + above.T, D


def ldl_solve(M: ca.SX, B: ca.SX) -> ca.SX:
    """Solve M X = B for a symmetric positive definite M (n, n) and B (n, k)."""
    return ldl_substitute(ldl(M), B)


def ldl_substitute(factors: tuple[ca.SX, ca.SX], B: ca.SX) -> ca.SX:
    """Solve L D L^T X = B with factors from :func:`ldl`."""
    L, D = factors
    return triangular_solve(L.T, divided_rows(triangular_solve(L, B), D))


def triangular_solve(L: ca.SX, B: ca.SX) -> ca.SX:
    """Solve L X = B for a unit triangle L (n, n), lower or upper, and B (n, k)."""
    return ca.solve(L, B) if L.size1() else B


def divided_rows(B: ca.SX, D: ca.SX) -> ca.SX:
    """Divide each row of B (n, k) by its number among D (n,), with one division for the whole row."""
    return ca.diag(1 / D) @ B


def symmetric_from_upper(M: ca.SX) -> ca.SX:
    """Symmetric matrix with the upper triangle of M; its lower triangle is never computed."""
    return ca.triu2symm(ca.triu(M))


def constant(array: np.ndarray) -> ca.SX:
    """Numbers (or symbols) of an array as an expression, structural zeros and empty matrices included."""
    return ca.SX(array) if array.size else ca.SX(*array.shape)

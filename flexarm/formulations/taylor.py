"""Taylor polynomials of symbolic expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import casadi as ca


def first_order(f: Callable[[ca.SX], ca.SX], theta: ca.SX, rows: Sequence[int]) -> ca.SX:
    """Taylor polynomial of degree 1 of f(theta), of any shape and unit, in some entries of theta (n,).

    The polynomial is that about zero in the entries at ``rows`` together: no product of two of them is left, and its
    coefficients are functions of the other entries.
    """
    x, eps = ca.SX.sym("theta", theta.numel()), ca.SX.sym("eps")
    scaled = ca.SX(x)
    for row in rows:
        scaled[row] *= eps
    value = ca.densify(f(scaled))
    slope = ca.reshape(ca.jacobian(ca.vec(value), eps), value.shape)
    return ca.substitute(ca.sparsify(ca.substitute(value + slope, eps, 0)), x, theta)

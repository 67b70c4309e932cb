"""Machine code of functions with the products of a row vector and their Jacobians: derivatives in the reverse mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.differentiation import with_change
from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction
from flexarm.codegen.parameter_hoisting import hoist_parameters
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial


class BoundAdjoint(NamedTuple):
    """Values and products of one set of parameters.

    Attributes
    ----------
    values : NativeFunction
        (t, y, h) -> [out; c].
    back : NativeFunction
        (t, w, c) -> [w^T d out/dy; w^T d out/dh].
    h : (n_h,)
    """

    values: NativeFunction
    back: NativeFunction
    h: NDArray[np.float64]

    @property
    def n_out(self) -> int:
        """Length of out, and of w."""
        return self.back.n_y

    def at(self, t: float, y: NDArray[np.float64], w: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Products w^T d out/dy (n_y,) and w^T d out/dh (n_h,) at one state."""
        c = self.values(t, y, self.h)[self.n_out :]
        return np.split(self.back(0.0, w, c), [y.size])


class AdjointFunction:
    """Machine code of a function (t, y, p, u) -> out and of products w^T d out/d(y, p).

    Parameters
    ----------
    f : casadi.Function
        All of p are parameters.
    polynomials : sequence of PiecewisePolynomial
        The elements of u as functions of time.
    optimisation : int
        LLVM's effort, 0 to 3.

    Notes
    -----
    Two to three times as many operations as f has give the derivatives by all of y and p, however many
    [GriewankWalther2008, chapters 3 and 4]. Coefficients that do not depend on w come with the values.
    """

    def __init__(self, f: ca.Function, polynomials: Sequence[PiecewisePolynomial], optimisation: int):
        hoisted = hoist_parameters(f, f.numel_in(2))
        self._n_h = hoisted.precompute.numel_out(0)
        self._precompute = compile_native(with_change(hoisted.precompute))
        values, back = _split(hoisted.state_part)
        self._values = compile_native(values, polynomials, optimisation=optimisation)
        self._back = compile_native(back, optimisation=optimisation)

    def at(self, p: NDArray[np.float64]) -> BoundAdjoint:
        """Evaluate what depends on the parameters (n_p,) alone."""
        h = self._precompute.map(np.zeros(1), np.zeros((1, p.size)), p)[0, : self._n_h]
        return BoundAdjoint(self._values, self._back, h)

    def changes(self, p: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Derivatives (k, n_h) of h in directions of the parameters (k, n_p)."""
        return self._precompute.map(np.zeros(len(directions)), directions, p)[:, self._n_h :]


def _split(f: ca.Function) -> tuple[ca.Function, ca.Function]:
    """Functions (t, y, h, u) -> [out; c] and (t, w, c) -> [w^T d out/dy; w^T d out/dh] of one (t, y, h, u) -> out."""
    t, y, h, u = f.sx_in()
    out, known = f(t, y, h, u), ca.vertcat(t, y, h, u)
    w = ca.SX.sym("w", out.numel())
    products = ca.vertcat(*(ca.jtimes(out, x, w, True) for x in (y, h) if x.numel()))
    whole = ca.Function("back", [ca.SX.sym("t"), w, known, ca.SX(0, 1)], [ca.densify(products)])
    parts = hoist_parameters(whole, known.numel())
    c = parts.precompute(0, known, ca.SX(0, 1))
    return ca.Function(f.name(), [t, y, h, u], [ca.vertcat(ca.densify(out), c)]), parts.state_part

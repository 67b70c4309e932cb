"""Machine code of functions with their derivatives in many directions, as many at once as a register holds."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.differentiation import directional_derivative, with_change
from flexarm.codegen.llvm.directional_entry import Pieces, Sizes, directional_entry_text
from flexarm.codegen.llvm.function_bodies import program_text
from flexarm.codegen.llvm.operations import value_type
from flexarm.codegen.llvm.sample_loops import map_text
from flexarm.codegen.native import check_inputs, compile_native, compile_text, compiling, program_of
from flexarm.codegen.native_function import OPTIMISATION, BoundFunction, NativeFunction, Program
from flexarm.codegen.parameter_hoisting import hoist_parameters
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.codegen.processor import processor


class DirectionalFunction:
    """Machine code of (t, [y; y_1; ..], [v; v_1; ..; t_1; ..; p; p_1; ..], u) -> [out; out_1; ..].

    Derivatives out_k = d out/dy y_k + d out/d(v, p) (v_k, p_k) + d out/dt t_k of a function (t, y, [v, p], u) -> out.

    Parameters
    ----------
    f : casadi.Function
    count : int
        Directions k.
    n_parameters : int
        Length of p, which stays the same for a whole run.
    polynomials : sequence of PiecewisePolynomial
        The elements of u as functions of time.
    in_time : bool
        Whether directions have a part t_k along t, (count,), on whose way u changes too.
    optimisation : int
        LLVM's effort, 0 to 3.

    Notes
    -----
    A derivative is linear in its direction, and the coefficients are the same for all: they come with out, once, from
    a program of single numbers; a second program makes the derivatives of them, whose values have a lane for each
    direction. Both are as long for many directions as for one, as is the time to compile them.
    """

    def __init__(
        self,
        f: ca.Function,
        count: int,
        n_parameters: int,
        polynomials: Sequence[PiecewisePolynomial] = (),
        in_time: bool = False,
        optimisation: int = OPTIMISATION,
    ):
        self._count, self._lanes = count, processor().lanes if count > 1 else 1
        hoisted = hoist_parameters(f, n_parameters)
        self._precompute = compile_native(with_change(hoisted.precompute))
        values, changes = _split(hoisted.state_part, f.numel_in(2) - n_parameters, in_time)
        sizes = Sizes(
            count,
            n_y=f.numel_in(1),
            n_v=f.numel_in(2) - n_parameters,
            n_t=int(in_time),
            n_h=hoisted.precompute.numel_out(0),
            n_out=f.numel_out(0),
        )
        check_inputs(hoisted.state_part, len(polynomials))
        if in_time:
            polynomials = [*polynomials, *(polynomial.derivative() for polynomial in polynomials)]
        with compiling(values.n_instructions() + changes.n_instructions()):
            self._function = _compiled(values, changes, sizes, polynomials, self._lanes, optimisation)
        self._sizes = sizes

    def at(self, parameters: NDArray[np.float64]) -> BoundFunction:
        """Evaluate what depends on the parameters [p; p_1; ..] (n_parameters (1 + count),) alone."""
        p, *changes = parameters.reshape(self._count + 1, -1)
        rows = np.array(changes or [np.zeros(p.size)])
        found = self._precompute.map(np.zeros(len(rows)), rows, p)
        n_h, lanes = self._sizes.n_h, self._lanes
        groups = [found[group, n_h:].T.ravel() for group in self._sizes.groups(lanes)]
        return BoundFunction(self._function, np.concatenate([found[0, :n_h], *groups]))


def _split(f: ca.Function, n_v: int, in_time: bool) -> tuple[ca.Function, ca.Function]:
    """Split a function (t, y, [v, h], u) -> out, and its derivative in one direction, in two programs.

    Returns
    -------
    values : casadi.Function
        (t, y, [v, h], u) -> (out, c); with derivatives in time u is followed by its rates.
    changes : casadi.Function
        (t, [y_k, v_k, t_k], c, h_k) -> out_k.

    Notes
    -----
    What does not depend on the direction is found as what does not depend on the state is for parameters.
    """
    t, y, p, u = f.sx_in()
    u_d = ca.SX.sym("u_d", u.numel() if in_time else 0)
    out, known = f(t, y, p, u), ca.vertcat(t, y, p, u, u_d)
    y_k, p_k, t_k = ca.SX.sym("y_k", y.numel()), ca.SX.sym("p_k", p.numel()), ca.SX.sym("t_k", int(in_time))
    pairs = [(y, y_k), (p, p_k), *([(t, t_k), (u, u_d * t_k)] if in_time else [])]
    v_k, h_k = ca.vertsplit(p_k, [0, n_v, p_k.numel()])
    seeds = ca.vertcat(y_k, v_k, t_k)
    change = ca.densify(directional_derivative(out, pairs))
    whole = ca.Function("changes", [ca.SX.sym("t"), seeds, known, h_k], [change])
    parts = hoist_parameters(whole, known.numel())
    c = parts.precompute(0, known, ca.SX(0, 1))
    return ca.Function(f.name(), [t, y, p, ca.vertcat(u, u_d)], [ca.densify(out), c]), parts.state_part


def _compiled(
    values: ca.Function,
    changes: ca.Function,
    sizes: Sizes,
    polynomials: Sequence[PiecewisePolynomial],
    lanes: int,
    optimisation: int,
) -> NativeFunction:
    first, second = program_of(values), program_of(changes)
    names = [{name for name, _ in program.steps} for program in (first, second)]
    if lanes == 1:
        declared = [value_type(1).declarations(names[0] | names[1])]
    else:  # what is linear calls no functions
        declared = [value_type(n).declarations(own) for n, own in zip((1, lanes), names, strict=True)]
    tables = [polynomial.coefficients.shape for polynomial in polynomials]
    entry = directional_entry_text(
        sizes,
        Pieces("piece", *program_text(first)),
        Pieces("change", *program_text(second, lanes, name="change", same_p=True)),
        tables,
        lanes,
    )
    n_y, n_out = (n * (sizes.count + 1) for n in (sizes.n_y, sizes.n_out))
    n_p = sizes.n_inputs + sizes.n_h * (1 + lanes * len(sizes.groups(lanes)))
    key, code = compile_text("\n".join([*declared, entry, map_text(n_y, n_p, n_out)]), optimisation)
    operations = first.n_operations + second.n_operations
    return NativeFunction(Program(key, n_y, n_p, (n_out, 1), operations), code, tuple(polynomials))

"""Parameter hoisting: a function split into what depends on its parameters alone, and what depends on the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import OPTIMISATION, BoundFunction, NativeFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial


@dataclass(frozen=True)
class HoistedFunction:
    """A function (t, y, p, u) -> out in two parts.

    Attributes
    ----------
    precompute : casadi.Function
        (t, parameters, nothing) -> h: the values that `state_part` reads, each of which depends on parameters alone.
    state_part : casadi.Function
        (t, y, p', u) -> out, where h takes the place of the parameters at the end of p.
    """

    precompute: ca.Function
    state_part: ca.Function


def hoist_parameters(f: ca.Function, n_parameters: int) -> HoistedFunction:
    """Split a function into what depends only on the last entries of its third argument, and what reads it.

    Parameters
    ----------
    f : casadi.Function
        Scalar instructions (t, y, p, u) -> out.
    n_parameters : int
        Number of entries at the end of p that are the same for a whole run.

    Notes
    -----
    Loop-invariant code motion, the loop being that over the states [Muchnick1997, section 13.2], in one walk over the
    instructions: a value is invariant if all its operands are. Where an invariant value meets one that varies, it
    becomes an input of the state part.
    """
    inputs = [ca.SX.sym(f.name_in(i), *f.size_in(i)) for i in range(f.n_in())]
    # Common subexpressions first, so that each invariant value is passed on once.
    f = ca.Function(f.name(), inputs, ca.cse(f.call(inputs)))
    n_varying = f.numel_in(2) - n_parameters
    outputs = [ca.SX.zeros(*f.size_out(i)) for i in range(f.n_out())]
    values: dict[int, tuple[ca.SX, bool | None]] = {}  # register -> value, invariant (None: a constant)
    input_of: dict[int, ca.SX] = {}  # invariant value -> the input that stands for it
    precomputed: list[ca.SX] = []

    def in_state_part(register: int) -> ca.SX:
        value, invariant = values[register]
        if not invariant:
            return value
        key = value.element_hash()  # of a value that `precomputed` keeps alive
        if key not in input_of:
            input_of[key] = ca.SX.sym(f"h_{len(precomputed)}")
            precomputed.append(value)
        return input_of[key]

    for k in range(f.n_instructions()):
        code, written, read = f.instruction_id(k), f.instruction_output(k), f.instruction_input(k)
        if code == ca.OP_INPUT:
            argument, element = read
            values[written[0]] = inputs[argument][element], argument == 2 and element >= n_varying
        elif code == ca.OP_CONST:
            values[written[0]] = ca.SX(f.instruction_constant(k)), None
        elif code == ca.OP_OUTPUT:
            outputs[written[0]][written[1]] = in_state_part(read[0])
        else:
            kinds = {values[register][1] for register in read} - {None}
            operands = [values[r][0] for r in read] if kinds == {True} else [in_state_part(r) for r in read]
            make = ca.SX.unary if len(operands) == 1 else ca.SX.binary
            values[written[0]] = make(code, *operands), (kinds == {True}) if kinds else None
    h = ca.vertcat(*precomputed)
    parameters, varying = inputs[2][n_varying:, 0], inputs[2][:n_varying, 0]
    p = ca.vertcat(varying, *input_of.values())
    return HoistedFunction(
        precompute=ca.Function("precompute", [inputs[0], parameters, ca.SX(0, 1)], [ca.densify(h)]),
        state_part=ca.Function(f.name(), [*inputs[:2], p, *inputs[3:]], outputs),
    )


class ParametricFunction:
    """Machine code of a function of time, state and parameters, quick at many states of one set of parameters.

    Parameters
    ----------
    f : casadi.Function
        (t, y, p, u) -> out; the last `n_parameters` entries of p are the parameters.
    polynomials : sequence of PiecewisePolynomial
        The elements of u as functions of time.
    lanes : int
        Sets of parameters, and states, that go together: the last axis of all arrays if there are several.
    optimisation : int
        LLVM's effort, 0 to 3.
    """

    def __init__(
        self,
        f: ca.Function,
        n_parameters: int,
        polynomials: Sequence[PiecewisePolynomial] = (),
        lanes: int = 1,
        optimisation: int = OPTIMISATION,
    ):
        self._precompute: NativeFunction | None = None
        if n_parameters:
            hoisted = hoist_parameters(f, n_parameters)
            self._precompute, f = compile_native(hoisted.precompute, lanes=lanes), hoisted.state_part
        self._state_part = compile_native(f, polynomials, lanes, optimisation)

    def at(self, parameters: NDArray[np.float64]) -> BoundFunction:
        """Evaluate what depends on the parameters alone: (n_parameters,), or each lane's own, (n_parameters, lanes)."""
        if self._precompute is None:
            return BoundFunction(self._state_part, parameters)
        if parameters.ndim == 1:
            return BoundFunction(self._state_part, self._precompute.map(np.zeros(1), parameters[None])[0])
        return BoundFunction(self._state_part, self._precompute(np.zeros(parameters.shape[1:]), parameters))

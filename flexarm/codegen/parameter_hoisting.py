"""A function in two: what depends on its parameters alone, to be evaluated once for each arm, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial


@dataclass(frozen=True)
class Hoisted:
    """A function (t, y, p, u) -> out in two parts.

    Attributes
    ----------
    settle : casadi.Function
        (t, parameters, nothing) -> h: the values that the rest reads, each of which depends on parameters alone.
    rest : casadi.Function
        (t, y, p', u) -> out, where h takes the place of the parameters at the end of p.
    """

    settle: ca.Function
    rest: ca.Function


def hoist(f: ca.Function, n_parameters: int) -> Hoisted:
    """Take out of a function what depends only on the last entries of its third argument.

    Parameters
    ----------
    f : casadi.Function
        Scalar instructions (t, y, p, u) -> out.
    n_parameters : int
        Number of entries at the end of p that are the same for a whole run.

    Notes
    -----
    One walk over the instructions: a value is settled if everything that it is made of is. Where a settled value
    meets one that is not, it becomes an input of the rest.
    """
    inputs = [ca.SX.sym(f.name_in(i), *f.size_in(i)) for i in range(f.n_in())]
    # Shared first, so that each settled value is handed over once.
    f = ca.Function(f.name(), inputs, ca.cse(f.call(inputs)))
    n_varying = f.numel_in(2) - n_parameters
    outputs = [ca.SX.zeros(*f.size_out(i)) for i in range(f.n_out())]
    values: dict[int, tuple[ca.SX, bool | None]] = {}  # register -> value, settled (None: a plain number)
    taken: dict[int, ca.SX] = {}  # settled value -> the input that stands for it
    settled: list[ca.SX] = []

    def for_the_rest(register: int) -> ca.SX:
        value, fixed = values[register]
        if not fixed:
            return value
        key = value.element_hash()  # of a value that `settled` keeps alive
        if key not in taken:
            taken[key] = ca.SX.sym(f"h_{len(settled)}")
            settled.append(value)
        return taken[key]

    for k in range(f.n_instructions()):
        code, written, read = f.instruction_id(k), f.instruction_output(k), f.instruction_input(k)
        if code == ca.OP_INPUT:
            argument, element = read
            values[written[0]] = inputs[argument][element], argument == 2 and element >= n_varying
        elif code == ca.OP_CONST:
            values[written[0]] = ca.SX(f.instruction_constant(k)), None
        elif code == ca.OP_OUTPUT:
            outputs[written[0]][written[1]] = for_the_rest(read[0])
        else:
            kinds = {values[register][1] for register in read} - {None}
            operands = [values[r][0] for r in read] if kinds == {True} else [for_the_rest(r) for r in read]
            make = ca.SX.unary if len(operands) == 1 else ca.SX.binary
            values[written[0]] = make(code, *operands), (kinds == {True}) if kinds else None
    h = ca.vertcat(*settled)
    parameters, varying = inputs[2][n_varying:, 0], inputs[2][:n_varying, 0]
    put = ca.vertcat(varying, *taken.values())
    return Hoisted(
        settle=ca.Function("settle", [inputs[0], parameters, ca.SX(0, 1)], [ca.densify(h)]),
        rest=ca.Function(f.name(), [*inputs[:2], put, *inputs[3:]], outputs),
    )


class BoundFunction(NamedTuple):
    """Machine code with what its parameters come to: f(t, y, [p, h])."""

    f: NativeFunction
    h: NDArray[np.float64]

    def __call__(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate at one state."""
        return self.f(t, y, self.h)


class ParametricFunction:
    """Machine code of a function of time, state and parameters, quick at many states of one set of parameters.

    Parameters
    ----------
    f : casadi.Function
        (t, y, p, u) -> out; the last `n_parameters` entries of p are the parameters.
    signals : sequence of PiecewisePolynomial
        The elements of u.
    lanes : int
        Sets of parameters, and states, that go together: the last axis of all arrays if there are several.
    """

    def __init__(
        self, f: ca.Function, n_parameters: int, signals: Sequence[PiecewisePolynomial] = (), lanes: int = 1
    ):
        self._settle: NativeFunction | None = None
        if n_parameters:
            hoisted = hoist(f, n_parameters)
            self._settle, f = compile_native(hoisted.settle, lanes=lanes), hoisted.rest
        self._rest = compile_native(f, signals, lanes)

    def at(self, parameters: NDArray[np.float64]) -> BoundFunction:
        """Evaluate what depends on the parameters (n,) alone."""
        if self._settle is None:
            return BoundFunction(self._rest, parameters)
        t = np.zeros(parameters.shape[1:])
        return BoundFunction(self._rest, self._settle(t, parameters))

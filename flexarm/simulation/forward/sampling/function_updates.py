"""Controllers that are Python functions: called with what they read at their instants, and their values held."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.arguments import shown
from flexarm.codegen.native_function import BoundFunction
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import Controller, outputs_of
from flexarm.description.arm.control.sampling import Clock
from flexarm.errors import ModelError
from flexarm.hints import did_you_mean
from flexarm.simulation.controllers.control_signals import control_places
from flexarm.simulation.forward.sampling.sampled_updates import SymbolicInstant
from flexarm.simulation.state.symbols import SymbolicState
from flexarm.solvers.base import CompiledJump

Vector = NDArray[np.float64]


class FunctionCall(NamedTuple):
    """Call of a Python function at the instants of a controller.

    Attributes
    ----------
    name : str
        Of the controller.
    function : callable
        From the time [s] and what it reads (n_inputs,) to its outputs (n_outputs,).
    clock : int
        Number of its clock.
    inputs, outputs : slice
        Among those of all functions.
    """

    name: str
    function: Callable[[float, Vector], Any]
    clock: int
    inputs: slice
    outputs: slice

    def at(self, t: float, u: Vector, where: str) -> Vector:
        """Outputs (n_outputs,) at a time [s] for inputs u (n_inputs,); `where` is the arm's name.

        Raises
        ------
        ModelError
            The function fails, or returns something else than so many finite numbers.
        """
        place = f"{where}: controllers.{self.name} at t = {t:.6g} s"
        try:
            found = self.function(t, u.copy())
        except Exception as fault:
            raise ModelError(f"{place}: the function raised {type(fault).__name__}: {fault}") from fault
        try:
            values = np.asarray(found, dtype=float).ravel()
        except (TypeError, ValueError):
            raise ModelError(f"{place}: the function returned {shown(found)}, expected numbers") from None
        n = self.outputs.stop - self.outputs.start
        if values.size != n:
            raise ModelError(
                f"{place}: the function returned {values.size} number{'s' * (values.size != 1)}, expected {n}",
                hint="say how many it returns by outputs: ..",
            )
        if not np.isfinite(values).all():
            raise ModelError(f"{place}: the function returned {shown(found)}, expected finite numbers")
        return values


def function_inputs(symbols: SymbolicState) -> ParametricFunction:
    """Compile (t, [y, fires, noise, starts, given], p) -> what the functions of an arm read at an instant."""
    instant = SymbolicInstant.of(symbols.arm)
    update = symbols.update(*instant)
    read = [name for _, one in function_controllers(symbols.arm) for name in one.inputs]
    value = ca.vertcat(ca.SX.zeros(0), *map(update.value, read))
    f = symbols.function("function_inputs", value, ca.vertcat(*instant))
    return ParametricFunction(f, symbols.parameters.numel(), symbols.signals.tables.copy())


def function_controllers(arm: Arm) -> list[tuple[str, Controller]]:
    """Controllers that are functions, each after those that it follows at once."""
    named, found = dict(arm.controllers), {}
    outputs = outputs_of(named)

    def visit(name: str) -> None:
        for signal, direct in zip(named[name].inputs, named[name].direct, strict=True):
            if direct and signal in outputs and outputs[signal][0] not in found:
                visit(outputs[signal][0])
        found[name] = named[name]

    for name in named:
        if name not in found:
            visit(name)
    return [(name, one) for name, one in found.items() if one.function is not None]


def function_calls(arm: Arm) -> list[FunctionCall]:
    """Calls of the functions of an arm, of classes of new objects.

    Raises
    ------
    ModelError
        A function that the description names is not given.
    """
    calls, first = [], 0
    places = _places(arm)
    for name, one in function_controllers(arm):
        if (function := arm.functions.get(one.function or "")) is None:
            hint = f"flexarm.simulate(arm, functions={{{one.function!r}: f}}) in Python, with f(t, u)"
            raise ModelError(
                f"{arm.name}: controllers.{name}: no function {one.function!r} is given", hint=hint
            )
        clock = arm.clocks.index(Clock(one.period or 0.0, one.offset))
        inputs = slice(first, first + len(one.inputs))
        calls.append(
            FunctionCall(
                name, function() if isinstance(function, type) else function, clock, inputs, places[name]
            )
        )
        first = inputs.stop
    return calls


def _places(arm: Arm) -> dict[str, slice]:
    """Places of the outputs of functions among those of all of them, in the order of the description."""
    found, first = {}, 0
    for name, one in arm.controllers:
        if one.function is not None:
            found[name] = slice(first, first + one.n_outputs)
            first += one.n_outputs
    return found


@dataclass(frozen=True, eq=False)
class FunctionJump:
    """Jump of the state at every break point at which functions are called.

    Attributes
    ----------
    arm : Arm
    calls : sequence of FunctionCall
    update, read : BoundFunction
        (t, [y, row, given], p) -> state after an instant; what functions read there.
    held : sequence of int
        Where their outputs stand in the state.
    rows : (breaks + 1, n_row)
        Of the start, and of every break point.
    starts : (breaks + 1,) [s]
    """

    arm: Arm
    calls: Sequence[FunctionCall]
    update: BoundFunction
    read: BoundFunction
    held: Sequence[int]
    rows: Vector
    starts: Vector

    def __call__(self, k: int, y: Vector) -> Vector:
        """State (n_y,) at the start of interval k + 1 from that at the end of interval k; k = -1 is the start."""
        t, row = float(self.starts[k + 1]), self.rows[k + 1]
        given = y[list(self.held)]
        for call in self.calls:
            if row[call.clock]:
                u = self.read(t, np.concatenate([y, row, given]))[call.inputs]
                given[call.outputs] = call.at(t, u, self.arm.name)
        return self.update(t, np.concatenate([y, row, given]))


def function_jump(
    arm: Arm,
    sampled: CompiledJump,
    first: Vector,
    update: BoundFunction,
    read: BoundFunction,
    first_state: int,
) -> FunctionJump:
    """Jump of a run, from that of what is sampled, whose row of the start is `first`; see :class:`FunctionJump`.

    Parameters
    ----------
    first_state : int
        Where the states of controllers begin in the state.
    """
    places = control_places(arm)
    held = [places[name].held for name in _places(arm)]
    states = [first_state + k for each in held for k in range(each.start, each.stop)]
    return FunctionJump(
        arm, function_calls(arm), update, read, states, np.vstack([first, sampled.rows]), sampled.starts
    )


def check_functions(arm: Arm, functions: Mapping[str, Callable]) -> None:
    """Refuse functions that no controller of an arm names, or that cannot be called.

    Raises
    ------
    ModelError
        Their names.
    """
    named = [one.function for _, one in arm.controllers if one.function is not None]
    for name, function in functions.items():
        if name not in named:
            there = (
                f"they name {', '.join(named)}"
                if named
                else "none is a function: give controllers a function"
            )
            raise ModelError(
                f"{arm.name}: functions: no controller names {name!r}", hint=did_you_mean(name, named, there)
            )
        if not callable(function):
            raise ModelError(f"{arm.name}: functions: {name!r} is {shown(function)}, which cannot be called")

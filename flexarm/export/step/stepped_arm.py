"""An arm whose motion goes on by fixed steps: its functions, their arguments, and where it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.codegen.native_function import BoundFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.export.step.left_open import OpenNumbers, open_numbers
from flexarm.export.step.refusals import check_kinks
from flexarm.simulation.forward.free_motion import initial_state_of
from flexarm.simulation.forward.stepping.arguments import asked_outputs, input_joints
from flexarm.simulation.state.reading_function import reading_expressions
from flexarm.simulation.state.symbols import SymbolicState


@dataclass(frozen=True)
class SteppedArm:
    """Functions of an arm for fixed steps; v are torques from outside, x the numbers left open, s the tables at t.

    Attributes
    ----------
    arm : Arm
    numbers : OpenNumbers
    inputs, outputs, asked : tuple of str
        Names of the elements of v and of the outputs; sensors and words by which these were asked for.
    rates : casadi.Function
        (t, y, x, v, s) -> y_d.
    readings : casadi.Function
        (t, y, x, v, s) -> outputs.
    update : casadi.Function or None
        (t, y, x, v, s, [fires, starts]) -> y after an instant of the clocks that fire; None without clocks.
    tables : list of PiecewisePolynomial
        Functions of time, whose values are s.
    y0 : (n_y,)
        State at the start, before what is sampled has been measured there.
    """

    arm: Arm
    numbers: OpenNumbers
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    asked: tuple[str, ...]
    rates: ca.Function
    readings: ca.Function
    update: ca.Function | None
    tables: list[PiecewisePolynomial]
    y0: np.ndarray

    @property
    def symbols(self) -> SymbolicState:
        """Symbols of which the functions are made."""
        return self.numbers.model.symbols

    def native_rates(self) -> BoundFunction:
        """Rates (t, y) of the arm as described, without torques from outside, as machine code."""
        rhs, h = self.numbers.model.state_equation.native_rhs.at(self.numbers.instance.parameters)
        open_ones = self.numbers.instance.parameters.size
        return BoundFunction(rhs, np.append(np.zeros(len(self.inputs)), h if open_ones else np.zeros(0)))


def stepped_arm(
    arm: Arm, keys: Iterable[str], inputs: Iterable[str] | None, outputs: Iterable[str] | None
) -> SteppedArm:
    """Derive the functions of an arm for fixed steps.

    Parameters
    ----------
    arm : Arm
        That moves without events.
    keys : iterable of str
        Numbers of the description to leave open.
    inputs, outputs : iterable of str, optional
        As of :class:`~flexarm.simulation.forward.stepping.stepper.Stepper`.

    Raises
    ------
    ModelError
        Unknown names, or what an exported step cannot do.
    SpecError
        A key that the arm does not have.
    """
    joints, asked = input_joints(arm, inputs), asked_outputs(arm, outputs)
    numbers = open_numbers(arm, tuple(keys), list(joints.values()))
    model, symbols = numbers.model, numbers.model.symbols
    equation = model.state_equation
    with model.derivation():
        names, readings = reading_expressions(symbols, asked)
        update = None if not arm.clocks else _update(symbols)
    check_kinks(arm, symbols)
    y0 = equation.layout.state(*initial_state_of(model, numbers.instance))
    tables = symbols.signals.tables.copy()
    return SteppedArm(
        arm,
        numbers,
        tuple(joints),
        names,
        asked,
        _of_open_numbers(equation.rhs, numbers, len(joints), len(tables)),
        _of_open_numbers(readings, numbers, len(joints), len(tables)),
        None if update is None else _of_open_numbers(update, numbers, len(joints), len(tables)),
        tables,
        y0,
    )


def _update(symbols: SymbolicState) -> ca.Function:
    """(t, [y, fires, starts], p, u) -> y after an instant, without noise."""
    arm = symbols.arm
    fires, starts = ca.SX.sym("fires", len(arm.clocks)), ca.SX.sym("starts")
    noise = ca.SX.zeros(len(arm.sensors) + len(arm.disturbances))
    return symbols.function("update", symbols.updated(fires, noise, starts), ca.vertcat(fires, starts))


def _of_open_numbers(f: ca.Function, numbers: OpenNumbers, n_inputs: int, n_tables: int) -> ca.Function:
    """Write (t, [y, extra], [v, p], u) -> value as a function (t, y, x, v, s, extra), where p follows from x."""
    n_y = numbers.model.state_equation.layout.size
    t, y, x, v, s, extra = (
        ca.SX.sym(name, size)
        for name, size in (
            ("t", 1),
            ("y", n_y),
            ("x", len(numbers.keys)),
            ("v", n_inputs),
            ("s", n_tables),
            ("extra", f.numel_in(1) - n_y),
        )
    )
    value = f(t, ca.vertcat(y, extra), ca.vertcat(v, numbers.parameters(x)), s[: f.numel_in(3)])
    return ca.Function(f.name(), [t, y, x, v, s, extra], [value])

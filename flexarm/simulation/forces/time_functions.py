"""Quantities of the description that change in time, as expressions of t and of table values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import casadi as ca
import numpy as np

from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.expression import Expression

FUNCTIONS: dict[str, Callable] = {
    **{
        name: getattr(ca, name)
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign")
    },
    "asin": ca.arcsin,
    "acos": ca.arccos,
    "atan": ca.arctan,
    "atan2": ca.arctan2,
    "abs": ca.fabs,
    "min": ca.fmin,
    "max": ca.fmax,
    "step": lambda x: ca.if_else(x >= 0, 1, 0),
}
"""The functions of :mod:`flexarm.description.values.expression` over CasADi symbols."""


@dataclass
class Signals:
    """Time t and the tables of the expressions made so far, each a symbol u_k whose value the machine code looks up.

    Attributes
    ----------
    t : SX [s]
    symbols : list of SX
    tables : list of PiecewisePolynomial
        What the symbols stand for.
    """

    t: ca.SX
    symbols: list[ca.SX] = field(default_factory=list)
    tables: list[PiecewisePolynomial] = field(default_factory=list)

    @property
    def u(self) -> ca.SX:
        """All symbols, (k,)."""
        return ca.vertcat(*self.symbols)

    def values(self, time: float) -> ca.DM:
        """Values of all tables at a time [s], (k,): what the symbols are then."""
        return ca.DM([table(time) for table in self.tables])

    def value(self, quantity: float | Expression | TimeTable) -> ca.SX:
        """Number, expression of t or table as a scalar expression."""
        if isinstance(quantity, TimeTable):
            return self._symbol(interpolation(quantity))
        return (
            ca.SX(quantity.evaluate(self.t, FUNCTIONS))
            if isinstance(quantity, Expression)
            else ca.SX(quantity)
        )

    def with_rate(self, quantity: float | Expression | TimeTable) -> tuple[ca.SX, ca.SX]:
        """The same with its derivative in time, scalars in its unit and per s."""
        if isinstance(quantity, TimeTable):
            table = interpolation(quantity)
            return self._symbol(table), self._symbol(table.derivative())
        value = self.value(quantity)
        return value, ca.jacobian(value, self.t)

    def with_rates(self, quantity: float | Expression | TimeTable) -> tuple[ca.SX, ca.SX, ca.SX]:
        """The same with its first and second derivative in time, scalars in its unit, per s and per s^2."""
        if isinstance(quantity, TimeTable):
            table = interpolation(quantity)
            rate = table.derivative()
            return self._symbol(table), self._symbol(rate), self._symbol(rate.derivative())
        value = self.value(quantity)
        rate = ca.jacobian(value, self.t)
        return value, rate, ca.jacobian(rate, self.t)

    def _symbol(self, table: PiecewisePolynomial) -> ca.SX:
        self.tables.append(table)
        self.symbols.append(ca.SX.sym(f"u_{len(self.symbols)}"))
        return self.symbols[-1]


def signal_values(signal: Expression | TimeTable, times: np.ndarray) -> np.ndarray:
    """Values of an expression or a table at times (..) [s], in that shape."""
    return interpolation(signal)(times) if isinstance(signal, TimeTable) else signal.at(times)


def interpolation(table: TimeTable) -> PiecewisePolynomial:
    """Function of time that a table stands for."""
    make = {"linear": PiecewisePolynomial.linear, "cubic": PiecewisePolynomial.cubic}[table.interpolation]
    return make(table.times, table.values)

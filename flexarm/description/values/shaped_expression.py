"""Expressions of time convolved with impulses: a weighted sum of delayed copies of one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flexarm.description.values.expression import Expression


@dataclass(frozen=True)
class ShapedExpression(Expression):
    """Function ``sum A_i f(t - t_i)`` of time t [s], f being the expression, which has its value of t = 0 before.

    Attributes
    ----------
    impulses : tuple of (float, float)
        Amplitudes A_i, whose sum is 1, and times t_i [s], ascending from 0.
    """

    impulses: tuple[tuple[float, float], ...] = ((1.0, 0.0),)

    @property
    def unshaped(self) -> Expression:
        """The function f."""
        return Expression(self.text, self.parameters)

    def evaluate(self, t: Any, functions: Mapping[str, Callable[..., Any]]) -> Any:
        """Evaluate the sum, in the arithmetic of `t`."""
        (first, _), *later = self.impulses
        total = first * super().evaluate(t, functions)
        for amplitude, delay in later:
            total = total + amplitude * super().evaluate(functions["max"](t - delay, 0.0), functions)
        return total

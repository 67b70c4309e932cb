"""Arithmetic operations of one evaluation of a CasADi function."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import casadi as ca

from flexarm.codegen.instructions import instructions

_PRODUCTS = ("mul", "sq")
_SUMS = ("add", "sub", "twice")
_DIVISIONS = ("div", "inv")
_TRIGONOMETRIC = ("sin", "cos")
_FREE = ("neg", "constant", "input")


@dataclass(frozen=True)
class OperationCounts:
    """Operations of one evaluation.

    Attributes
    ----------
    products, sums, divisions : int
    other : int
        Everything else: square roots, trigonometric functions, comparisons.
    trigonometric : int
        Sines and cosines among these.

    Notes
    -----
    As in the tables of [GA09], a subtraction is a sum and a change of sign is free; a square is a product and
    a doubling a sum. Divisions, which the tables do not list apart, are counted by themselves.
    """

    products: int
    sums: int
    divisions: int
    other: int
    trigonometric: int = 0

    @property
    def total(self) -> int:
        """All operations together."""
        return self.products + self.sums + self.divisions + self.other


def operation_counts(f: ca.Function) -> OperationCounts:
    """Count the operations of a CasADi function as it stands, repeated subexpressions included."""
    counter = Counter(name for name, _ in instructions(f).steps)

    def count(names: tuple[str, ...]) -> int:
        return sum(counter[name] for name in names)

    products, sums, divisions = count(_PRODUCTS), count(_SUMS), count(_DIVISIONS)
    other = counter.total() - products - sums - divisions - count(_FREE)
    return OperationCounts(products, sums, divisions, other, count(_TRIGONOMETRIC))

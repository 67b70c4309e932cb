"""Products and sums of a closed form as SymPy expressions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import sympy as sp

from flexarm.closed_form.closed_form import Term

DOUBLE = 17  # digits that give back a double
ROUND_OFF = 1e-12  # relative: coefficients nearer to a whole number are whole


def term_expression(term: Term, digits: int) -> sp.Expr:
    """One product as a SymPy expression."""
    factors = [_number(term.coefficient, digits)]
    factors += [symbol(name) ** power for name, power in term.factors]
    factors += [sp.tanh(expression(argument, digits)) ** power for argument, power in term.tanh]
    if term.function:
        factors.append({"cos": sp.cos, "sin": sp.sin}[term.function](expression(term.angle, digits)))
    return sp.Mul(*factors)


def expression(terms: Iterable[Term], digits: int = DOUBLE) -> sp.Expr:
    """Sum of products as a SymPy expression, coefficients rounded to a number of digits."""
    return sp.Add(*(term_expression(term, digits) for term in terms))


@cache
def symbol(name: str) -> sp.Symbol:
    """The SymPy symbol of a name."""
    return sp.Symbol(name, real=True)


def _number(value: float, digits: int) -> sp.Expr:
    whole = whole_number(value)
    return sp.Float(value, digits) if whole is None else sp.Integer(whole)


def whole_number(value: float) -> int | None:
    """Whole number, other than 0, to which a coefficient is equal up to round-off."""
    nearest = round(value)
    return nearest if nearest and abs(value - nearest) < ROUND_OFF * abs(value) else None


def sign_first(product: str) -> str:
    """Write the sign of a product apart from it."""
    return f"- {product[1:].lstrip()}" if product.startswith("-") else f"+ {product}"

"""Equations of equal links, derived once and instantiated for each: 32 equal segments start in 0.8 of the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import lru_cache, wraps
from typing import Any, TypeVar

import casadi as ca

from flexarm.links import FlexibleLink
from flexarm.model.parts.floating_base import FloatingBase

Equations = TypeVar("Equations")
Pattern = tuple[tuple[int, int], tuple[int, ...], tuple[int, ...]]
"""Sparsity of a matrix: shape, offsets of the columns, rows."""


def derived_once(derive: Callable[..., Equations]) -> Callable[..., Equations]:
    """Decorate a derivation from a link and SX matrices to a dataclass, so that it runs once for each link.

    What is derived for symbols is evaluated for the matrices given, which is done in CasADi; simplifications by
    constants among them take place all the same. Numbers of the link that are symbols stay what they are.
    """

    @lru_cache(maxsize=128)
    def derived(link: FlexibleLink, *patterns: Pattern) -> tuple[Equations, ca.Function, ca.SX]:
        symbols = [ca.SX.sym("x", ca.Sparsity(*shape, *entries)) for shape, *entries in patterns]
        equations = derive(link, *symbols)
        expressions = list(_expressions(equations).values())
        free = ca.Function("link", symbols, expressions, {"allow_free": True}).free_sx()
        numbers = ca.vertcat(ca.SX(0, 1), *free)
        return equations, ca.Function("link", [*symbols, numbers], expressions), numbers

    @wraps(derive)
    def instantiated(link: FlexibleLink | FloatingBase, *matrices: ca.SX) -> Equations:
        if isinstance(link, FloatingBase):
            return derive(link, *matrices)
        equations, function, numbers = derived(link, *map(_pattern, matrices))
        values = zip(_expressions(equations), function.call([*matrices, numbers]), strict=True)
        return replace(equations, **dict(values))  # pyright: ignore[reportArgumentType]  (a dataclass)

    return instantiated


def _pattern(matrix: ca.SX) -> Pattern:
    sparsity = matrix.sparsity()
    return sparsity.shape, tuple(sparsity.colind()), tuple(sparsity.row())


def _expressions(equations: Any) -> dict[str, ca.SX]:
    """Fields of a dataclass that are expressions."""
    values = {field.name: getattr(equations, field.name) for field in fields(equations)}
    return {name: value for name, value in values.items() if isinstance(value, ca.SX)}

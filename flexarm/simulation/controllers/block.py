"""A block of a controller: its states, how they change, and its outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from flexarm.description.arm.control.controller_kinds import is_zero

Function = Callable[[ca.SX, ca.SX], ca.SX]
"""From states x (n,) and inputs u (m,)."""
Rows = Sequence[Sequence[Any]]
"""Rows of a matrix, of numbers or symbols."""


@dataclass(frozen=True)
class Block:
    """A block: x_d = rate(x, u), y = output(x, u).

    Attributes
    ----------
    n_states : int
    rate, output : callable
        -> (n_states,) per s; -> (n_outputs,).
    """

    n_states: int
    rate: Function
    output: Function


@dataclass(frozen=True)
class LinearSystem:
    """Matrices of x_d = A x + B u, y = C x + D u, of numbers or symbols: rows of states or outputs."""

    A: Rows
    B: Rows
    C: Rows
    D: Rows

    @property
    def block(self) -> Block:
        """Block of these matrices."""
        n = len(self.A)
        return Block(n, lambda x, u: _times(self.A, x) + _times(self.B, u), self._output)

    def _output(self, x: ca.SX, u: ca.SX) -> ca.SX:
        direct = _times(self.D, u)
        return _times(self.C, x) + direct if self.A else direct


def matrix(rows: Rows) -> ca.SX:
    """Matrix of rows of numbers or symbols."""
    return ca.vertcat(*(ca.horzcat(*map(ca.SX, row)) for row in rows))


def static(output: Callable[[ca.SX], ca.SX]) -> Block:
    """Block without states."""
    return Block(0, lambda x, u: ca.SX.zeros(0), lambda x, u: output(u))


def _times(rows: Rows, vector: ca.SX) -> ca.SX:
    """Product of a matrix and a vector, without its zeros."""
    found = [sum((_product(entry, vector[j]) for j, entry in enumerate(row)), ca.SX(0)) for row in rows]
    return ca.vertcat(ca.SX.zeros(0), *found)


def _product(entry: Any, value: ca.SX) -> ca.SX:
    return ca.SX(0) if is_zero(entry) else entry * value

"""Controllers that compute at instants: their blocks as x_k+1 = next(x_k, u_k), y_k = output(x_k, u_k)."""

from __future__ import annotations

from typing import Any

import casadi as ca

from flexarm.description.arm.control.controller import Controller
from flexarm.simulation.controllers.block import Block, LinearSystem, matrix
from flexarm.simulation.controllers.kinds import LINEAR, block_of


def discrete_block(controller: Controller) -> Block:
    """Block of a controller with a period, whose `rate` is the next state."""
    kind, T = controller.kind, controller.period
    if kind == "state_space":
        return LINEAR[kind](controller.state_space).block  # its matrices are those of a recursion
    if controller.delay is not None:
        return _shift_register(controller.n_states)
    if controller.rate_limit is not None:
        return _rate_limit(controller.rate_limit.rate, T)
    if kind in LINEAR:
        return bilinear(LINEAR[kind](getattr(controller, kind)), T).block
    return block_of(controller)


def bilinear(system: LinearSystem, T: Any) -> LinearSystem:
    """Discrete system of a continuous one by the bilinear transform s = 2/T (z - 1)/(z + 1) [FranklinPowell1998].

    The matrix I - A T/2 is inverted; the states of filters are two at most.
    """
    A, B, C, D = (matrix(rows) for rows in (system.A, system.B, system.C, system.D))
    if not system.A:
        return system
    I = ca.SX.eye(A.shape[0])
    inverse = ca.inv(I - A * (T / 2))
    output = C @ inverse
    return LinearSystem(
        *(
            _rows(each)
            for each in (inverse @ (I + A * (T / 2)), inverse @ B * T, output, D + output @ B * (T / 2))
        )
    )


def _rows(values: ca.SX) -> list[list[Any]]:
    """Rows of a matrix, numbers where they are."""
    return [[_number(values[i, j]) for j in range(values.shape[1])] for i in range(values.shape[0])]


def _number(entry: ca.SX) -> Any:
    return float(entry) if entry.is_constant() else entry


def _shift_register(n: int) -> Block:
    """Signal of n periods before."""
    return Block(n, lambda x, u: ca.vertcat(u, x[: n - 1]), lambda x, u: x[n - 1])


def _rate_limit(rate: Any, T: Any) -> Block:
    """Output that comes nearer to the signal by at most rate T in a period."""

    def output(x: ca.SX, u: ca.SX) -> ca.SX:
        return x + ca.fmin(ca.fmax(u - x, -rate * T), rate * T)

    return Block(1, output, output)

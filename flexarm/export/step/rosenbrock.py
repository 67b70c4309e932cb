"""The linearly implicit method of exported steps: its coefficients, its Jacobian, and its C text."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.codegen.differentiation import jacobian

GAMMA = 0.5
A = ((), (0.0,), (2.0, 0.0), (2.0, 0.0, 1.0))
C = ((), (4.0,), (1.0, -1.0), (1.0, -1.0, -8 / 3))
M = (2.0, 0.0, 1.0, 1.0)
TIMES = (0.0, 0.0, 1.0, 1.0)
TIME_WEIGHTS = (0.5, 1.5, 0.0, 0.0)
"""RODAS3 of [SanduEtAl1997]: four stages, order 3, L-stable, in the variables of [HW96] section IV.7:
(1/(gamma h) - J) k_i = f(t + TIMES_i h, y + sum A_ij k_j) + sum C_ij k_j/h + TIME_WEIGHTS_i h df/dt, and then
y + sum M_i k_i. The arguments of the second stage are those of the first; y after the step is that of the fourth stage
plus k_4."""


@dataclass(frozen=True)
class Derivatives:
    """Derivatives of rates, and how the linear equations of the method are reduced.

    Attributes
    ----------
    f : casadi.Function
        (t, y, x, v, s, s_d) -> rates; d rates/d y of the states that are solved for, row by row; d rates/d t.
    solved : list of int
        States whose rows are solved for together.
    simple : list of (int, int)
        The other states, each with the one of these that is its rate, or -1 for none: their rows are solved one by one.
    """

    f: ca.Function
    solved: list[int]
    simple: list[tuple[int, int]]


def derivatives(rates: ca.Function) -> Derivatives:
    """Differentiate rates (t, y, x, v, s) exactly, by the state and, through the tables s too, by the time."""
    t, y, x, v, s, extra = (ca.SX.sym(rates.name_in(k), rates.numel_in(k)) for k in range(rates.n_in()))
    s_d = ca.SX.sym("s_d", s.numel())
    value = ca.densify(rates(t, y, x, v, s, extra))
    J = jacobian(value, y)
    by_time = ca.jtimes(value, ca.vertcat(t, s), ca.vertcat(1, s_d))
    solved, simple = _reduction(J)
    rows = ca.densify(J[solved, :])
    f = ca.Function("derivatives", [t, y, x, v, s, s_d], [value, ca.vec(rows.T), ca.densify(by_time)])
    return Derivatives(f, solved, simple)


def _reduction(J: ca.SX) -> tuple[list[int], list[tuple[int, int]]]:
    """States whose rate is one of the states, which is solved for, or none; and all others."""
    n = J.shape[0]
    rate_of: dict[int, int] = {}
    for row in range(n):
        columns = [column for column in range(n) if J.sparsity().has_nz(row, column)]
        if not columns:
            rate_of[row] = -1
        elif len(columns) == 1 and columns[0] != row:
            entry = J[row, columns[0]]
            if entry.is_constant() and float(entry) == 1.0:
                rate_of[row] = columns[0]
    simple = [(row, column) for row, column in rate_of.items() if column not in rate_of]
    gone = {row for row, _ in simple}
    return [row for row in range(n) if row not in gone], simple

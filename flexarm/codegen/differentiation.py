"""Exact derivatives of long expressions, refused where they would not fit into memory."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from flexarm.memory import check_memory
from flexarm.progress import grouped, stage

SHARE_OF_COLUMN = 0.4
"""Operations of one column of a Jacobian over those of the function, measured on chains of 7 and 15 links in space."""

BYTES_PER_OPERATION = 115.0


def jacobian(value: ca.SX, symbols: ca.SX) -> ca.SX:
    """Return the derivative of a column (n,) with respect to symbols (m,), (n, m).

    Raises
    ------
    ModelError
        It would need more memory than there is.
    """
    operations, m = ca.n_nodes(value), symbols.numel()
    what = f"differentiating {grouped(operations)} operations by {grouped(m)} variables"
    hint = "take fewer links, segments or modes, or a method without derivatives: dop853 or rk4"
    check_memory(BYTES_PER_OPERATION * SHARE_OF_COLUMN * operations * m, what, hint)
    with stage(what):
        return ca.jacobian(value, symbols)


def directional_derivative(value: ca.SX, directions: Sequence[tuple[ca.SX, ca.SX]]) -> ca.SX:
    """Derivative of a column (n,) along a direction, given as pairs of symbols and their changes."""
    change = ca.SX.zeros(*value.shape)
    for symbols, own in directions:
        if symbols.numel():
            change += ca.jtimes(value, symbols, own)
    return change


def with_change(precompute: ca.Function) -> ca.Function:
    """Function (t, p_k, p) -> [h; h_k] of one (t, p, nothing) -> h."""
    t, p, _ = precompute.sx_in()
    h, change = precompute(t, p, ca.SX(0, 1)), ca.SX.sym("p_k", p.numel())
    whole = ca.vertcat(h, directional_derivative(h, [(p, change)]))
    return ca.Function("precompute", [t, change, p], [ca.densify(whole)])

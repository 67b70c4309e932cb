"""Functions of time, state and parameters with their derivatives in some directions."""

from __future__ import annotations

import casadi as ca

from flexarm.codegen.differentiation import directional_derivative


def with_derivatives(f: ca.Function, count: int, n_parameters: int | None = None) -> ca.Function:
    """Function (t, y, p, u) -> out with its derivatives in some directions of y and p.

    Its machine code is :class:`~flexarm.codegen.directional_function.DirectionalFunction`; this is what may be
    differentiated again.

    Parameters
    ----------
    f : casadi.Function
    count : int
        Directions.
    n_parameters : int, optional
        Entries at the end of p that are parameters; those before them, v, have directions of their own. All of p unless
        given.

    Returns
    -------
    casadi.Function
        (t, [y; y_1; ..], [v; v_1; ..; p; p_1; ..], u) -> [out; out_1; ..], out_i = d out/dy y_i + d out/d(v, p) (v_i,
        p_i).

    Notes
    -----
    For out = y_d these are the variational equations [HNW93, section I.14].
    """
    t, y, p, u = f.sx_in()
    n_varying = 0 if n_parameters is None else p.numel() - n_parameters
    bounds = [0, n_varying, p.numel()]
    out = f(t, y, p, u)
    whole_y, directions, found = [y], [p], [ca.densify(out)]
    for k in range(count):
        dy, dp = ca.SX.sym(f"y_{k}", y.numel()), ca.SX.sym(f"p_{k}", p.numel())
        whole_y.append(dy)
        directions.append(dp)
        found.append(ca.densify(directional_derivative(out, [(y, dy), (p, dp)])))
    parts = [ca.vertsplit(one, bounds) for one in directions]
    whole = ca.vertcat(*(v for v, _ in parts), *(own for _, own in parts))
    return ca.Function(f.name(), [t, ca.vertcat(*whole_y), whole, u], [ca.vertcat(*found)])

"""Functions of time, state and parameters with their derivatives in some directions."""

from __future__ import annotations

import casadi as ca


def with_derivatives(
    f: ca.Function, count: int, n_parameters: int | None = None, in_time: bool = False
) -> ca.Function:
    """Function (t, y, p, u) -> out with its derivatives in some directions of y and p.

    Parameters
    ----------
    f : casadi.Function
    count : int
        Directions.
    n_parameters : int, optional
        Entries at the end of p that are parameters; those before them, v, have directions of their own. All of p unless
        given.
    in_time : bool
        Whether directions have a part along t, (count,), which follows those of v.

    Returns
    -------
    casadi.Function
        (t, [y; y_1; ..], [v; v_1; ..; t_1; ..; p; p_1; ..], u) -> [out; out_1; ..],
        out_i = d out/dy y_i + d out/d(v, p) (v_i, p_i) + d out/dt t_i.

    Notes
    -----
    For out = y_d these are the variational equations [HNW93, section I.14].
    """
    t, y, p, u = f.sx_in()
    n_varying = 0 if n_parameters is None else p.numel() - n_parameters
    bounds = [0, n_varying, p.numel()]
    out = f(t, y, p, u)
    times = ca.SX.sym("t_i", count if in_time else 0)
    whole_y, directions, found = [y], [p], [ca.densify(out)]
    for k in range(count):
        dy, dp = ca.SX.sym(f"y_{k}", y.numel()), ca.SX.sym(f"p_{k}", p.numel())
        change = ca.jtimes(out, y, dy)
        if p.numel():
            change += ca.jtimes(out, p, dp)
        if in_time:
            change += ca.jtimes(out, t, times[k])
        whole_y.append(dy)
        directions.append(dp)
        found.append(ca.densify(change))
    parts = [ca.vertsplit(one, bounds) for one in directions]
    whole = ca.vertcat(*(v for v, _ in parts), times, *(own for _, own in parts))
    return ca.Function(f.name(), [t, ca.vertcat(*whole_y), whole, u], [ca.vertcat(*found)])

"""The steps of DOP853 for several integrations side by side, compiled for a fixed number of lanes."""

from __future__ import annotations

from flexarm.solvers.dop853_kernel import SIGNATURE as SIGNATURE
from flexarm.solvers.dop853_kernel import advance_lanes
from flexarm.solvers.dop853_layout import LANES


def advance(
    address, p, n_p, budget, n, m, count, clock, limits, tolerances, y, y_old, k, work, dense, times, states
):
    """Carry on as many integrations as there are lanes: see `advance_lanes`."""
    return advance_lanes(
        LANES,
        address,
        p,
        n_p,
        budget,
        n,
        m,
        count,
        clock,
        limits,
        tolerances,
        y,
        y_old,
        k,
        work,
        dense,
        times,
        states,
    )

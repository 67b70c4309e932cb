"""One impact in space by general integration of the slip along the normal impulse, for slip that does not stop."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp


def impulses(G, u, mu, e):
    """Impulses (3,) along the normal and both tangents; None if the slip comes near zero, where this stalls."""

    def force(y):
        slip = u[1:] + G[1:, 0] * y[2] + G[1:, 1:] @ y[:2]
        return -mu * slip / np.linalg.norm(slip)

    def approach(_, y):
        return u[0] + G[0, 0] * y[2] + G[0, 1:] @ y[:2]

    def near_stop(_, y):
        return np.linalg.norm(u[1:] + G[1:, 0] * y[2] + G[1:, 1:] @ y[:2]) - 0.02

    approach.terminal, approach.direction, near_stop.terminal = True, 1, True

    def follow(start, length, events):
        return solve_ivp(
            lambda _, y: [*force(y), 1.0],
            (0, length),
            start,
            "DOP853",
            events=events,
            rtol=1e-13,
            atol=1e-14,
        )

    compression = follow([0, 0, 0], 1e3, [near_stop, approach])
    if not compression.t_events[1].size:
        return None
    y = compression.y_events[1][0]
    # the event is found in the dense output, of lower order than the steps: integrated up to it once more
    y = follow([0, 0, 0], y[2], []).y[:, -1]
    for _ in range(3):
        slope = G[0, 0] + G[0, 1:] @ force(y)
        y = follow([0, 0, 0], y[2] - approach(0, y) / slope, []).y[:, -1]
    expansion = follow(y, e * y[2], [near_stop])
    return None if expansion.t_events[0].size else np.roll(expansion.y[:, -1], 1)

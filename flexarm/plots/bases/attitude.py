"""Attitude of a satellite that carries an arm: how far it has turned, and how fast it turns."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.bases.satellite import satellite_motion, satellite_name
from flexarm.plots.drawing.scales import KEPT, floor_scale, largest_change
from flexarm.plots.drawing.style import COLOURS, label_time, new_figure, styled
from flexarm.plots.drawing.walls import mark_impacts
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

ROW_HEIGHT = 1.4  # inches
SLIGHT = 1.0
"""Turn [deg] and rate [deg/s] that an axis shows at least of what does not change."""


@styled
def attitude(result: Result) -> Figure:
    """Draw one row per axis: how far the satellite has turned since the start on the left, its rate on the right.

    In space the turn is a rotation vector about the fixed axes, whole turns counted; its length is the angle. Axes
    about which nothing turns have no row.
    """
    motion = satellite_motion(result)
    axes_known = range(3) if result.arm.base == "free" else (2,)
    turn, rate = np.rad2deg(motion.turn), np.rad2deg(motion.rate)
    still = [k for k in axes_known if largest_change(turn[:, k]) <= KEPT * SLIGHT]
    shown = [k for k in axes_known if k not in still] or [2]
    net = f"{np.linalg.norm(turn[-1]):.4g}" if len(shown) > 1 else f"{turn[-1, shown[0]]:.4g}"
    none = f", none about {', '.join(AXES[k] for k in still)}" * bool(0 < len(still) < len(axes_known))
    title = f"attitude of {satellite_name(result)}; net turn {net} deg{none}".replace("-", "\N{MINUS SIGN}")
    figure = new_figure(result, title, height=0.8 + ROW_HEIGHT * len(shown))
    grid = figure.subplots(len(shown), 2, squeeze=False)
    for column, values, label in zip(
        grid.T, (turn, rate), ("turn about {} (deg)", "rate (deg/s)"), strict=True
    ):
        for k, axes in zip(shown, column, strict=True):
            axes.plot(motion.time, values[:, k], color=COLOURS[k])
            floor_scale(axes, values[:, k], SLIGHT)
            axes.set_ylabel(label.format(AXES[k]))
        label_time(column, result)
        mark_impacts(column, result)
    figure.align_ylabels()
    return figure

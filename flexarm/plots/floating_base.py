"""Position and velocity of a floating base ([FL17] figures 17 to 20)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.decimation import envelope
from flexarm.plots.scales import floor_scale
from flexarm.plots.style import COLOURS, label_time, new_figure, styled
from flexarm.plots.walls import mark_impacts
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

ROW_HEIGHT = 1.4  # inches


def has_floating_base(result: Result) -> bool:
    """Return whether the base of the arm floats."""
    return "base_position" in result


@styled
def floating_base(result: Result) -> Figure:
    """Draw one row per axis: the position of O_1 on the left, its velocity on the right."""
    names = AXES if result.arm.base == "free" else AXES[:2]
    figure = new_figure(result, "motion of O$_1$", height=0.8 + ROW_HEIGHT * len(names))
    grid = figure.subplots(len(names), 2, squeeze=False)
    for column, (name, unit) in zip(grid.T, (("base_position", "m"), ("base_velocity", "m/s")), strict=True):
        time, values = envelope(result, name)
        for k, axes in enumerate(column):
            axes.plot(time[:, k], values[:, k], color=COLOURS[k])
            floor_scale(axes, values[:, k], np.abs(values).max())
            axes.set_ylabel(f"{names[k]} ({unit})" if unit == "m" else f"{names[k]} rate ({unit})")
        label_time(column, result)
        mark_impacts(column, result)
    figure.align_ylabels()
    return figure

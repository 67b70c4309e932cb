"""Joint angles and rates over time ([GA09] figures 4 and 5, [FL17] figures 13 and 14)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.decimation import envelope
from flexarm.plots.scales import floor_scale
from flexarm.plots.style import COLOURS, label_time, new_figure, styled
from flexarm.plots.walls import mark_impacts
from flexarm.results.result import Result

ROW_HEIGHT = 1.4  # inches


def has_moving_joints(result: Result) -> bool:
    """Return whether any joint is free to turn."""
    return bool(moving_joints(result))


def moving_joints(result: Result) -> list[int]:
    """Return the indices of the joints that are not locked."""
    return [i for i, joint in enumerate(result.arm.joints) if joint.type != "fixed"]


@styled
def joints(result: Result) -> Figure:
    """Draw one row per joint that is not locked: its angle on the left, its rate on the right."""
    moving = moving_joints(result)
    figure = new_figure(result, "joint angles and rates", height=0.8 + ROW_HEIGHT * len(moving))
    grid = figure.subplots(len(moving), 2, squeeze=False)
    quantities = (("joint_angle", "angle (deg)"), ("joint_velocity", "rate (deg/s)"))
    for column, (name, label) in zip(grid.T, quantities, strict=True):
        time, values = envelope(result, name)
        for axes, i in zip(column, moving, strict=True):
            axes.plot(time[:, i], np.rad2deg(values[:, i]), color=COLOURS[0])
            floor_scale(axes, np.rad2deg(values[:, i]), 1.0)
            axes.set_ylabel(label)
        label_time(column, result)
        mark_impacts(column, result)
    for axes, i in zip(grid[:, 0], moving, strict=True):
        axes.set_title(f"joint {i + 1}")
    figure.align_ylabels()
    return figure

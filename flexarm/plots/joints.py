"""Joint angles and rates over time ([GA09] figures 4 and 5)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.decimation import envelope
from flexarm.plots.style import colour, label_time, legend_beside, line_style, new_figure, styled
from flexarm.simulation.result import Result


def has_moving_joints(result: Result) -> bool:
    """Tell whether any joint is free to turn."""
    return bool(moving_joints(result))


def moving_joints(result: Result) -> list[int]:
    """Return the indices of the joints that are not locked."""
    return [i for i, joint in enumerate(result.arm.joints) if joint.type != "fixed"]


@styled
def joints(result: Result) -> Figure:
    """Draw angle and rate of every joint that is not locked."""
    figure = new_figure(result, "joint angles and rates", height=4.0)
    upper, lower = figure.subplots(2, 1)
    for axes, name, label in (
        (upper, "joint_angle", "angle (deg)"),
        (lower, "joint_velocity", "rate (deg/s)"),
    ):
        time, values = envelope(result, name)
        for i in moving_joints(result):
            axes.plot(
                time[:, i],
                np.rad2deg(values[:, i]),
                color=colour(i),
                linestyle=line_style(i),
                label=f"joint {i + 1}",
            )
        axes.set_ylabel(label)
    legend_beside(upper)
    label_time((upper, lower), result)
    figure.align_ylabels()
    return figure

"""Momentum and angular momentum about the mass centre of an arm that floats."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.decimation import envelope
from flexarm.plots.style import COLOURS, label_time, legend_beside, new_figure, show_round_off_flat, styled
from flexarm.plots.walls import mark_impacts
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

QUANTITIES = (
    ("momentum", "momentum (kg m/s)"),
    ("angular_momentum", "about the\nmass centre (kg m$^2$/s)"),
)


def has_momentum(result: Result) -> bool:
    """Return whether momentum was recorded."""
    return "momentum" in result


@styled
def momentum(result: Result) -> Figure:
    """Draw the momentum above the angular momentum; without walls and gravity both are constant."""
    figure = new_figure(result, "momentum", height=3.6)
    stacked = figure.subplots(2, 1).tolist()
    planar = result.arm.base == "planar"
    reach = sum(link.length for link in result.arm.links)
    size = max(np.abs(result["momentum"]).max(), np.abs(result["angular_momentum"]).max() / reach)
    for axes, (name, label) in zip(stacked, QUANTITIES, strict=True):
        time, values = envelope(result, name)
        # a plane has two components of momentum and one of angular momentum
        shown = [k for k in range(3) if not planar or (k == 2) == (name == "angular_momentum")]
        for k in shown:
            axes.plot(time[:, k], values[:, k], color=COLOURS[k], label=AXES[k])
        show_round_off_flat(axes, values[:, shown], size)
        axes.set_ylabel(label)
        legend_beside(axes)
    mark_impacts(stacked, result)
    label_time(stacked, result)
    figure.align_ylabels()
    return figure

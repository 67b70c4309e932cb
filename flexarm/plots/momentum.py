"""Momentum and angular momentum about the mass centre of an arm that floats."""

from __future__ import annotations

from matplotlib.figure import Figure

from flexarm.plots.contact import mark_impacts
from flexarm.plots.decimation import envelope
from flexarm.plots.style import COLOURS, label_time, legend_beside, new_figure, styled
from flexarm.plots.tip import AXES
from flexarm.simulation.result import Result

QUANTITIES = (
    ("momentum", "momentum (kg m/s)"),
    ("angular_momentum", "about the\nmass centre (kg m$^2$/s)"),
)


def has_momentum(result: Result) -> bool:
    """Tell whether momentum was recorded."""
    return "momentum" in result


@styled
def momentum(result: Result) -> Figure:
    """Draw the momentum above the angular momentum; without walls and gravity both are constant."""
    figure = new_figure(result, "momentum", height=3.6)
    stacked = figure.subplots(2, 1).tolist()
    planar = result.arm.base == "planar"
    for axes, (name, label) in zip(stacked, QUANTITIES, strict=True):
        time, values = envelope(result, name)
        for k, axis in enumerate(AXES):
            if planar and (k == 2) != (name == "angular_momentum"):
                continue  # a plane has no such component
            axes.plot(time[:, k], values[:, k], color=COLOURS[k], label=axis)
        axes.set_ylabel(label)
        legend_beside(axes)
    mark_impacts(stacked, result)
    label_time(stacked, result)
    figure.align_ylabels()
    return figure

"""Momentum and angular momentum about the mass centre of an arm that floats."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.scales import KEPT, floor_scale
from flexarm.plots.drawing.style import COLOURS, label_time, legend_beside, new_figure, styled
from flexarm.plots.drawing.walls import mark_impacts
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
    """Draw the momentum above the angular momentum; without walls and gravity both are constant.

    The size of either is that of an arm which flies as a whole with the largest kinetic energy of the run.
    """
    figure = new_figure(result, "momentum", height=3.6)
    stacked = figure.subplots(2, 1).tolist()
    planar = result.arm.base == "planar"
    reach = sum(link.length for link in result.arm.links)
    size = np.sqrt(2 * result.arm.mass * np.max(envelope(result, "energy_kinetic")[1]))
    for axes, (name, label), largest in zip(stacked, QUANTITIES, (size, size * reach), strict=True):
        time, values = envelope(result, name)
        # a plane has two components of momentum and one of angular momentum
        shown = [k for k in range(3) if not planar or (k == 2) == (name == "angular_momentum")]
        for k in shown:
            axes.plot(time[:, k], values[:, k], color=COLOURS[k], label=AXES[k])
        axes.set_title(floor_scale(axes, values[:, shown], largest, _height(values, largest)))
        axes.set_ylabel(label)
        if planar or name == "momentum":
            legend_beside(axes)
    mark_impacts(stacked, result)
    label_time(stacked, result)
    figure.align_ylabels()
    return figure


def _height(values: np.ndarray, size: float) -> float:
    """Part of `size` that an axis shows of values that are kept: twice what they are, or all of it where they are 0."""
    largest = float(np.abs(values).max())
    return 2 * largest / size if largest > KEPT * size else 1.0

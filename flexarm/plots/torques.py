"""Joint torques over time."""

from __future__ import annotations

from matplotlib.figure import Figure

from flexarm.plots.decimation import any_nonzero, envelope
from flexarm.plots.style import colour, label_time, legend_beside, line_style, new_figure, styled
from flexarm.results.result import Result


def has_torques(result: Result) -> bool:
    """Return whether the torque of any joint is not zero."""
    return any_nonzero(result, "torque")


@styled
def torques(result: Result) -> Figure:
    """Draw the torque of every joint; that of a locked joint is what holds it."""
    figure = new_figure(result, "joint torques", height=2.6)
    axes = figure.subplots()
    time, values = envelope(result, "torque")
    for i, joint in enumerate(result.arm.joints):
        label = f"joint {i + 1}" + (" (locked)" if joint.type == "fixed" else "")
        axes.plot(time[:, i], values[:, i], color=colour(i), linestyle=line_style(i), label=label)
    axes.set_ylabel("torque (N m)")
    legend_beside(axes)
    label_time([axes], result)
    return figure

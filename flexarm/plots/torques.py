"""Joint torques over time, and what the motors can give."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.decimation import any_nonzero, envelope, thinned
from flexarm.plots.style import colour, label_time, legend_beside, line_style, new_figure, styled
from flexarm.results.result import Result
from flexarm.simulation.forces.motor_limits import available_torque

IN_SIGHT = 3.0
"""Limits are drawn up to so many times the largest torque; of those further away the legend says the number alone."""


def has_torques(result: Result) -> bool:
    """Return whether the torque of any joint is not zero."""
    return any_nonzero(result, "torque")


@styled
def torques(result: Result) -> Figure:
    """Draw the torque of every joint, its motor's limits dashed; that of a locked joint is what holds it."""
    figure = new_figure(result, "joint torques", height=2.6)
    axes = figure.subplots()
    time, values = envelope(result, "torque")
    seen = IN_SIGHT * float(np.max(np.abs(values), initial=0.0))
    limits = available_torque(result.arm, result["joint_velocity"])
    for i, joint in enumerate(result.arm.joints):
        label = f"joint {i + 1}" + (" (locked)" if joint.type == "fixed" else "")
        if joint.motor.stall_torque is not None:
            label += f"\nlimit {joint.motor.gear * joint.motor.stall_torque:.4g} N m"
            for limit in limits:
                shown = np.where(np.abs(limit[:, i]) <= seen, limit[:, i], np.nan)
                axes.plot(
                    *thinned(result["time"], shown),
                    color=colour(i),
                    linewidth=0.8,
                    linestyle="--",
                    gid="limit",
                )
        axes.plot(time[:, i], values[:, i], color=colour(i), linestyle=line_style(i), label=label)
    axes.set_ylabel("torque (N m)")
    legend_beside(axes)
    label_time([axes], result)
    return figure

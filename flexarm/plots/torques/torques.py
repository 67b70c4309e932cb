"""Joint torques and forces over time, and what the motors can give."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.description.arm.joint.words import worded
from flexarm.plots.drawing.decimation import any_nonzero, envelope, thinned
from flexarm.plots.drawing.style import colour, label_time, legend_beside, line_style, new_figure, styled
from flexarm.plots.torques.torque_parts import parts_of, torque_parts
from flexarm.results.result import Result
from flexarm.simulation.forces.motor_limits import available_torque
from flexarm.simulation.forces.work import driven_rates

IN_SIGHT = 3.0
"""Limits are drawn up to so many times the largest torque; of those further away the legend says the number alone."""


def has_torques(result: Result) -> bool:
    """Return whether the torque of any joint is not zero."""
    return any_nonzero(result, "torque")


@styled
def torques(result: Result) -> Figure:
    """Draw the torque of every joint, its motor's limits dashed; forces of joints that slide have axes of their own.

    That of a locked joint is what holds it. Where drives are combined, each joint has a row with its torque's parts.
    """
    if parts_of(result):
        return torque_parts(result)
    every = result.arm.joints
    kinds = {joint.kind.force_unit: joint.kind for joint in every}
    title = worded("joint torques", every)
    figure = new_figure(result, title, height=0.5 + 2.1 * len(kinds))
    panels = dict(zip(kinds, figure.subplots(len(kinds), 1, squeeze=False)[:, 0].tolist(), strict=True))
    time, values = envelope(result, "torque")
    limits = available_torque(result.arm, driven_rates(result))
    for unit, axes in panels.items():
        those = [i for i, joint in enumerate(every) if joint.kind.force_unit == unit]
        seen = IN_SIGHT * float(np.max(np.abs(values[:, those]), initial=0.0))
        for i in those:
            joint = every[i]
            label = f"joint {i + 1}" + ("" if joint.moves else " (locked)")
            if joint.motor.stall_torque is not None:
                label += f"\nlimit {joint.motor.gear * joint.motor.stall_torque:.4g} {unit}"
                for limit in limits:
                    shown = np.where(np.abs(limit[:, i]) <= seen, limit[:, i], np.nan)
                    curve = thinned(result["time"], shown)
                    axes.plot(*curve, color=colour(i), linewidth=0.8, linestyle="--", gid="limit")
            axes.plot(time[:, i], values[:, i], color=colour(i), linestyle=line_style(i), label=label)
        axes.set_ylabel(f"{kinds[unit].force} ({unit})")
        legend_beside(axes)
    label_time([*panels.values()], result)
    figure.align_ylabels()
    return figure

"""How joints follow their references: reference and response, error, and the effort that it takes."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.analysis.joint_tracking import BAND, JointTracking, joint_tracking, reference_of
from flexarm.plots.drawing.decimation import thinned
from flexarm.plots.drawing.joint_scales import coordinate_scale
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, WIDTH, label_time, new_figure, styled
from flexarm.results.result import Result
from flexarm.results.schema import SIMULATED
from flexarm.simulation.forces.motor_limits import available_torque
from flexarm.simulation.forces.time_functions import signal_values
from flexarm.simulation.forces.work import driven_rates

ROW_HEIGHT = 1.7  # inches
IN_SIGHT = 3.0
"""Limits of motors are drawn up to so many times the largest torque."""


def follows_references(result: Result) -> bool:
    """Return whether PD drives lead any joint along a reference."""
    led = any(drive is not None and drive.pd is not None for drive in result.arm.drive)
    return result.kind in SIMULATED and led and result.n_samples > 1


@styled
def tracking(result: Result) -> Figure:
    """Draw a row per joint that follows a reference: both, their difference, and the torque with its motor's limits."""
    judged = joint_tracking(result)
    figure = new_figure(
        result, "tracking of references", height=0.7 + ROW_HEIGHT * len(judged), width=1.25 * WIDTH
    )
    grid = figure.subplots(len(judged), 3, squeeze=False, width_ratios=[1.6, 1, 1])
    times = result["time"]
    limits = available_torque(result.arm, driven_rates(result))
    for (response, error, effort), one in zip(grid, judged, strict=True):
        i, joint = one.joint - 1, result.arm.joints[one.joint - 1]
        reference = reference_of(result.arm, i)
        assert reference is not None
        wanted = signal_values(reference, times)
        values = result["motor_angle" if joint.is_elastic else "joint_angle"][:, i]
        factor, unit = coordinate_scale(joint.kind, np.concatenate([values, wanted]))
        response.plot(*thinned(times, factor * values), color=COLOURS[0], label="response")
        response.plot(
            *thinned(times, factor * wanted),
            color=INK,
            linewidth=0.9,
            linestyle="--",
            label="reference",
            gid="reference",
        )
        goal, band = factor * wanted[-1], factor * BAND * abs(wanted[-1] - values[0])
        if band:
            response.axhspan(goal - band, goal + band, color=QUIET, alpha=0.2, linewidth=0.0, gid="band")
        response.set(ylabel=f"{joint.kind.coordinate} ({unit})", title=f"joint {one.joint}{_settled(one)}")
        small, least = coordinate_scale(joint.kind, wanted - values)
        error.plot(*thinned(times, small * (wanted - values)), color=COLOURS[1])
        error.set(ylabel=f"error ({least})", title=f"rms {small * one.rms_error:.3g} {least}")
        torque = result["torque"][:, i]
        effort.plot(*thinned(times, torque), color=COLOURS[2])
        seen = IN_SIGHT * np.abs(torque).max(initial=0.0)
        for limit in limits:
            shown = np.where(np.abs(limit[:, i]) <= seen, limit[:, i], np.nan)
            effort.plot(*thinned(times, shown), color=INK, linewidth=0.8, linestyle="--", gid="limit")
        force = f"{joint.kind.force} ({joint.kind.force_unit})"
        effort.set(ylabel=force, title=f"rms {one.rms_torque:.3g} {joint.kind.force_unit}")
    grid[0, 0].legend(loc="best")
    for column in grid.T:
        label_time(column.tolist(), result)
        figure.align_ylabels(column.tolist())
    return figure


def _settled(one: JointTracking) -> str:
    """Say when a joint stays within the band, and by how much it goes beyond."""
    if np.isnan(one.settling_time):
        return ""
    return f": settled at {one.settling_time:.3g} s, overshoot {100 * one.overshoot:.2g} %"

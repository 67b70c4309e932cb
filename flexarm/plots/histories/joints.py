"""Joint angles or positions and their rates over time ([GA09] figures 4 and 5, [FL17] figures 13 and 14)."""

from __future__ import annotations

import casadi as ca
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.joint.limits import range_text
from flexarm.description.arm.joint.words import worded
from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.joint_scales import coordinate_scale
from flexarm.plots.drawing.scales import floor_scale
from flexarm.plots.drawing.style import COLOURS, INK, label_time, new_figure, styled
from flexarm.plots.drawing.walls import mark_impacts
from flexarm.results.result import Result
from flexarm.results.schema import SIMULATED
from flexarm.simulation.forces.time_functions import Signals

ROW_HEIGHT = 1.4  # inches
IN_SIGHT, LEAST_SIGHT = 0.5, 10.0
"""Limits are drawn up to so far beyond the angles, as a part of their range, or up to so many degrees."""
REFERENCE_POINTS = 2000
LEAST_WAY = 1e-3
"""Way [m], or rate [m/s], of a joint that slides, that counts as much as a degree."""
MINUS = "\N{MINUS SIGN}"


def has_moving_joints(result: Result) -> bool:
    """Return whether any joint is free to move."""
    return bool(moving_joints(result))


def moving_joints(result: Result) -> list[int]:
    """Return the indices of the joints that are not locked."""
    return [i for i, joint in enumerate(result.arm.joints) if joint.moves]


@styled
def joints(result: Result) -> Figure:
    """Draw a row per joint that is not locked: its angle or position, and its rate on the right.

    The motors of elastic joints are drawn too, behind their gears, and references dashed.
    """
    moving, every = moving_joints(result), result.arm.joints
    title = worded("joint angles", [every[i] for i in moving])
    figure = new_figure(result, f"{title} and rates", height=0.8 + ROW_HEIGHT * len(moving))
    grid = figure.subplots(len(moving), 2, squeeze=False)
    references, scales = {i: _reference(result, i) for i in moving}, {}
    elastic = [joint.is_elastic and "motor_angle" in result for joint in every]
    for place, (column, name) in enumerate(zip(grid.T, ("joint_angle", "joint_velocity"), strict=True)):
        time, values = envelope(result, name)
        for axes, i in zip(column, moving, strict=True):
            drawn, kind = values[:, i], every[i].kind
            motor = None
            if elastic[i]:
                motor = envelope(result, name.replace("joint", "motor"))
                drawn = np.concatenate([drawn, motor[1][:, i]])
            if (reference := references[i]) is not None:
                drawn = np.concatenate([drawn, reference[1 + place]])
            factor, unit = scales[place, i] = coordinate_scale(kind, drawn)
            own = "joint" if elastic[i] else None
            axes.plot(time[:, i], factor * values[:, i], color=COLOURS[0], label=own)
            if motor is not None:
                axes.plot(motor[0][:, i], factor * motor[1][:, i], color=COLOURS[1], linewidth=0.9, linestyle="--",
                          label="motor behind its gear", gid="motor")  # fmt: skip
            if reference is not None:
                axes.plot(reference[0], factor * reference[1 + place], color=INK, linewidth=0.9, linestyle="--",
                          label="reference", gid="reference")  # fmt: skip
            floor_scale(axes, factor * drawn, 1.0 if kind.is_angle else LEAST_WAY * factor)
            axes.set_ylabel(f"rate ({unit}/s)" if place else f"{kind.coordinate} ({unit})")
        label_time(column, result)
        mark_impacts(column, result)
    for axes, i in zip(grid[:, 0], moving, strict=True):
        axes.set_title(f"joint {i + 1}{_draw_limits(axes, every[i], *scales[0, i])}")
    if regulated := [row for row, i in enumerate(moving) if references[i] is not None or elastic[i]]:
        grid[regulated[0], 1].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    figure.align_ylabels()
    return figure


def _draw_limits(axes: Axes, joint: Joint, factor: float, unit: str) -> str:
    """Draw the limits of a joint into axes of its coordinate, as far as they are in sight; name them for the title.

    The axes have a unit, to which a factor leads from rad or m.
    """
    if joint.limits is None:
        return ""
    drawn = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in axes.lines])
    low, high = np.nanmin(drawn), np.nanmax(drawn)
    margin = max(IN_SIGHT * (high - low), LEAST_SIGHT * (1.0 if joint.kind.is_angle else LEAST_WAY * factor))
    bounds = factor * np.array(joint.limits.range)
    for bound in bounds[(bounds >= low - margin) & (bounds <= high + margin)]:
        axes.axhline(bound, color=INK, linewidth=0.8, linestyle=":", gid="limit")
    return f", limits {range_text(*bounds)} {unit}".replace("-", MINUS)


def _reference(result: Result, joint: int) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Times (k,) [s], coordinates [rad or m] and rates of the reference of a joint's PD drive; None if none."""
    drive = result.arm.drive[joint]
    if drive is None or drive.pd is None or result.kind not in SIMULATED:
        return None
    first, last = (result.rows("time", part)[0] for part in (slice(0, 1), slice(result.n_samples - 1, None)))
    times = np.linspace(first, last, REFERENCE_POINTS if last > first else 1)
    signals = Signals(ca.SX.sym("t"))
    reference = ca.densify(ca.vertcat(*signals.with_rate(drive.pd.followed)))
    f = ca.Function("reference", [signals.t, signals.u], [reference]).map(times.size)
    looked_up = np.array([table(times) for table in signals.tables]).reshape(len(signals.tables), times.size)
    coordinates, rates = f(times[None], looked_up).full()
    return times, coordinates, rates

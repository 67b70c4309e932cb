"""Joint angles and rates over time ([GA09] figures 4 and 5, [FL17] figures 13 and 14)."""

from __future__ import annotations

import casadi as ca
import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.decimation import envelope
from flexarm.plots.scales import floor_scale
from flexarm.plots.style import COLOURS, INK, label_time, new_figure, styled
from flexarm.plots.walls import mark_impacts
from flexarm.results.result import Result
from flexarm.results.schema import SIMULATED
from flexarm.simulation.forces.time_functions import Signals

ROW_HEIGHT = 1.4  # inches
REFERENCE_POINTS = 2000


def has_moving_joints(result: Result) -> bool:
    """Return whether any joint is free to turn."""
    return bool(moving_joints(result))


def moving_joints(result: Result) -> list[int]:
    """Return the indices of the joints that are not locked."""
    return [i for i, joint in enumerate(result.arm.joints) if joint.type != "fixed"]


@styled
def joints(result: Result) -> Figure:
    """Draw one row per joint that is not locked: its angle on the left, its rate on the right.

    The motors of elastic joints are drawn too, behind their gears, and references dashed.
    """
    moving = moving_joints(result)
    figure = new_figure(result, "joint angles and rates", height=0.8 + ROW_HEIGHT * len(moving))
    grid = figure.subplots(len(moving), 2, squeeze=False)
    quantities = (("joint_angle", "angle (deg)"), ("joint_velocity", "rate (deg/s)"))
    references = {i: _reference(result, i) for i in moving}
    elastic = [joint.is_elastic and "motor_angle" in result for joint in result.arm.joints]
    for place, (column, (name, label)) in enumerate(zip(grid.T, quantities, strict=True)):
        time, values = envelope(result, name)
        for axes, i in zip(column, moving, strict=True):
            axes.plot(
                time[:, i], np.rad2deg(values[:, i]), color=COLOURS[0], label="joint" if elastic[i] else None
            )
            drawn = values[:, i]
            if elastic[i]:
                times, motors = envelope(result, name.replace("joint", "motor"))
                axes.plot(times[:, i], np.rad2deg(motors[:, i]), color=COLOURS[1], linewidth=0.9, linestyle="--",
                          label="motor behind its gear", gid="motor")  # fmt: skip
                drawn = np.concatenate([drawn, motors[:, i]])
            if (reference := references[i]) is not None:
                times, *angles_and_rates = reference
                axes.plot(times, np.rad2deg(angles_and_rates[place]), color=INK, linewidth=0.9, linestyle="--",
                          label="reference", gid="reference")  # fmt: skip
                drawn = np.concatenate([drawn, angles_and_rates[place]])
            floor_scale(axes, np.rad2deg(drawn), 1.0)
            axes.set_ylabel(label)
        label_time(column, result)
        mark_impacts(column, result)
    for axes, i in zip(grid[:, 0], moving, strict=True):
        axes.set_title(f"joint {i + 1}")
    if regulated := [row for row, i in enumerate(moving) if references[i] is not None or elastic[i]]:
        grid[regulated[0], 1].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    figure.align_ylabels()
    return figure


def _reference(result: Result, joint: int) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Times (k,) [s], angles [rad] and rates [rad/s] of the reference of a joint's PD drive; None if it has none."""
    drive = result.arm.drive[joint]
    if drive is None or drive.pd is None or result.kind not in SIMULATED:
        return None
    first, last = (result.rows("time", part)[0] for part in (slice(0, 1), slice(result.n_samples - 1, None)))
    times = np.linspace(first, last, REFERENCE_POINTS if last > first else 1)
    t = ca.SX.sym("t")
    value, rate, _ = Signals(t).with_rates(drive.pd.reference)
    found = ca.Function("reference", [t], [ca.densify(ca.vertcat(value, rate))]).map(times.size)(times[None])
    angles, rates = found.full()
    return times, angles, rates

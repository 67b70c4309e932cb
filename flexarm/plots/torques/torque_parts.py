"""Torques of combined drives over time: their parts thin, the sum thick, and what the motors can give."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from flexarm.description.arm.joint.words import worded
from flexarm.plots.drawing.decimation import envelope, thinned
from flexarm.plots.drawing.style import COLOURS, INK, LINE_STYLES, label_time, legend_beside, new_figure
from flexarm.results.result import Result
from flexarm.results.schema import TORQUE_PARTS
from flexarm.simulation.forces.motor_limits import available_torque
from flexarm.simulation.forces.work import driven_rates

ROW_HEIGHT = 1.9  # inches
NAMES = {"feedforward": "feed-forward", "gravity_compensation": "gravity", "back_emf": "back-emf"}
"""Names of parts in the legend, where they differ."""


def parts_of(result: Result) -> list[str]:
    """Return the parts of torques that a result records."""
    return [name for name in TORQUE_PARTS if f"torque_{name}" in result]


def torque_parts(result: Result) -> Figure:
    """Draw one row per driven joint: the parts of its torque thin, their sum thick, its motor's limits dashed."""
    parts = parts_of(result)
    drawn = {name: envelope(result, f"torque_{name}") for name in parts}
    time, total = envelope(result, "torque")
    driven = [i for i, drive in enumerate(result.arm.drive) if drive is not None]
    figure = new_figure(
        result,
        worded("joint torques and their parts", result.arm.joints),
        height=0.8 + ROW_HEIGHT * len(driven),
    )
    rows = figure.subplots(len(driven), 1, squeeze=False, sharex=True)[:, 0]
    limits = available_torque(result.arm, driven_rates(result))
    used: dict[str, int] = {}
    for axes, i in zip(rows, driven, strict=True):
        for k, name in enumerate(parts):
            times, values = drawn[name]
            if values[:, i].any():
                used.setdefault(name, k)
                axes.plot(times[:, i], values[:, i], **_line(k), gid="part")
        axes.plot(time[:, i], total[:, i], color=INK, linewidth=1.8, gid="sum")
        drive = result.arm.drive[i]
        if drive is not None and drive.saturate:
            for limit in limits:
                axes.plot(
                    *thinned(result["time"], limit[:, i]),
                    color=INK,
                    linewidth=0.8,
                    linestyle="--",
                    gid="limit",
                )
        axes.set_title(f"joint {i + 1}")
        kind = result.arm.joints[i].kind
        axes.set_ylabel(f"{kind.force} ({kind.force_unit})")
    for name, k in sorted(used.items(), key=lambda item: item[1]):
        rows[0].plot([], [], **_line(k), label=NAMES.get(name, name))
    rows[0].plot([], [], color=INK, linewidth=1.8, label="torque")
    if any(drive is not None and drive.saturate for drive in result.arm.drive):
        rows[0].plot([], [], color=INK, linewidth=0.8, linestyle="--", label="motor's limit")
    legend_beside(rows[0])
    label_time(list(rows), result)
    figure.align_ylabels()
    return figure


def _line(k: int) -> dict[str, Any]:
    """Line of part k; where the colours begin again it is dashed."""
    turn, colour = divmod(k, len(COLOURS))
    return {"color": COLOURS[colour], "linewidth": 0.8, "linestyle": LINE_STYLES[turn]}

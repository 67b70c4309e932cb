"""Joint torques between the bounds that the motors' speeds leave them ([SY94] figure 6)."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.description.arm.joint.words import worded
from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, label_time, new_figure, styled
from flexarm.results.result import Result

ROW_HEIGHT = 1.7  # inches
BOUNDS = {
    "torque_upper": (-7, r"$k_1 - k_2 \dot q$, at most $k_1$"),
    "torque_lower": (7, r"$-k_1 - k_2 \dot q$, at least $-k_1$"),
}
"""Bound -> where beside its line it is written [points], and what it is for a joint that moves with a rate q_d."""


def has_bounds(result: Result) -> bool:
    """Return whether any motor has a limit."""
    return "torque_upper" in result and bool(np.isfinite(result.rows("torque_upper", slice(0, 1))).any())


@styled
def torque_bounds(result: Result) -> Figure:
    """Draw one row per joint whose motor has a limit: its torque, and the band it has to stay in."""
    limited = np.flatnonzero(np.isfinite(result.rows("torque_upper", slice(0, 1))[0]))
    figure = new_figure(
        result,
        worded("joint torques and what the motors can give", [result.arm.joints[i] for i in limited]),
        height=0.8 + ROW_HEIGHT * len(limited),
    )
    stacked = figure.subplots(len(limited), 1, squeeze=False)[:, 0].tolist()
    time, torque = envelope(result, "torque")
    for axes, i in zip(stacked, limited, strict=True):
        axes.fill_between(
            result.time, result.torque_lower[:, i], result.torque_upper[:, i], color=QUIET, alpha=0.15
        )
        for name in BOUNDS:
            axes.plot(result.time, result[name][:, i], color=INK, linewidth=0.8, linestyle="--", gid=name)
        axes.plot(time[:, i], torque[:, i], color=COLOURS[0], gid="torque")
        kind = result.arm.joints[i].kind
        axes.set_ylabel(f"{kind.force} ({kind.force_unit})")
        axes.set_title(f"joint {i + 1}")
    _name_bounds(stacked[0], limited[0], result)
    _mark_active(stacked, limited, result)
    label_time(stacked, result)
    figure.align_ylabels()
    return figure


def _name_bounds(axes: Axes, i: int, result: Result) -> None:
    """Write beside the bounds of a joint what they are."""
    for name, (place, words) in BOUNDS.items():
        axes.annotate(
            words, (result.time[0], result[name][0, i]), (6, place), textcoords="offset points", color=INK,
            va="top" if place < 0 else "bottom", fontsize="small",
        )  # fmt: skip


def _mark_active(stacked: list, limited: np.ndarray, result: Result) -> None:
    """Mark the instant at which a torque bounds the load."""
    attributes = result.attributes
    if attributes.get("active_bound") != "torque":
        return
    i, t = attributes["active_joint"] - 1, attributes["active_time"]
    k = int(np.abs(result.time - t).argmin())
    axes = stacked[int(np.flatnonzero(limited == i)[0])]
    axes.plot(t, result.torque[k, i], "o", color=COLOURS[1], markersize=4.5, gid="active")
    axes.set_title(f"bounds the load of {attributes['payload_mass']:.4g} kg", loc="right", color=COLOURS[1])

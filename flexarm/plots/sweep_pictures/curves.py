"""Records of a sweep over its one key."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.drawing.style import COLOURS, QUIET
from flexarm.plots.sweep_pictures.scales import (
    FAILED,
    differ,
    extent,
    follows_power,
    key_scale,
    record_scale,
    record_title,
    set_scales,
    sweep_figure,
)
from flexarm.sweeps.sweep_result import SweepResult

ROW_HEIGHT = 1.6  # inches
MOST_MARKED = 60  # points of a curve that are marked one by one


def curves(result: SweepResult, names: list[str]) -> Figure:
    """Draw one row per record; values where a run failed are marked on the axis."""
    (key,) = result.keys_varied
    figure = sweep_figure(result, f"over {key}", 0.8 + ROW_HEIGHT * len(names))
    stacked = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    x = key_scale(result, key)
    at = x.factor * result.at_points(key)
    order = np.argsort(at)
    for axes, name in zip(stacked, names, strict=True):
        y = record_scale(result, name, titled=True)
        if x.log and follows_power(result[name]):
            y = replace(y, log=True)
        marker = "o" if at.size <= MOST_MARKED else ""
        axes.plot(
            at[order],
            y.factor * result[name][order],
            color=COLOURS[0],
            marker=marker,
            markersize=2.5,
            gid=name,
        )
        if not differ(result[name]):
            axes.set_ylim(*(y.factor * np.array(extent(result[name]))))
        set_scales(axes, y=y)
        axes.set_title("; ".join(record_title(result, name, "o")))
        axes.margins(x=0.02, y=0.08)
        absent = at[np.isnan(result[name]) & ~result.failed]
        if absent.size:
            axes.plot(
                absent, np.zeros_like(absent), "o", color=QUIET, markerfacecolor="white", markersize=4.5,
                clip_on=False, zorder=5, transform=axes.get_xaxis_transform(), gid="absent",
            )  # fmt: skip
        failed = at[result.failed]
        if failed.size:
            axes.plot(
                failed, np.zeros_like(failed), "x", color=FAILED, markersize=5, clip_on=False, zorder=5,
                transform=axes.get_xaxis_transform(), label="failed", gid="failed",
            )  # fmt: skip
    set_scales(stacked[-1], x=x)
    if result.failed.any():
        stacked[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderpad=0.0, borderaxespad=0.4)
    figure.align_ylabels()
    return figure

"""Records of a sweep over many keys: one upright axis for each key and record, one line for each run."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from flexarm.plots.drawing.style import QUIET, TIME_COLOURS
from flexarm.plots.sweep_pictures.scales import (
    FAILED,
    NOTHING,
    Scale,
    extent,
    key_scale,
    record_scale,
    sweep_figure,
)
from flexarm.sweeps.sweep_result import SweepResult

HEIGHT = 4.0  # inches
MOST_LINES = 4000
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def parallel(result: SweepResult, names: list[str]) -> Figure:
    """Draw every run as a line through its values; its colour is the first record.

    Failed runs are dashed and end at the last key. Of very many runs an evenly spread part is drawn.
    """
    keys = result.keys_varied
    figure = sweep_figure(result, f"{len(keys)} keys and what follows, coloured by {names[0]}", HEIGHT)
    axes = figure.subplots()
    scales = [key_scale(result, key) for key in keys] + [record_scale(result, name) for name in names]
    columns = [result.at_points(key).ravel() for key in keys] + [result[name].ravel() for name in names]
    # keys are what was asked for, however small; records may be round-off
    limits = [extent(column, 0.0 if k < len(keys) else NOTHING) for k, column in enumerate(columns)]
    axis = list(zip(columns, scales, limits, strict=True))
    heights = np.column_stack([_height(*one) for one in axis])
    failed = result.failed.ravel()
    drawn = np.arange(failed.size)[:: -(-failed.size // MOST_LINES)]
    _draw_lines(axes, heights, drawn[~failed[drawn]], len(keys))
    _draw_failed(axes, heights, drawn[failed[drawn]], len(keys))
    for place, (_, scale, limit) in enumerate(axis):
        _draw_axis(axes, place, scale, limit, is_key=place < len(keys))
    axes.set_xlim(-0.3, len(scales) - 0.5)
    axes.set_ylim(-0.04, 1.04)
    axes.axis("off")
    return figure


def _height(column: np.ndarray, scale: Scale, limits: tuple[float, float]) -> np.ndarray:
    """Values from 0, the lower limit, to 1, the upper one."""
    values, (low, high) = (np.log(column), np.log(limits)) if scale.log else (column, limits)
    return (values - low) / (high - low)


def _draw_lines(axes: Axes, heights: np.ndarray, rows: np.ndarray, n_keys: int) -> None:
    places = np.arange(heights.shape[1])
    colour = heights[rows, n_keys]
    lines = LineCollection(
        [np.column_stack([places, heights[row]]) for row in rows],
        array=np.nan_to_num(colour), norm=Normalize(0, 1), cmap=TIME_COLOURS, gid="runs",
        linewidths=0.8, alpha=max(0.15, min(0.9, 60 / max(len(rows), 1))),
    )  # fmt: skip
    axes.add_collection(lines)


def _draw_failed(axes: Axes, heights: np.ndarray, rows: np.ndarray, n_keys: int) -> None:
    lines = [np.column_stack([np.arange(n_keys), heights[row, :n_keys]]) for row in rows]
    axes.add_collection(
        LineCollection(lines, colors=FAILED, linestyles="dashed", linewidths=0.7, gid="failed", zorder=1)
    )
    for line in lines:
        axes.plot(*line[-1], "x", color=FAILED, markersize=5, zorder=5)


def _draw_axis(axes: Axes, place: int, scale: Scale, limits: tuple[float, float], is_key: bool) -> None:
    axes.plot([place, place], [0, 1], color=QUIET, linewidth=0.8, zorder=3)
    axes.text(
        place,
        1.06,
        scale.label,
        ha="left",
        va="bottom",
        rotation=30,
        fontsize=7.5,
        fontweight="bold" if is_key else None,
    )
    low, high = limits
    digits = 3 + int(np.log10(max(abs(low), abs(high)) / (high - low)).clip(0))
    for height in TICKS:
        value = low * (high / low) ** height if scale.log else low + (high - low) * height
        if abs(value) < 1e-9 * (high - low):
            value = 0.0
        axes.text(
            place + 0.04, height, f"{scale.factor * value:.{digits}g}", fontsize=6.5, va="center", zorder=4,
            bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.5},
        )  # fmt: skip

"""Records of a sweep over two keys, as colours."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from flexarm.plots.drawing.style import QUIET
from flexarm.plots.sweep_pictures.scales import (
    FAILED,
    Scale,
    extent,
    key_scale,
    record_scale,
    record_title,
    set_scales,
    sweep_figure,
)
from flexarm.sweeps.sweep_result import SweepResult

COLUMNS = 2
ROW_HEIGHT = 2.5  # inches
GAP = 0.08
"""Between the label of a colour bar and the next map, of the width of a map."""
FEW = 8  # levels of a key that each get a tick
ROOM = 24  # characters that fit under a map
TITLE = 40  # characters that fit above a map


def maps(result: SweepResult, names: list[str]) -> Figure:
    """Draw one map per record, with a colour bar; failed runs are crossed out."""
    across, up = result.keys_varied
    rows = -(-len(names) // COLUMNS)
    figure = sweep_figure(result, f"over {across} and {up}", 0.6 + ROW_HEIGHT * rows)
    figure.get_layout_engine().set(wspace=GAP)  # type: ignore[union-attr]
    panels = figure.subplots(rows, COLUMNS, squeeze=False, sharex=True, sharey=True).ravel()
    for axes in panels[len(names) :]:
        axes.remove()
    x, y = key_scale(result, across), key_scale(result, up)
    for place, (axes, name) in enumerate(zip(panels, names, strict=False)):
        _draw(axes, result, name, (across, x), (up, y))
        below = place + COLUMNS < len(names)
        axes.set_xlabel("" if below else x.label)
        axes.set_ylabel("" if place % COLUMNS else y.label)
        axes.tick_params(labelbottom=not below)
    return figure


def _draw(
    axes: Axes, result: SweepResult, name: str, across: tuple[str, Scale], up: tuple[str, Scale]
) -> None:
    scale = record_scale(result, name, titled=True)
    x, y = (one.factor * result.at_points(key).ravel() for key, one in (across, up))
    values = scale.factor * result[name].ravel()
    low, high = extent(result[name])
    colours = {"norm": Normalize(scale.factor * low, scale.factor * high), "cmap": colormaps["viridis"]}
    if len(result.dims) == 2:
        x_levels, y_levels = (one.factor * result.coordinates[key].values for key, one in (across, up))
        grid = values.reshape(result[name].shape).T
        columns, rows = np.argsort(x_levels), np.argsort(y_levels)
        drawn = axes.pcolormesh(
            edges(x_levels[columns], across[1].log), edges(y_levels[rows], up[1].log), grid[np.ix_(rows, columns)],
            gid=name, rasterized=True, **colours,
        )  # fmt: skip
        axes.grid(False)
    else:
        drawn = axes.scatter(x, y, c=values, s=14, linewidths=0, gid=name, plotnonfinite=False, **colours)
        axes.margins(0.04)
    set_scales(axes, *(replace(one, label="") for _, one in (across, up)))
    if len(result.dims) == 2:
        _tick_levels(axes, (across, up), result)
    failed = result.failed.ravel()
    axes.plot(x[failed], y[failed], "x", color=FAILED, markersize=5, zorder=5, gid="failed")
    axes.set_facecolor("#f4f4f4")
    absent = np.isnan(values) & ~failed
    if absent.any():
        _hatch(axes, x[absent], y[absent], (across[1], up[1]), result)
    lines = record_title(result, name, "hatched" if len(result.dims) == 2 else "o")
    axes.set_title("\n".join(part for line in lines for part in textwrap.wrap(line, TITLE)))
    bar = axes.figure.colorbar(drawn, ax=axes, label=scale.label, aspect=25)
    bar.outline.set_edgecolor(QUIET)  # type: ignore[operator]
    bar.outline.set_linewidth(0.6)  # type: ignore[operator]


def _hatch(
    axes: Axes, x: np.ndarray, y: np.ndarray, scales: tuple[Scale, Scale], result: SweepResult
) -> None:
    """Hatch the cells of a map, or ring the points, at which there is no number, (k,) each."""
    if len(result.dims) != 2:
        axes.plot(x, y, "o", color=QUIET, markerfacecolor="none", markersize=4.5, zorder=4, gid="absent")
        return
    cells = []
    for at, (key, scale) in zip((x, y), zip(result.keys_varied, scales, strict=True), strict=True):
        levels = np.sort(scale.factor * result.coordinates[key].values)
        borders, place = edges(levels, scale.log), np.abs(levels - at[:, None]).argmin(axis=1)
        cells.append((borders[place], borders[place + 1]))
    (left, right), (low, high) = cells
    corners = np.stack([[left, low], [right, low], [right, high], [left, high]]).transpose(2, 0, 1)
    axes.add_collection(
        PolyCollection(
            list(corners),
            facecolors="none",
            edgecolors=QUIET,
            linewidths=0,
            hatch="////",
            gid="absent",
            zorder=2,
        ),
        autolim=False,
    )


def edges(levels: np.ndarray, log: bool) -> np.ndarray:
    """Return the borders (n + 1,) of the cells around increasing levels (n,): half way to the next, or by ratio."""
    if log:
        return np.exp(edges(np.log(levels), False))
    if levels.size == 1:
        half = 0.5 * abs(levels[0]) or 0.5
        return levels[0] + np.array([-half, half])
    middles = (levels[1:] + levels[:-1]) / 2
    return np.concatenate([[2 * levels[0] - middles[0]], middles, [2 * levels[-1] - middles[-1]]])


def _tick_levels(axes: Axes, keys: tuple, result: SweepResult) -> None:
    """Put a tick at each of a few levels, which then read as they were given."""
    for axis, (key, scale) in zip((axes.xaxis, axes.yaxis), keys, strict=True):
        levels = (scale.factor * result.coordinates[key].values).tolist()
        if len(levels) <= FEW:
            labels = [_label(level) for level in levels]
            if axis is axes.xaxis and sum(map(len, labels)) > ROOM:
                labels[1::2] = [""] * len(labels[1::2])
            axis.set_minor_locator(NullLocator())
            axis.set_ticks(levels, labels)


def _label(level: float) -> str:
    """Three digits; an exponent only where zeros would take more room."""
    return f"{float(f'{level:.3g}'):g}"

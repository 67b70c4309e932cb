"""Time histories of a sweep, one curve for each run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure

from flexarm.plots.drawing.decimation import thinned
from flexarm.plots.drawing.style import TIME_COLOURS
from flexarm.plots.sweep_pictures.scales import differ, extent, key_scale, readable, sweep_figure
from flexarm.sweeps.sweep_result import SweepResult

ROW_HEIGHT = 1.6  # inches
MOST_ROWS = 8
MOST_RUNS = 200
POINTS = 1000


class Row(NamedTuple):
    """Column over time: its name and meaning, the label of its axis, the factor to its unit, values (runs, k)."""

    name: str
    meaning: str
    label: str
    factor: float
    values: np.ndarray


def has_series(result: SweepResult) -> bool:
    """Return whether anything was recorded over time."""
    return bool(result.attributes.get("series"))


def series(result: SweepResult) -> Figure:
    """Draw one row per recorded column that is not constant and one curve per run, coloured by the first key.

    Runs that failed have no curve. Of very many runs an evenly spread part is drawn, of very many columns the first.
    """
    key = result.keys_varied[0]
    scale = key_scale(result, key)
    level = scale.factor * result.at_points(key).ravel()
    runs = np.flatnonzero(~result.failed.ravel())
    runs = runs[:: max(1, -(-runs.size // MOST_RUNS))]
    found = list(_rows(result))
    rows = ([row for row in found if differ(row.values)] or found)[:MOST_ROWS]
    what = f"over time, coloured by {key}"
    constant = [row.name for row in found if not differ(row.values)]
    if 0 < len(constant) < len(found):
        what += f"; {f'{len(constant)} columns are' if len(constant) > 1 else f'{constant[0]} is'} constant"
    figure = sweep_figure(result, what, 1.0 + ROW_HEIGHT * len(rows))
    stacked = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    norm = (LogNorm if scale.log else Normalize)(level.min(), level.max())
    time = result.coordinates["time"].values
    for axes, row in zip(stacked, rows, strict=True):
        for run in runs:
            values = row.factor * row.values[run]
            axes.plot(*thinned(time, values, POINTS), color=TIME_COLOURS(norm(level[run])), linewidth=0.9)
        if not differ(row.values):
            axes.set_ylim(*(row.factor * np.array(extent(row.values))))
        axes.set_title(f"{row.name}: {row.meaning}" + ", constant" * (not differ(row.values)))
        axes.set_ylabel(row.label)
    stacked[-1].set_xlabel("time (s)")
    bar = figure.colorbar(
        ScalarMappable(norm, TIME_COLOURS),
        ax=list(stacked),
        label=scale.label,
        aspect=20 * len(rows),
        pad=0.02,
    )
    bar.outline.set_visible(False)  # type: ignore[operator]
    figure.align_ylabels()
    return figure


def _rows(result: SweepResult) -> Iterator[Row]:
    """Every recorded column."""
    points = result.failed.ndim
    for name in result.attributes["series"]:
        variable = result.variables[name]
        factor, unit = readable(variable)
        columns = variable.values.shape[points + 1 :]
        values = variable.values.reshape(result.failed.size, -1, *columns)
        for column in np.ndindex(*columns):
            place = "".join(f"[{i}]" for i in column)
            label = f"{name.partition('[')[0]}{unit}"
            yield Row(f"{name}{place}", variable.long_name, label, factor, values[:, :, *column])

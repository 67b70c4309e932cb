"""Modal amplitudes and their rates ([FL17] figures 15 and 16)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.style import (
    colour,
    label_time,
    legend_beside,
    length_unit,
    line_style,
    new_figure,
    styled,
)
from flexarm.plots.drawing.walls import mark_impacts
from flexarm.results.result import Result

ROW_HEIGHT, LINE_HEIGHT = 1.4, 0.2  # inches: of a row at least, and of a line of its legend
FEW = 8
"""Modes of a link that are listed in one column."""


def has_flying_modes(result: Result) -> bool:
    """Return whether this is the flight of an arm with modes."""
    return result.kind == "flight" and any(link.n_modes for link in result.arm.links)


@styled
def mode_amplitudes(result: Result) -> Figure:
    """Draw one row per flexible link: amplitudes on the left, their rates on the right, one curve per mode."""
    links = [(i, link.n_modes) for i, link in enumerate(result.arm.links) if link.n_modes]
    columns = [1 if count <= FEW else 2 for _, count in links]
    heights = [
        max(ROW_HEIGHT, LINE_HEIGHT * -(-count // n)) for (_, count), n in zip(links, columns, strict=True)
    ]
    figure = new_figure(result, "modal amplitudes and rates", height=0.8 + sum(heights))
    grid = figure.subplots(len(links), 2, squeeze=False, height_ratios=heights)
    twists = any("torsion" in link.mode_directions for link in result.arm.links)
    for column, name in zip(grid.T, ("mode_amplitude", "mode_velocity"), strict=True):
        time, values = envelope(result, name)
        factor, unit = (1.0, "m, rad") if twists else length_unit(values)
        first = 0
        for axes, (_, count) in zip(column, links, strict=True):
            for j in range(count):
                axes.plot(
                    time[:, first + j],
                    factor * values[:, first + j],
                    color=colour(j),
                    linestyle=line_style(j),
                    label=f"mode {j + 1}",
                )
            first += count
            rate = name == "mode_velocity"
            axes.set_ylabel(
                f"rate ({unit}{'/s' if rate and not twists else ''})" if rate else f"amplitude ({unit})"
            )
        label_time(column, result)
        mark_impacts(column, result)
    for row, (i, _) in zip(grid, links, strict=True):
        row[0].set_title(f"link {i + 1}")
    most = int(np.argmax([count for _, count in links]))
    if links[most][1] > 1:
        legend_beside(grid[most, 1], ncols=columns[most])
    figure.align_ylabels()
    return figure

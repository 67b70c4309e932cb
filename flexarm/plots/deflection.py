"""Deflection and rotation in the middle and at the end of every link ([GA09] figures 8 to 15)."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from flexarm.plots.decimation import envelope
from flexarm.plots.style import COLOURS, INK, QUIET, label_time, length_unit, new_figure, styled
from flexarm.simulation.result import Result

AXES = ("x", "y", "z")
STATIONS = (("middle of the link", (0, (4, 1.5))), ("end of the link", "-"))
ROW_HEIGHT = 1.4


def is_flexible(result: Result) -> bool:
    """Tell whether any link has modes."""
    return any(link.modes for link in result.arm.links)


@styled
def deflection(result: Result) -> Figure:
    """Draw one row per flexible link: deflections on the left, rotations of the section on the right.

    Directions in which a link never moves are left out.
    """
    flexible = [i for i, link in enumerate(result.arm.links) if link.modes]
    rigid = [str(i + 1) for i, link in enumerate(result.arm.links) if not link.modes]
    figure = new_figure(result, "deflection of the links", height=1.0 + ROW_HEIGHT * len(flexible))
    grid = figure.subplots(len(flexible), 2, squeeze=False)
    displacement, rotation = envelope(result, "link_deflection"), envelope(result, "link_rotation")
    factor, unit = length_unit(displacement[1])
    for row, i in zip(grid, flexible, strict=True):
        _draw_link(row[0], *displacement, i, factor)
        _draw_link(row[1], *rotation, i, np.rad2deg(1.0))
        row[0].set_title(f"link {i + 1}")
        row[0].set_ylabel(f"deflection ({unit})")
        row[1].set_ylabel("rotation (deg)")
    for column in grid.T:
        label_time(column, result)
    figure.align_ylabels()
    moving = np.any(displacement[1], axis=(0, 1, 2)) | np.any(rotation[1], axis=(0, 1, 2))
    _add_legend(figure, moving)
    if rigid:
        grid[0, 1].set_title(f"rigid: link {', '.join(rigid)}", loc="right", color=QUIET)
    return figure


def _draw_link(axes: Axes, time: np.ndarray, values: np.ndarray, link: int, factor: float) -> None:
    """Draw what moves of one link at both stations; `time` and `values` are (k, link, station, axis)."""
    for k, colour in enumerate(COLOURS[: len(AXES)]):
        for station, (_, style) in enumerate(STATIONS):
            if np.any(values[:, link, :, k]):
                axes.plot(
                    time[:, link, station, k],
                    factor * values[:, link, station, k],
                    color=colour,
                    linestyle=style,
                    gid=f"{AXES[k]} {STATIONS[station][0]}",
                )


def _add_legend(figure: Figure, moving: np.ndarray) -> None:
    """Explain the colours (axis along or about which a section moves) and the line styles (its place)."""
    directions = [
        Line2D([], [], color=colour, label=f"{name} axis")
        for name, colour, moves in zip(AXES, COLOURS, moving, strict=False)
        if moves
    ]
    places = [Line2D([], [], color=INK, linestyle=style, label=place) for place, style in STATIONS]
    figure.legend(handles=[*directions, *places], loc="outside lower right", ncols=len(AXES) + len(STATIONS))

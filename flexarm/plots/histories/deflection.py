"""Deflection and rotation in the middle and at the end of every link ([GA09] figures 8 to 15)."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.style import COLOURS, QUIET, label_time, length_unit, new_figure, styled, tint
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

STATION_NAMES = ("middle", "end")
ROW_HEIGHT = 1.4  # inches


def is_flexible(result: Result) -> bool:
    """Return whether any link bends: it has modes, and the motion is not that of the rigid arm."""
    return any(link.n_modes for link in result.arm.links) and not is_rigid_motion(result)


def is_rigid_motion(result: Result) -> bool:
    """Return whether the inverse motion is that of the arm without modes."""
    return result.attributes.get("method") == "rigid"


@styled
def deflection(result: Result) -> Figure:
    """Draw one row per flexible link: deflections on the left, rotations of the section on the right.

    Directions in which a link never moves are left out, and so is a column in which none does.
    """
    flexible = [i for i, link in enumerate(result.arm.links) if link.n_modes]
    rigid = [str(i + 1) for i, link in enumerate(result.arm.links) if not link.n_modes]
    figure = new_figure(result, "deflection of the links", height=1.0 + ROW_HEIGHT * len(flexible))
    displacement, rotation = envelope(result, "link_deflection"), envelope(result, "link_rotation")
    factor, unit = length_unit(displacement[1])
    quantities = [
        (*displacement, factor, f"deflection ({unit})"),
        (*rotation, np.rad2deg(1.0), "rotation (deg)"),
    ]
    quantities = [each for each in quantities if np.any(each[1])] or quantities
    grid = figure.subplots(len(flexible), len(quantities), squeeze=False)
    for row, i in zip(grid, flexible, strict=True):
        for axes, (time, values, unit_factor, label) in zip(row, quantities, strict=True):
            _draw_link(axes, time, values, i, unit_factor)
            axes.set_ylabel(label)
        row[0].set_title(f"link {i + 1}")
    for column in grid.T:
        label_time(column, result)
    figure.align_ylabels()
    moving = np.any(displacement[1], axis=(0, 1, 2)) | np.any(rotation[1], axis=(0, 1, 2))
    _add_legend(figure, moving)
    if rigid:
        grid[0, -1].set_title(
            f"rigid: link{'s' * (len(rigid) > 1)} {', '.join(rigid)}", loc="right", color=QUIET
        )
    return figure


def _draw_link(axes: Axes, time: np.ndarray, values: np.ndarray, link: int, factor: float) -> None:
    """Draw what moves of one link at both stations; `time` and `values` are (k, link, station, axis).

    The middle moves less than the end and is drawn over it, in a lighter shade: with many oscillations in the
    picture, bands remain that dashes would not distinguish.
    """
    for station, place in reversed(list(enumerate(STATION_NAMES))):
        for k, colour in enumerate(COLOURS[: len(AXES)]):
            if np.any(values[:, link, :, k]):
                axes.plot(
                    time[:, link, station, k],
                    factor * values[:, link, station, k],
                    color=tint(colour) if place == "middle" else colour,
                    linewidth=0.9,
                    gid=f"{AXES[k]}, {place}",
                )


def _add_legend(figure: Figure, moving: np.ndarray) -> None:
    """Explain the colours: the axis along or about which a section moves, and where the section is."""
    handles = [
        Line2D([], [], color=shade(colour), linewidth=1.6, label=f"{name} axis, {place}")
        for name, colour, moves in zip(AXES, COLOURS, moving, strict=False)
        if moves
        for place, shade in (("middle", tint), ("end", str))
    ]
    figure.legend(
        handles=handles, loc="outside lower right", ncols=len(handles), columnspacing=1.2, handlelength=1.2
    )

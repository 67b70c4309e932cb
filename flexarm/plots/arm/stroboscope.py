"""Stroboscopic picture: the arm's shape over time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from flexarm.plots.arm.arm_shapes import ArmShapes, magnified, shapes
from flexarm.plots.arm.side_by_side import arms_side_by_side, narrow_axis
from flexarm.plots.drawing.planarity import is_spatial
from flexarm.plots.drawing.style import INK, QUIET, TIME_COLOURS, WIDTH, new_figure, styled
from flexarm.plots.drawing.views import (
    PLANE,
    SPACE,
    Rods,
    crop_space,
    draw_arm,
    plane_axes,
    plane_size,
    space_axes,
    upright,
)
from flexarm.plots.drawing.walls import draw_walls, drawn_extent
from flexarm.results.result import Result

ABOVE, BELOW = 0.55, 3.7
"""Room [inch] above and below the picture in space: for the title, and for projections and the bar of colours."""


@styled
def stroboscope(result: Result) -> Figure:
    """Draw the bent arm at instants spread over the run, coloured by time, and the path of its tip.

    In the plane, where it hardly moves along x or y, its arms are drawn side by side.
    """
    arms = shapes(result)
    if not is_spatial(result) and (axis := narrow_axis(result, arms)) is not None:
        return arms_side_by_side(result, axis)
    colours = ScalarMappable(Normalize(arms.time[0], max(arms.time[-1], arms.time[0] + 1e-9)), TIME_COLOURS)
    rods = Rods.of(result.arm)

    def draw(axes: Axes, k: int, view: list[int]) -> None:
        draw_arm(axes, arms.lines[k], view, colours.to_rgba(arms.time[k]), k in (0, len(arms.time) - 1), rods)

    return arms_figure(result, arms, "the arm over time", colours, "time (s)", draw)


def arms_figure(
    result: Result,
    arms: ArmShapes,
    title: str,
    colours: ScalarMappable,
    label: str,
    draw: Callable[[Axes, int, list[int]], object],
) -> Figure:
    """Draw arms in their plane, or in space and its projections, with the path of the tip and a bar of colours.

    Parameters
    ----------
    result : Result
    arms : ArmShapes
    title : str
    colours : ScalarMappable
    label : str
        What the colours mean.
    draw : callable
        Draws arm number k in axes that show these coordinates.
    """
    if arms.magnification > 1:
        title += f"\n{magnified(arms.magnification)}"
    base = Rods.of(result.arm).base if result.arm.base == "fixed" else arms.lines[0, 0, 0]
    shown = np.vstack([arms.lines.reshape(-1, 3), base])
    if is_spatial(result):
        figure = new_figure(result, title, height=WIDTH)
        space = space_axes(figure, shown, upright(result.arm.gravity))
        crop_space(space, above=ABOVE, below=BELOW)
        views, bar = [space, *_planes_below(figure)], _bar_below(figure)
        planes = (SPACE, PLANE, [0, 2])
    else:
        wide, high = plane_size(np.concatenate([shown[:, :2], arms.trace[:, :2], drawn_extent(result)]))
        figure = new_figure(result, title, height=high + 0.9, width=wide + 1.5)
        views, planes, bar = [figure.subplots()], (PLANE,), None
    for axes, plane in zip(views, planes, strict=True):
        axes.plot(*arms.trace[:, plane].T, color=QUIET, linewidth=0.5, zorder=1)
        for k in range(len(arms.time)):
            draw(axes, k, plane)
        if plane != SPACE:
            plane_axes(axes, plane)
        if plane == PLANE:
            draw_walls(axes, result, float(np.ptp(arms.lines[..., :2], axis=(0, 1, 2)).max()))
        if result.arm.base == "fixed":
            axes.plot(*base[plane, None], "s", color=INK, markersize=6.0, zorder=6)
    beside = (
        {"ax": views, "aspect": 40, "pad": 0.02} if bar is None else {"cax": bar, "orientation": "horizontal"}
    )
    figure.colorbar(colours, label=label, **beside).outline.set_visible(False)
    views[0].set_anchor("C")  # the bar has drawn it to its side
    return figure


def _planes_below(figure: Figure) -> list[Axes]:
    """Axes of the two projections, under those in space."""
    width, height = figure.get_size_inches()
    grid = figure.add_gridspec(
        1,
        2,
        left=0.64 / width,
        right=1 - 0.12 / width,
        bottom=1.1 / height,
        top=(BELOW - 0.5) / height,
        wspace=0.3,
    )
    return [figure.add_subplot(grid[k]) for k in range(2)]


def _bar_below(figure: Figure) -> Axes:
    """Axes of the bar of colours, at the bottom."""
    width, height = figure.get_size_inches()
    return figure.add_axes((0.64 / width, 0.45 / height, 1 - 0.76 / width, 0.08 / height), label="<colorbar>")

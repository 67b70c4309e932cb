"""Stage of an animation: the figure with all that stands still, and its size in pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from flexarm.plots.animation.carried_load import bar_beside, colour_bar
from flexarm.plots.animation.film import Film
from flexarm.plots.animation.strip import HEIGHT, room_below
from flexarm.plots.drawing.planarity import is_spatial
from flexarm.plots.drawing.style import COLOURS, INK, new_figure
from flexarm.plots.drawing.views import PLANE, SPACE, crop_space, plane_axes, plane_size, space_axes, upright
from flexarm.plots.drawing.walls import draw_walls, drawn_extent
from flexarm.plots.drawing.walls_in_space import draw_walls_in_space

VIEWS = {"xy": PLANE, "xz": [0, 2], "yz": [1, 2], "space": SPACE}
"""What can be seen -> the coordinates that it shows."""
WIDE = 8.0, 4.5
"""Size [inch] of frames that are 16:9."""
TRACE: dict[str, Any] = {"color": COLOURS[1], "linewidth": 0.8, "zorder": 1.5, "label": "tip"}
PATH: dict[str, Any] = {"color": INK, "linewidth": 2.4, "alpha": 0.3, "zorder": 1.4, "label": "desired path"}


def stage(
    film: Film, seen: str | None, wide: bool, deflection: bool
) -> tuple[Figure, Axes, list[int], Axes | None]:
    """Return a figure with all that stands still, its axes, the coordinates that they show, and axes of a strip."""
    result = film.result
    view = VIEWS[seen or ("space" if is_spatial(result) else "xy")]
    if view == SPACE:
        figure = new_figure(result, film.title, height=5.6)
        corners = np.pad(drawn_extent(result), ((0, 0), (0, 1)), constant_values=film.extent[:, 2].mean())
        axes = space_axes(figure, np.vstack([film.extent, corners]), upright(result.arm.gravity))
        crop_space(axes, above=0.6, below=0.65)
        below = room_below(figure, axes) if deflection else None
        if film.load:
            bar_beside(
                figure, axes, film.load.colours, 0.65 + HEIGHT * deflection, figure.get_figheight() - 0.6
            )
        if wide:
            _widen(figure, below)
        draw_walls_in_space(axes, result)
    else:
        points = film.extent[:, view]
        if view == PLANE:
            points = np.vstack([points, drawn_extent(result)])
        across, up = plane_size(points)
        figure = new_figure(result, film.title, height=up + 1.1, width=across + 0.8)
        if wide:
            figure.set_size_inches(*WIDE)
        if deflection:
            figure.set_figheight(figure.get_figheight() + HEIGHT * (not wide))
            axes, below = figure.subplots(
                2, 1, height_ratios=(figure.get_figheight() - 1.1 - HEIGHT, HEIGHT - 0.5)
            )
        else:
            axes, below = figure.subplots(), None
        if film.load:
            colour_bar(figure, axes, film.load.colours)
            if wide:
                figure.set_size_inches(*WIDE)
        axes.update_datalim(points)
        plane_axes(axes, view)
        if view == PLANE:
            draw_walls(axes, result, float(np.ptp(points, axis=0).max()))
    if result.arm.base == "fixed":
        axes.plot(*film.base[view, None], "s", color=INK, markersize=6.0, zorder=6)
    handles = film.contacts.legend()
    if len(film.desired):
        axes.plot(*film.desired[:, view].T, **PATH)
        handles = [Line2D([], [], **PATH), Line2D([], [], **TRACE), *handles]
    if handles:
        beside = "lower right" if view == SPACE else "outside lower right"
        figure.legend(handles=handles, loc=beside, ncols=len(handles))
    return figure, axes, view, below


def _widen(figure: Figure, strip: Axes | None) -> None:
    """Make a figure 16:9 around its axes, which keep their size, but for a strip below them."""
    width, height = figure.get_size_inches()
    wider, higher = max(width, height * WIDE[0] / WIDE[1]), max(height, width * WIDE[1] / WIDE[0])
    figure.set_size_inches(wider, higher)
    for axes in figure.axes:
        if axes is not strip:
            left, bottom, across, up = axes.get_position().bounds
            left, bottom = left * width + (wider - width) / 2, bottom * height + (higher - height) / 2
            axes.set_position((left / wider, bottom / higher, across * width / wider, up * height / higher))


def canvas(figure: Figure, size: int) -> FigureCanvasAgg:
    """Make the figure `size` pixels long or high, and both numbers of pixels even."""
    figure.set_dpi(size / max(figure.get_size_inches()))
    pixels = 2 * np.round(figure.get_size_inches() * figure.dpi / 2)
    figure.set_size_inches(*((pixels + 1e-3) / figure.dpi))  # the canvas cuts off what is not a whole pixel
    return FigureCanvasAgg(figure)

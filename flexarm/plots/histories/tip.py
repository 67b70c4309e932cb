"""Motion of the tip: coordinates over time ([GA09] figures 6 and 7) and its path."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.plots.drawing.decimation import envelope, path
from flexarm.plots.drawing.planarity import is_spatial
from flexarm.plots.drawing.scales import floor_scale
from flexarm.plots.drawing.style import COLOURS, INK, label_time, new_figure, styled
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

ROUND_OFF, TRACKED = (
    1e-9,
    1e-6,
)  # of the way of the tip: what looks constant; where it follows a path by computation
AROUND = 0.05
"""What is shown to each side of a tip at rest, of its largest coordinate."""


@styled
def tip(result: Result) -> Figure:
    """Draw the tip's coordinates over time and its path, for spatial arms in two projections."""
    spatial = is_spatial(result)
    names = AXES if spatial else AXES[:2]
    figure = new_figure(result, "motion of the tip", height=5.2 if spatial else 3.4)
    halves = figure.add_gridspec(1, 2, width_ratios=(1.15, 1.0))
    over_time, in_space = figure.add_subfigure(halves[0]), figure.add_subfigure(halves[1])

    time, positions = envelope(result, "point_position")
    stacked = over_time.subplots(len(names), 1, squeeze=False)[:, 0].tolist()
    way = np.ptp(positions[:, -1], axis=0).max()
    part = TRACKED if "tip_desired" in result else ROUND_OFF
    for k, axes in enumerate(stacked):
        axes.plot(time[:, -1, k], positions[:, -1, k], color=COLOURS[k])
        if np.ptp(positions[:, -1, k]) > 0:
            floor_scale(axes, positions[:, -1, k], way, kept=part)
        axes.set_ylabel(f"{names[k]} (m)")
    label_time(stacked, result)
    over_time.align_ylabels()

    _, points = path(result)
    planes = ((0, 1), (0, 2)) if spatial else ((0, 1),)
    projections = in_space.subplots(len(planes), 1, squeeze=False)[:, 0]
    for axes, plane in zip(projections, planes, strict=True):
        _draw_path(axes, points, list(plane))
    projections[0].legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, handlelength=0.8, borderaxespad=0.2
    )
    return figure


def _draw_path(axes: Axes, points: np.ndarray, plane: list[int]) -> None:
    """Draw the path (k, 3) [m] projected on a plane, start and end marked."""
    first, second = plane
    axes.plot(*points[:, plane].T, color=INK, linewidth=0.8)
    axes.plot(*points[0, plane], "o", color=INK, markerfacecolor="white", markersize=4.5, label="start")
    axes.plot(*points[-1, plane], "o", color=INK, markersize=4.5, label="end")
    axes.set_aspect("equal", adjustable="datalim")
    axes.locator_params(nbins=5)
    axes.margins(0.08)
    centre, size = points[0, plane], np.abs(points).max()
    if np.ptp(points[:, plane], axis=0).max() <= ROUND_OFF * size:  # at rest: round-off sets no scale
        axes.update_datalim([centre - AROUND * size, centre + AROUND * size])
        axes.autoscale_view()
    axes.set_xlabel(f"{AXES[first]} (m)")
    axes.set_ylabel(f"{AXES[second]} (m)")

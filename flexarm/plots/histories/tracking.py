"""Tracking of the tip: desired and actual path, and the distance between them ([SY94] figures 1b, 7 and 8)."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.plots.drawing.decimation import envelope, path
from flexarm.plots.drawing.planarity import is_spatial
from flexarm.plots.drawing.style import COLOURS, INK, label_time, length_unit, new_figure, styled
from flexarm.plots.drawing.tube import draw_tube
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

BOUNDED_HEIGHT = 4.6  # inches: the tube is narrow
ROUND_OFF, DECADES = 1e-16, 1e-6
"""Least distance that is drawn [m]; of the largest one."""


def is_tracked(result: Result) -> bool:
    """Return whether the tip had a path to follow."""
    return "tip_desired" in result


@styled
def tracking(result: Result) -> Figure:
    """Draw the desired and the actual path, for spatial arms in two projections, and their distance over time."""
    spatial = is_spatial(result)
    allowed = result.attributes.get("deviation")
    figure = new_figure(
        result, "path of the tip", height=5.2 if spatial else 3.4 if allowed is None else BOUNDED_HEIGHT
    )
    halves = figure.add_gridspec(1, 2, width_ratios=(1.15, 1.0))
    over_time, in_space = figure.add_subfigure(halves[0]), figure.add_subfigure(halves[1])

    axes = over_time.subplots()
    time, error = envelope(result, "tip_error")
    if allowed is None:  # what is left is the error of the computation, of any order of magnitude
        axes.semilogy(time, np.maximum(error, ROUND_OFF), color=COLOURS[1], label="distance from the path")
        axes.set_ylabel("distance (m)")
        largest = float(np.max(error, initial=0.0))
        axes.set_ylim(max(ROUND_OFF, DECADES * largest), max(3 * largest, 10 * ROUND_OFF))
        axes.set_title(_kept(result))
    else:
        factor, unit = length_unit(np.append(error, allowed))
        axes.plot(time, factor * error, color=COLOURS[1], label="distance from the path")
        axes.axhline(factor * allowed, color=INK, linewidth=0.8, linestyle="--", label="allowed")
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.2)
        axes.set_ylabel(f"distance ({unit})")
        axes.set_ylim(bottom=0.0)
    label_time([axes], result)

    planes = ((0, 1), (0, 2)) if spatial else ((0, 1),)
    if spatial and np.ptp(result.tip_desired[:, 0]) < 1e-6:
        planes = ((1, 2), (0, 2))
    projections = in_space.subplots(len(planes), 1, squeeze=False)[:, 0]
    for axes, plane in zip(projections, planes, strict=True):
        _draw_paths(axes, result, list(plane))
    projections[0].legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, handlelength=1.4, borderaxespad=0.2
    )
    return figure


def _kept(result: Result) -> str:
    """How well the path is kept, in words: by the computed motion, and by the simulation of its torques."""
    time = result["time"]
    inside = (time >= 0) & (time <= result.attributes.get("duration", time[-1]) * (1 + 1e-12))
    words = f"kept to {result['tip_error'][inside].max(initial=0.0):.1e} m"
    verified = result.attributes.get("verified_error")
    return words if verified is None else f"{words}, simulated {verified:.1e} m"


def _draw_paths(axes: Axes, result: Result, plane: list[int]) -> None:
    """Draw the desired and the actual path projected on a plane, in the tube of what is allowed if there is one."""
    first, second = plane
    _, actual = path(result)
    allowed = result.attributes.get("deviation")
    if allowed is None:
        axes.plot(*result.tip_desired[:, plane].T, color=INK, linewidth=2.4, alpha=0.3, label="desired")
    else:
        draw_tube(axes, result.tip_desired[:, plane], allowed)
        axes.plot(*result.tip_desired[:, plane].T, color=INK, linewidth=0.8, linestyle="--", label="desired")
    axes.plot(*actual[:, plane].T, color=COLOURS[0], linewidth=0.9, label="actual")
    axes.set_aspect("equal", adjustable="datalim")
    axes.locator_params(nbins=5)
    axes.margins(0.08)
    axes.set_xlabel(f"{AXES[first]} (m)")
    axes.set_ylabel(f"{AXES[second]} (m)")

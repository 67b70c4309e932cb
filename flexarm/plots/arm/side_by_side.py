"""Arms side by side: the stroboscopic picture of a motion too narrow to be seen where all arms stand in one place."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from flexarm.plots.arm.arm_shapes import TRACE_POINTS, ArmShapes, evenly_spread, magnified, shapes_at
from flexarm.plots.drawing.style import INK, QUIET, TIME_COLOURS, new_figure
from flexarm.plots.drawing.views import AXES, PLANE, Rods, draw_arm, plane_size
from flexarm.results.result import Result

SHAPES = 13
NARROW = 0.25
"""Width of a motion, as a part of its length, below which its arms are drawn side by side."""
TICKS = 6
LEAST_WIDTH = 5.0
"""Of the figure [inch], for its title."""
SPAN = 2.0
"""Way from the first arm to the last, over the length of the motion."""


def narrow_axis(result: Result, arms: ArmShapes) -> int | None:
    """Axis, 0 or 1, along which an arm on a fixed base hardly moves; None where it does, or where there are walls."""
    if result.arm.base != "fixed" or result.arm.contact is not None or Rods.of(result.arm).joints:
        return None
    extent = np.ptp(arms.lines[..., :2], axis=(0, 1, 2))
    axis = int(extent.argmin())
    return axis if len(arms.time) > 1 and extent[axis] < NARROW * extent[1 - axis] else None


def arms_side_by_side(result: Result, axis: int) -> Figure:
    """Draw the bent arm of the plane at instants spread over the run, each beside the one before along x or y."""
    arms = shapes_at(result, evenly_spread(result, SHAPES))
    first, last = arms.time[[0, -1]]
    pace = SPAN * np.ptp(arms.lines[..., 1 - axis]) / (last - first) * (-1 if axis else 1)
    base, rods = Rods.of(result.arm).base, Rods.of(result.arm)
    ways = pace * (arms.time - first)
    lines = arms.lines.copy()
    lines[..., axis] += ways[:, None, None]
    trace = arms.trace.copy()
    trace[:, axis] += pace * (result.rows("time", evenly_spread(result, TRACE_POINTS)) - first)

    title = "the arm over time\nside by side, at equal scales"
    if arms.magnification > 1:
        title += f"\n{magnified(arms.magnification)}"
    wide, high = plane_size(np.vstack([lines[..., :2].reshape(-1, 2), trace[:, :2]]))
    figure = new_figure(result, title, height=high + 1.1, width=max(wide + 1.0, LEAST_WIDTH))
    axes = figure.subplots()
    axes.plot(*trace[:, PLANE].T, color=QUIET, linewidth=0.5, zorder=1)
    shades = TIME_COLOURS(np.linspace(0, 1, len(lines)))
    for line, way, shade in zip(lines, ways, shades, strict=True):
        draw_arm(axes, line, PLANE, shade, True, rods)
        foot = base[:2].copy()
        foot[axis] += way
        axes.plot(*foot, "s", color=INK, markersize=5.0, zorder=6)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.06)
    ticks = MaxNLocator(TICKS).tick_values(first, last)
    ticks = ticks[(ticks >= first) & (ticks <= last)]
    places = base[axis] + pace * (ticks - first)
    (axes.set_xticks if axis == 0 else axes.set_yticks)(places, [f"{tick:.3g}" for tick in ticks])
    labels = "time (s)", f"{AXES[1 - axis]} (m)"
    axes.set(xlabel=labels[axis], ylabel=labels[1 - axis])
    return figure

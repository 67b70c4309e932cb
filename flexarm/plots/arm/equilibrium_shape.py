"""Shape of an arm in static equilibrium, and the same arm with straight links behind it."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.formulations.motion_equations import motion_equations
from flexarm.plots.arm.arm_shapes import bent, visible_magnification
from flexarm.plots.drawing.parallel_view import draw_triad, screen, triad
from flexarm.plots.drawing.planarity import is_spatial_shape
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, new_figure, styled
from flexarm.plots.drawing.views import PLANE, Rods, draw_arm, plane_axes, plane_size
from flexarm.results.result import Result


def is_equilibrium(result: Result) -> bool:
    """Return whether the result is a static equilibrium."""
    return result.kind == "equilibrium"


@styled
def equilibrium_shape(result: Result) -> Figure:
    """Draw the bent arm over the undeformed one."""
    equations, magnification = motion_equations(result.arm), visible_magnification(result)
    straight, arm = (bent(equations, result.theta(), factor)[0] for factor in (0, magnification))
    title = f"static equilibrium, {result.attributes['stability']}; grey: straight links"
    if magnification > 1:
        title += f"\ndeflections drawn {magnification} times larger"
    both = np.stack([straight, arm])
    directions = screen(both, result.arm.gravity)
    drawn = both @ directions.T
    rods = Rods.of(result.arm).seen(directions)
    base = rods.base if result.arm.base == "fixed" else drawn[1, 0, 0]
    wide, high = plane_size(np.vstack([drawn.reshape(-1, 2), base]))
    figure = new_figure(result, title, height=high + 0.9, width=wide + 1.5)
    axes = figure.subplots()
    for shape, colour in zip(drawn, (QUIET, COLOURS[0]), strict=True):
        draw_arm(axes, shape, PLANE, colour, colour != QUIET, rods)
    if is_spatial_shape(both):
        axes.set_aspect("equal", adjustable="datalim")
        draw_triad(axes, base, triad(base, max(np.ptp(drawn, axis=(0, 1, 2))), directions))
    else:
        plane_axes(axes, PLANE)
    if result.arm.base == "fixed":
        axes.plot(*base, "s", color=INK, markersize=6.0, zorder=6)
    return figure

"""Stroboscopic picture: the arm's shape over time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from flexarm.formulations.motion_equations import MotionEquations, motion_equations
from flexarm.plots.drawing.decimation import envelope
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

SHAPES = 30
POINTS_PER_LINK = 21
TRACE_POINTS = 3000
ABOVE, BELOW = 0.55, 3.7
"""Room [inch] above and below the picture in space: for the title, and for projections and the bar of colours."""
VISIBLE = 0.06
"""Deflection, as a part of the link's length, that is seen at a glance."""
RESTING = 0.03
"""Speed of the fastest point, as a part of its largest, below which an arm counts as resting."""
MAGNIFICATIONS = (1000, 500, 200, 100, 50, 20, 10, 5)


@dataclass(frozen=True)
class ArmShapes:
    """Bent arms.

    Attributes
    ----------
    time : ndarray, (k,) [s]
    lines : ndarray, (k, n_links, stations, 3) [m]
        Points of the links' deflected centre lines.
    trace : ndarray, (samples, 3) [m]
        Path of the tip as it is, whatever the magnification.
    magnification : int
        By how much the deflections of the lines were multiplied, so that they can be seen.
    """

    time: np.ndarray
    lines: np.ndarray
    trace: np.ndarray
    magnification: int


def shapes(result: Result, count: int = SHAPES) -> ArmShapes:
    """Return the bent arm at up to `count` instants: the first, the last, and some spread evenly over when it moves."""
    return shapes_at(result, moving_samples(result, count))


def shapes_at(result: Result, samples: np.ndarray) -> ArmShapes:
    """Return the bent arm at some samples (k,)."""
    equations, magnification = motion_equations(result.arm), visible_magnification(result)
    lines = bent(equations, result.theta(samples), magnification)
    _, trace = tip_trace(result, equations)
    return ArmShapes(result.rows("time", samples), lines, trace, magnification)


def bent(
    equations: MotionEquations, theta: np.ndarray, magnification: float, stations: int = POINTS_PER_LINK
) -> np.ndarray:
    """Return the deflected centre lines of the links in postures theta (k, n_theta): (k, n_links, stations, 3) [m].

    The modal amplitudes are multiplied by `magnification`.
    """
    modes = list(equations.coordinates.all_modes)
    theta = theta.copy()
    theta[:, modes] *= magnification
    return equations.shape(theta, stations)


def tip_trace(result: Result, equations: MotionEquations) -> tuple[np.ndarray, np.ndarray]:
    """Return times (k,) [s] and positions (k, 3) [m] of the tip as it is, at samples spread evenly over the run."""
    samples = _spread(result, TRACE_POINTS)
    return result.rows("time", samples), tips(equations, result.theta(samples))


def tips(equations: MotionEquations, theta: np.ndarray) -> np.ndarray:
    """Return the positions of the tip (k, 3) [m] in postures theta (k, n_theta)."""
    return bent(equations, theta, 1.0, stations=2)[:, -1, -1]


def magnified(magnification: float) -> str:
    """What a title says of deflections that are drawn larger; nothing where they are not."""
    if magnification == 1:
        return ""
    return f"deflections drawn {magnification:g} times larger; true path of the tip"


def visible_magnification(result: Result) -> int:
    """Return by how much to multiply deflections so that they show; 1 if they do, there are none, or walls.

    An arm drawn with larger deflections would stand inside the walls that it touches.
    """
    if result.arm.contact is not None:
        return 1
    _, deflections = envelope(result, "link_deflection")
    lengths = np.array([link.length for link in result.arm.links])
    bends = lengths > 0
    largest = np.max(np.abs(deflections[:, bends]) / lengths[bends, None, None], initial=0.0)
    fitting = (factor for factor in MAGNIFICATIONS if 0 < factor * largest <= VISIBLE)
    return next(fitting, 1)


@styled
def stroboscope(result: Result) -> Figure:
    """Draw the bent arm at instants spread over the run, coloured by time, and the path of its tip."""
    arms = shapes(result)
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


def _spread(result: Result, count: int) -> np.ndarray:
    return np.unique(np.linspace(0, result.n_samples - 1, count).round().astype(int))


def moving_samples(result: Result, count: int) -> np.ndarray:
    """Return up to `count` samples: the first, the last, and some spread evenly over when the arm moves."""
    samples = _spread(result, TRACE_POINTS)
    speed = np.linalg.norm(result.rows("point_velocity", samples), axis=-1).max(axis=-1)
    moving = samples[speed > RESTING * speed.max(initial=0.0)] if speed.size else samples
    if not moving.size:
        return np.unique(samples[[0, -1]])
    chosen = moving[np.linspace(0, moving.size - 1, count - 2).round().astype(int)]
    return np.unique([samples[0], *chosen, samples[-1]])

"""The arm's shape over time, as a stroboscope would show it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d import Axes3D

from flexarm.codegen.motion_equations import motion_equations
from flexarm.plots.contact import draw_walls, drawn_extent
from flexarm.plots.decimation import envelope
from flexarm.plots.style import INK, QUIET, TIME_COLOURS, new_figure, styled
from flexarm.plots.tip import AXES, is_spatial
from flexarm.simulation.result import Result

SHAPES = 30
STATIONS = 21
TRACE_POINTS = 3000
VISIBLE = 0.06
"""Deflection, as a part of the link's length, that is seen at a glance."""
MAGNIFICATIONS = (1000, 500, 200, 100, 50, 20, 10, 5)


@dataclass(frozen=True)
class Shapes:
    """Bent arms.

    Attributes
    ----------
    time : ndarray, (k,) [s]
    lines : ndarray, (k, n_links, stations, 3) [m]
        Points of the links' deflected centre lines.
    trace : ndarray, (samples, 3) [m]
        Positions of the tip in between.
    magnification : int
        By how much the deflections were multiplied, so that they can be seen.
    """

    time: np.ndarray
    lines: np.ndarray
    trace: np.ndarray
    magnification: int


def shapes(result: Result, count: int = SHAPES) -> Shapes:
    """Return the bent arm at `count` instants spread evenly over the run."""
    equations, magnification = motion_equations(result.arm), visible_magnification(result)
    modes = list(equations.coordinates.all_modes)

    def shape(samples: np.ndarray, stations: int) -> np.ndarray:
        theta = result.theta(samples)
        theta[:, modes] *= magnification
        return equations.shape(theta, stations)

    samples = _spread(result, count)
    trace = shape(_spread(result, TRACE_POINTS), 2)[:, -1, -1]
    return Shapes(result.rows("time", samples), shape(samples, STATIONS), trace, magnification)


def visible_magnification(result: Result) -> int:
    """Return by how much to multiply deflections so that they show; 1 if they do, there are none, or walls.

    An arm drawn with larger deflections would stand inside the walls that it touches.
    """
    if result.arm.contact is not None:
        return 1
    _, deflections = envelope(result, "link_deflection")
    lengths = np.array([link.length for link in result.arm.links])
    largest = np.max(np.abs(deflections) / lengths[:, None, None])
    fitting = (factor for factor in MAGNIFICATIONS if 0 < factor * largest <= VISIBLE)
    return next(fitting, 1)


@styled
def stroboscope(result: Result) -> Figure:
    """Draw the bent arm at instants spread over the run, coloured by time, and the path of its tip."""
    arms = shapes(result)
    title = "the arm over time"
    if arms.magnification > 1:
        title += f"\ndeflections drawn {arms.magnification} times larger"
    colours = ScalarMappable(Normalize(arms.time[0], max(arms.time[-1], arms.time[0] + 1e-9)), TIME_COLOURS)
    if is_spatial(result):
        figure = new_figure(result, title, height=6.4)
        grid = figure.add_gridspec(2, 2, height_ratios=(1.6, 1.0))
        space = _space_axes(figure, grid[0, :], arms.lines, _upright(result.arm.gravity))
        views = [space, figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])]
        planes = ([0, 1, 2], [0, 1], [0, 2])
    else:
        wide, high = _plane_size(arms, drawn_extent(result))
        figure = new_figure(result, title, height=high + 0.9, width=wide + 1.5)
        views, planes = [figure.subplots()], ([0, 1],)
    for axes, plane in zip(views, planes, strict=True):
        _draw_arms(axes, arms, colours, plane)
        if plane == [0, 1]:
            draw_walls(axes, result, float(np.ptp(arms.lines[..., :2], axis=(0, 1, 2)).max()))
        if result.arm.base == "fixed":
            axes.plot(*arms.lines[0, 0, :1, plane], "s", color=INK, markersize=6.0, zorder=6)
    bar = figure.colorbar(colours, ax=views, label="time (s)", aspect=40, pad=0.02)
    bar.outline.set_visible(False)
    return figure


def _spread(result: Result, count: int) -> np.ndarray:
    return np.unique(np.linspace(0, result.n_samples - 1, count).round().astype(int))


def _plane_size(arms: Shapes, besides: np.ndarray) -> tuple[float, float]:
    """Return width and height [inch] of axes that equal scales fill, within reason, points (k, 2) besides included."""
    points = np.concatenate([arms.lines[..., :2].reshape(-1, 2), arms.trace[:, :2], besides])
    extent = np.ptp(points, axis=0)
    wide, high = 4.8 * extent / max(*extent, 1e-9)
    return max(wide, 3.0), max(high, 2.2)


def _draw_arms(axes: Axes, arms: Shapes, colours: ScalarMappable, plane: list[int]) -> None:
    """Draw the arms in space or projected on a plane; the first and the last one stand out."""
    axes.plot(*arms.trace[:, plane].T, color=QUIET, linewidth=0.5, zorder=1)
    for i, (instant, arm) in enumerate(zip(arms.time, arms.lines, strict=True)):
        colour, at_end = colours.to_rgba(instant), i in (0, len(arms.time) - 1)
        for link in arm:
            axes.plot(
                *link[:, plane].T, color=colour, linewidth=2.2 if at_end else 0.9, zorder=4 if at_end else 2
            )
        joints = np.vstack([arm[:, 0], arm[-1:, -1]])
        axes.plot(
            *joints[:, plane].T,
            "o",
            color=colour,
            markersize=4.0 if at_end else 2.2,
            zorder=5 if at_end else 3,
            markeredgecolor=INK,
            markeredgewidth=0.6 if at_end else 0.0,
        )
    if len(plane) == 2:
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.06)
    labelpad = 4 if len(plane) == 2 else -4
    axes.set_xlabel(f"{AXES[plane[0]]} (m)", labelpad=labelpad)
    axes.set_ylabel(f"{AXES[plane[1]]} (m)", labelpad=labelpad)


def _space_axes(figure: Figure, place: SubplotSpec, lines: np.ndarray, up: str) -> Axes3D:
    """Return quiet axes in space with equal scales that hold all arms, seen with the axis `up` upright."""
    axes = figure.add_subplot(place, projection="3d")
    lowest, highest = lines.reshape(-1, 3).min(axis=0), lines.reshape(-1, 3).max(axis=0)
    margin = 0.03 * np.max(highest - lowest)
    bounds = np.stack([lowest - margin, highest + margin], axis=1)
    axes.set(xlim=bounds[0], ylim=bounds[1], zlim=bounds[2])
    axes.set_zlabel("z (m)", labelpad=-4)
    axes.set_box_aspect(np.diff(bounds, axis=1)[:, 0], zoom=1.2)  # pyright: ignore[reportArgumentType]
    axes.view_init(elev=22, azim=30 if up == "y" else -60, vertical_axis=up)  # x runs to the right
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(MaxNLocator(4))
        axis.set_tick_params(pad=-2)
    return axes


def _upright(gravity: tuple[float, float, float]) -> str:
    """Return the axis along which gravity acts most; z where there is none."""
    return AXES[int(np.argmax(np.abs(gravity)))] if any(gravity) else "z"

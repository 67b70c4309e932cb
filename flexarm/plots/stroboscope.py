"""The arm's shape over time, as a stroboscope would show it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d import Axes3D

from flexarm.codegen.motion_equations import motion_equations
from flexarm.plots.decimation import path
from flexarm.plots.style import INK, QUIET, TIME_COLOURS, new_figure, styled
from flexarm.plots.tip import AXES, is_spatial
from flexarm.simulation.result import Result

SHAPES = 30
STATIONS = 21


def shapes(result: Result, count: int = SHAPES) -> tuple[np.ndarray, np.ndarray]:
    """Return the bent arm at `count` instants spread evenly over the run.

    Returns
    -------
    time : ndarray, (k,) [s]
    lines : ndarray, (k, n_links, stations, 3) [m]
        Points of the links' deflected centre lines.
    """
    samples = np.unique(np.linspace(0, result.n_samples - 1, count).round().astype(int))
    lines = motion_equations(result.arm).shape(result.theta(samples), stations=STATIONS)
    return result.rows("time", samples), lines


@styled
def stroboscope(result: Result) -> Figure:
    """Draw the bent arm at instants spread over the run, coloured by time, and the path of its tip."""
    time, lines = shapes(result)
    _, tip = path(result)
    spatial = is_spatial(result)
    figure = new_figure(result, "the arm over time", height=4.6 if spatial else _plane_height(lines, tip))
    colours = ScalarMappable(Normalize(time[0], max(time[-1], time[0] + 1e-9)), TIME_COLOURS)
    if spatial:
        grid = figure.add_gridspec(2, 2, width_ratios=(1.8, 1.0))
        views = [
            _space_axes(figure, grid[:, 0], lines, _upright(result.arm.gravity)),
            figure.add_subplot(grid[0, 1]),
            figure.add_subplot(grid[1, 1]),
        ]
        planes = ((0, 1, 2), (0, 1), (0, 2))
    else:
        views, planes = [figure.subplots()], ((0, 1),)
    for axes, plane in zip(views, planes, strict=True):
        _draw_arms(axes, time, lines, tip, colours, list(plane))
    bar = figure.colorbar(colours, ax=views, label="time (s)", aspect=40, pad=0.02)
    bar.outline.set_visible(False)
    return figure


def _plane_height(lines: np.ndarray, tip: np.ndarray) -> float:
    """Return the height [inch] at which equal scales fill the figure, within reason."""
    points = np.concatenate([lines.reshape(-1, 3), tip])
    wide, high, _ = np.ptp(points, axis=0)
    return 0.9 + float(np.clip(5.0 * high / max(wide, 1e-9), 2.2, 5.6))


def _draw_arms(axes: Axes, time, lines, tip, colours: ScalarMappable, plane: list[int]) -> None:
    """Draw the arms in space or projected on a plane; the first and the last one stand out."""
    axes.plot(*tip[:, plane].T, color=QUIET, linewidth=0.5, zorder=1)
    for i, (instant, arm) in enumerate(zip(time, lines, strict=True)):
        colour, at_end = colours.to_rgba(instant), i in (0, len(time) - 1)
        for link in arm:
            axes.plot(
                *link[:, plane].T, color=colour, linewidth=2.2 if at_end else 0.9, zorder=4 if at_end else 2
            )
        joints = np.vstack([arm[:, 0], arm[-1:, -1]])
        edge = {"markeredgecolor": INK, "markeredgewidth": 0.6} if at_end else {"markeredgewidth": 0.0}
        axes.plot(
            *joints[:, plane].T,
            "o",
            color=colour,
            markersize=4.0 if at_end else 2.2,
            zorder=5 if at_end else 3,
            **edge,
        )
    axes.plot(*lines[0, 0, :1, plane], "s", color=INK, markersize=6.0, zorder=6)
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
    axes.set_box_aspect(np.diff(bounds, axis=1)[:, 0], zoom=1.05)
    axes.view_init(elev=22, azim=30 if up == "y" else -60, vertical_axis=up)  # x runs to the right
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_pane_color((1.0, 1.0, 1.0, 0.0))
        axis.line.set_color(QUIET)
        axis.set_major_locator(MaxNLocator(4))
        axis.set_tick_params(pad=-2)
    return axes


def _upright(gravity: tuple[float, float, float]) -> str:
    """Return the axis along which gravity acts most; z where there is none."""
    return AXES[int(np.argmax(np.abs(gravity)))] if any(gravity) else "z"

"""Axes that show an arm from the side or in space, and the drawing of one bent arm in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator
from mpl_toolkits.mplot3d import Axes3D
from mpl_toolkits.mplot3d.proj3d import proj_transform

from flexarm.description.arm.arm import Arm
from flexarm.model.parts.joint import JointModel
from flexarm.plots.drawing.style import INK
from flexarm.results.dimensions import AXES

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

PLANE, SPACE = [0, 1], [0, 1, 2]
"""Coordinates that a view shows."""
FILLED = 0.8
"""Part of their width or height that axes in space fill; the rest is for their labels."""
THIN = 0.15
"""Part of the longest side of axes in space below which a side has no room for ticks and a label."""
ROD = (0, (1.5, 1.0))
"""Line style of what joins links that do not begin where the one before ends."""
LONGER_SIDE = 4.8  # inches, of axes in the plane


def plane_size(points: np.ndarray) -> tuple[float, float]:
    """Return width and height [inch] of axes that points (k, 2) [m] fill at equal scales, within reason."""
    extent = np.ptp(points, axis=0)
    wide, high = LONGER_SIDE * extent / max(*extent, 1e-9)
    return max(wide, 3.0), max(high, 2.2)


def plane_axes(axes: Axes, view: list[int]) -> None:
    """Give axes equal scales and label them with the coordinates that they show."""
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.06)
    label_axes(axes, view, labelpad=4)


def label_axes(axes: Axes, view: list[int], labelpad: float) -> None:
    """Label the first two axes."""
    axes.set_xlabel(f"{AXES[view[0]]} (m)", labelpad=labelpad)
    axes.set_ylabel(f"{AXES[view[1]]} (m)", labelpad=labelpad)


def space_axes(figure: Figure, points: np.ndarray, up: str) -> Axes3D:
    """Return quiet axes in space with equal scales that hold all points (.., 3) [m], seen with the axis `up` upright.

    They take the largest square of the figure's width, from which :func:`crop_space` cuts what they leave empty.
    """
    axes = cast(Axes3D, figure.add_axes((0, 0, 1, 1), projection="3d"))
    lowest, highest = points.reshape(-1, 3).min(axis=0), points.reshape(-1, 3).max(axis=0)
    margin = 0.03 * np.max(highest - lowest)
    bounds = np.stack([lowest - margin, highest + margin], axis=1)
    axes.set(xlim=bounds[0], ylim=bounds[1], zlim=bounds[2])
    axes.set_zlabel("z (m)", labelpad=0)
    axes.view_init(elev=22, azim=30 if up == "y" else -60, vertical_axis=up)  # x runs to the right
    zoom = 1.0
    for _ in range(3):  # nearer is larger, so that the size is not proportional to the zoom
        axes.set_box_aspect(np.diff(bounds, axis=1)[:, 0], zoom=zoom)  # pyright: ignore[reportArgumentType]
        zoom *= FILLED / np.ptp(seen_corners(axes), axis=0).max()
    parts = np.ptp(bounds, axis=1) / np.ptp(bounds, axis=1).max()
    for axis, part in zip((axes.xaxis, axes.yaxis, axes.zaxis), parts, strict=True):
        axis.set_major_locator(MaxNLocator(max(2, round(4 * part))) if part > THIN else NullLocator())
        axis.set_tick_params(pad=1 if axis is axes.zaxis else -2)
    label_axes(axes, SPACE, labelpad=2)
    for axis, part in zip((axes.xaxis, axes.yaxis, axes.zaxis), parts, strict=True):
        axis.label.set_visible(part > THIN)
    return axes


def seen_corners(axes: Axes3D) -> np.ndarray:
    """Return where the corners of axes in space appear, (8, 2), as parts of the axes' width and height."""
    x, y, z = np.array(list(product(*np.reshape(axes.get_w_lims(), (3, 2))))).T
    x, y, _ = proj_transform(x, y, z, axes.get_proj())
    return axes.transLimits.transform(np.stack([x, y], axis=1))


def crop_space(axes: Axes3D, above: float, below: float) -> None:
    """Make a figure that axes in space fill as high as they appear, with room [inch] above and below."""
    figure = cast(Figure, axes.figure)
    figure.set_layout_engine("none")
    width = figure.get_figwidth()
    corners = width * seen_corners(axes)
    middle, height = (corners.min(axis=0) + corners.max(axis=0)) / 2, np.ptp(corners[:, 1])
    high = below + height + above
    figure.set_figheight(high)
    left, bottom = width / 2 - middle[0], below + height / 2 - middle[1]
    axes.set_position((left / width, bottom / high, 1.0, width / high))


def upright(gravity: tuple[float, float, float]) -> str:
    """Return the axis along which gravity acts most; z where there is none."""
    return AXES[int(np.argmax(np.abs(gravity)))] if any(gravity) else "z"


@dataclass(frozen=True)
class Rods:
    """Rods that join links which do not begin where the one before ends: of prismatic joints, and of placed ones.

    Attributes
    ----------
    joints : tuple of int
        Joints with a rod, counted from 0.
    base : (d,) [m]
        Where joint 1 of an arm on a fixed base is placed, d = 3, or in the axes of a picture.
    """

    joints: tuple[int, ...]
    base: np.ndarray

    @classmethod
    def of(cls, arm: Arm) -> Rods:
        """Rods of an arm."""
        joints = [JointModel.of(joint) for joint in arm.joints]  # pyright: ignore[reportArgumentType]
        apart = [model.motion.shift != 0 or any(model.offset) for model in joints]
        apart[0] = arm.base == "fixed" and joints[0].motion.shift != 0
        return cls(tuple(i for i, one in enumerate(apart) if one), joints[0].transform(0.0)[1])

    def seen(self, directions: np.ndarray) -> Rods:
        """Return the rods as a picture in these directions (2, 3) shows them."""
        return replace(self, base=directions @ self.base)

    def points(self, arm: np.ndarray) -> np.ndarray:
        """Return the ends of the rods of a bent arm (n_links, stations, d) [m], gaps of NaN between them, (3 k, d)."""
        ends = np.vstack([self.base[None], arm[:-1, -1]])
        rods = np.stack([ends, arm[:, 0], np.full_like(ends, np.nan)], axis=1)
        return rods[list(self.joints)].reshape(-1, arm.shape[-1])


def draw_arm(
    axes: Axes, arm: np.ndarray, view: list[int], colour: object, stands_out: bool, rods: Rods
) -> list[Line2D]:
    """Draw one bent arm, links as lines and joints as dots, in space or projected on a plane.

    Parameters
    ----------
    axes : Axes
    arm : (n_links, stations, 3) [m]
    view : list of int
        Coordinates that the axes show.
    colour : colour
    stands_out : bool
        Whether it is drawn heavier than others in the same axes, and over them.
    rods : Rods

    Returns
    -------
    list of Line2D
        What :func:`move_arm` moves.
    """
    width, size, edge, above = (2.2, 4.0, 0.6, 2) if stands_out else (0.9, 2.2, 0.0, 0)
    lines = []
    if rods.joints:
        points = rods.points(arm)[:, view].T
        lines += axes.plot(*points, color=colour, linewidth=0.5 * width, linestyle=ROD, zorder=1.5 + above)  # pyright: ignore[reportArgumentType]
    for link in arm:
        lines += axes.plot(*link[:, view].T, color=colour, linewidth=width, zorder=2 + above)  # pyright: ignore[reportArgumentType]
    lines += axes.plot(
        *_joints(arm)[:, view].T,
        "o",
        color=colour,
        markersize=size,
        zorder=3 + above,
        markeredgecolor=INK,
        markeredgewidth=edge,
    )
    return lines


def move_arm(lines: Sequence[Line2D], arm: np.ndarray, view: list[int], rods: Rods) -> None:
    """Put the lines of a drawn arm where another arm (n_links, stations, 3) [m] is."""
    apart = [rods.points(arm)] if rods.joints else []
    for line, points in zip(lines, [*apart, *arm, _joints(arm)], strict=True):
        move_line(line, points, view)


def move_line(line: Line2D, points: np.ndarray, view: list[int]) -> None:
    """Lay a line through points (k, 3) [m], in space or projected on a plane."""
    if view == SPACE:
        line.set_data_3d(*points.T)  # pyright: ignore[reportAttributeAccessIssue]
    else:
        line.set_data(*points[:, view].T)


def _joints(arm: np.ndarray) -> np.ndarray:
    return np.vstack([arm[:, 0], arm[-1:, -1]])

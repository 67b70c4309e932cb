"""Walls in the plane and impacts in time, for the pictures of flights."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Annulus, Polygon

from flexarm.description.arm.walls import HalfPlane, WallCircle
from flexarm.plots.drawing.style import INK, QUIET
from flexarm.results.result import Result

SHADE = "#dcdcdc"
THICKNESS = 0.03
"""Of the shaded band that a wall is, as a part of the picture."""
MOST_MARKS = 300
"""Impacts marked in a picture; of more, some that are spread evenly."""


INSTANTS = ("impact_time", "limit_impact_time", "motion_impulse_time")
"""Datasets of the times of impacts, and of impulses of prescribed motions."""


def mark_impacts(stacked: Iterable[Axes], result: Result) -> None:
    """Mark impacts with walls and limits, and impulses of prescribed motions, by upright lines in axes over time."""
    found = [result[name] for name in INSTANTS if name in result]
    if not found:
        return
    times = np.unique(np.concatenate(found))
    times = times[:: max(1, -(-times.size // MOST_MARKS))]
    for axes in stacked:
        lines = [[(t, 0.0), (t, 1.0)] for t in times]
        marks = LineCollection(
            lines, colors=QUIET, linewidths=0.5, alpha=0.6, zorder=1.2, transform=axes.get_xaxis_transform()
        )
        marks.set_gid("impacts")
        axes.add_collection(marks, autolim=False)


def drawn_extent(result: Result) -> np.ndarray:
    """Corners (k, 2) [m] that a picture of the plane shows besides the arm: all of a circle around it."""
    walls = result.arm.contact.walls if result.arm.contact else ()
    circles = [wall.circle for wall in walls if not isinstance(wall, HalfPlane)]
    corners = [
        np.add(circle.center[:2], sign * circle.radius)
        for circle in circles
        if circle.side == "inside"
        for sign in (-1, 1)
    ]
    return np.array(corners).reshape(-1, 2)


def draw_walls(axes: Axes, result: Result, size: float) -> None:
    """Draw the walls into axes of the xy plane whose picture has this size [m]; the arm keeps to the line's side."""
    contact = result.arm.contact
    for wall in contact.walls if contact else ():
        if isinstance(wall, HalfPlane):
            _draw_half_plane(axes, np.array(wall.point[:2]), np.array(wall.normal[:2]), size)
        else:
            _draw_circle(axes, wall.circle, size)


def _draw_half_plane(axes: Axes, point: np.ndarray, normal: np.ndarray, size: float) -> None:
    if not normal.any():  # it is parallel to the plane
        return
    normal = normal / np.linalg.norm(normal)
    along = np.array([normal[1], -normal[0]])
    # from the place of the wall next to the arms far beyond the picture
    middle = point + (axes.dataLim.min - point) @ along * along
    ends = np.array([middle - 20 * size * along, middle + 20 * size * along])
    corners = np.vstack([ends, (ends - THICKNESS * size * normal)[::-1]])
    band = Polygon(corners, facecolor=SHADE, linewidth=0, zorder=0.5)
    # artists, not plots: the picture shows the arm and what of the wall is near it
    for artist in (band, Line2D(*ends.T, color=INK, linewidth=1.0, zorder=1.0, gid="wall")):
        axes.add_artist(artist).set_in_layout(False)


def _draw_circle(axes: Axes, circle: WallCircle, size: float) -> None:
    angle = np.linspace(0, 2 * np.pi, 361)
    outline = np.array(circle.center[:2])[:, None] + circle.radius * np.array([np.cos(angle), np.sin(angle)])
    inside = circle.side == "inside"
    if inside:
        axes.update_datalim(outline.T)
    axes.add_artist(Line2D(*outline, color=INK, linewidth=1.0, zorder=1.0, gid="wall"))
    thickness = min(THICKNESS * size, circle.radius / 2)
    outer = circle.radius + (thickness if inside else 0.0)
    center = (circle.center[0], circle.center[1])
    axes.add_artist(Annulus(center, outer, thickness, facecolor=SHADE, linewidth=0, zorder=0.5))

"""Walls in the plane and impacts in time, for the pictures of flights."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Annulus, Polygon

from flexarm.plots.style import INK, QUIET
from flexarm.simulation.result import Result
from flexarm.spec.contact import Circle, HalfPlane

SHADE = "#dcdcdc"
THICKNESS = 0.03
"""Of the shaded band that a wall is, as a part of the picture."""
MOST_MARKS = 300
"""Impacts marked in a picture; of more, some that are spread evenly."""


def mark_impacts(stacked: Iterable[Axes], result: Result) -> None:
    """Mark the impacts by upright lines in axes over time."""
    if "impact_time" not in result:
        return
    times = np.unique(result["impact_time"])
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
    contact = result.arm.contact
    corners = [
        np.add(circle.center[:2], sign * circle.radius)
        for circle in (wall.circle for wall in (contact.walls if contact else ()) if not isinstance(wall, HalfPlane))
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
    # far beyond the picture on both sides, around the place of the wall that is next to the arms
    middle = point + (np.array([axes.dataLim.x0, axes.dataLim.y0]) - point) @ [normal[1], -normal[0]] * np.array(
        [normal[1], -normal[0]]
    )
    along = 20 * size * np.array([normal[1], -normal[0]])
    ends = np.array([middle - along, middle + along])
    band = Polygon(np.vstack([ends, (ends - THICKNESS * size * normal)[::-1]]), facecolor=SHADE, linewidth=0, zorder=0.5)
    axes.add_artist(band)
    (line,) = axes.plot(*ends.T, color=INK, linewidth=1.0, zorder=1.0, scalex=False, scaley=False, gid="wall")
    line.set_in_layout(False)


def _draw_circle(axes: Axes, circle: Circle, size: float) -> None:
    angle = np.linspace(0, 2 * np.pi, 361)
    outline = np.array(circle.center[:2])[:, None] + circle.radius * np.array([np.cos(angle), np.sin(angle)])
    inside = circle.side == "inside"
    axes.plot(*outline, color=INK, linewidth=1.0, zorder=1.0, scalex=inside, scaley=inside, gid="wall")
    thickness = min(THICKNESS * size, circle.radius / 2)
    outer = circle.radius + (thickness if inside else 0.0)
    center = (circle.center[0], circle.center[1])
    axes.add_artist(Annulus(center, outer, thickness, facecolor=SHADE, linewidth=0, zorder=0.5))

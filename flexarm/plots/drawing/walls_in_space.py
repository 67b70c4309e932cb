"""Walls in space: the part of a plane or of a cylinder that lies in the picture."""

from __future__ import annotations

from itertools import product

import numpy as np
from mpl_toolkits.mplot3d import Axes3D
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from flexarm.description.arm.walls import HalfPlane, WallCircle
from flexarm.plots.drawing.style import QUIET
from flexarm.plots.drawing.walls import SHADE
from flexarm.results.result import Result

SIDES = 90
"""Flat strips that a cylinder is drawn as."""
EDGES = [(i, j) for j in range(8) for i in range(j) if (i ^ j) in (1, 2, 4)]
"""Pairs of corners of a box, counted as itertools.product does, that differ in one coordinate."""


def draw_walls_in_space(axes: Axes3D, result: Result) -> None:
    """Draw the walls into axes whose limits are set."""
    box = np.reshape(axes.get_w_lims(), (3, 2))
    contact = result.arm.contact
    for wall in contact.walls if contact else ():
        if isinstance(wall, HalfPlane):
            faces = [plane_in_box(np.array(wall.point), np.array(wall.normal), box)]
        else:
            faces = _strips(wall.circle, box[2])
        lines = QUIET if isinstance(wall, HalfPlane) else "none"
        surface = Poly3DCollection(
            [face for face in faces if len(face)], facecolor=SHADE, edgecolor=lines, linewidth=0.6, alpha=0.35
        )
        surface.set_gid("wall")
        axes.add_collection3d(surface, autolim=False)


def plane_in_box(point: np.ndarray, normal: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Return the corners (k, 3) [m], in order, of the part of a plane that lies in a box (3, 2) [m]; k = 0 if none.

    Parameters
    ----------
    point, normal : (3,)
        The plane.
    box : (3, 2)
        Lowest and highest coordinates.
    """
    corners = np.array(list(product(*box)))
    height = (corners - point) @ normal
    found = []
    for i, j in EDGES:
        if min(height[i], height[j]) <= 0 <= max(height[i], height[j]) and height[i] != height[j]:
            part = height[i] / (height[i] - height[j])
            found.append(corners[i] + part * (corners[j] - corners[i]))
    if len(found) < 3:
        return np.empty((0, 3))
    points = np.array(found)
    along = np.linalg.svd(normal[None])[2][1:]  # two directions in the plane
    flat = (points - points.mean(axis=0)) @ along.T
    return points[np.argsort(np.arctan2(flat[:, 1], flat[:, 0]))]


def _strips(circle: WallCircle, heights: np.ndarray) -> list[np.ndarray]:
    """The strips (4, 3) [m] of a cylinder about an axis along z, between two heights [m]."""
    angle = np.linspace(0, 2 * np.pi, SIDES + 1)
    ring = np.array(circle.center[:2]) + circle.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    low, high = (np.column_stack([ring, np.full(len(ring), height)]) for height in heights)
    return [np.array([low[i], low[i + 1], high[i + 1], high[i]]) for i in range(SIDES)]

"""Spatial arms in parallel projection: small pictures without scales, a triad of axes at the arm's start."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from flexarm.plots.drawing.planarity import is_spatial_shape
from flexarm.plots.drawing.style import QUIET
from flexarm.plots.drawing.views import upright
from flexarm.results.dimensions import AXES

ELEVATION, AZIMUTH = np.radians(25), np.radians(-55)
TRIAD = 0.15
"""Length of the triad's axes, of the picture's size."""


def screen(points: np.ndarray, gravity: tuple[float, float, float]) -> np.ndarray:
    """Directions to the right and upwards of a picture of points (.., 3), (2, 3): of the xy plane if all are in it."""
    if not is_spatial_shape(points):
        return np.eye(2, 3)
    right, across, vertical = np.roll(np.eye(3), AXES.index(upright(gravity)) + 1, axis=0)
    away = np.cos(AZIMUTH) * right + np.sin(AZIMUTH) * across
    upwards = np.cos(ELEVATION) * vertical - np.sin(ELEVATION) * away
    return np.stack([np.cross(vertical, away), upwards])


def fit(axes: Axes, points: np.ndarray) -> None:
    """Give axes equal scales and the limits that hold all points (.., 2) [m]."""
    lowest, highest = points.reshape(-1, 2).min(axis=0), points.reshape(-1, 2).max(axis=0)
    margin = 0.06 * np.max(highest - lowest)
    (left, bottom), (right, top) = lowest - margin, highest + margin
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_aspect("equal", adjustable="box")


def triad(start: np.ndarray, size: float, directions: np.ndarray) -> np.ndarray:
    """Return the ends (3, 2) [m] of the axes x, y and z that a picture of this size [m] shows at a point (2,) [m].

    Directions (2, 3) are those of :func:`screen`.
    """
    return start + TRIAD * size * directions.T


def draw_triad(axes: Axes, start: np.ndarray, ends: np.ndarray) -> None:
    """Draw the axes x, y and z from their start (2,) to their ends (3, 2) [m], without scales around them."""
    axes.set_axis_off()
    for name, end in zip(AXES, ends, strict=True):
        axes.plot(*np.stack([start, end]).T, color=QUIET, linewidth=0.7, zorder=1)
        place = start + 1.2 * (end - start)
        axes.annotate(name, place, color=QUIET, ha="center", va="center", fontsize=6.5, annotation_clip=False)

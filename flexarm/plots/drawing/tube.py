"""Tube around a path: all places that are no further from it than a distance."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, PolyCollection

FILL = "#dcdcdc"
CORNERS = 400
"""Points of the path between which the tube is straight, at most."""


def draw_tube(axes: Axes, path: np.ndarray, radius: float) -> None:
    """Draw what a tube in space looks like along an axis: a band around the projected path, with round ends.

    Parameters
    ----------
    path : (k, 2) [m]
    radius : float [m]
    """
    points = path[np.unique(np.linspace(0, len(path) - 1, CORNERS).round().astype(int))]
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    moves = lengths > 0
    across = radius * np.stack([-steps[moves, 1], steps[moves, 0]], axis=1) / lengths[moves, None]
    first, last = points[:-1][moves], points[1:][moves]
    bands = np.stack([first + across, last + across, last - across, first - across], axis=1)
    style = {"facecolor": FILL, "edgecolor": FILL, "linewidth": 0.2, "zorder": 1}
    axes.add_collection(PolyCollection(list(bands), gid="tube", label="allowed", **style))
    sizes = np.full(len(points), 2 * radius)
    axes.add_collection(
        EllipseCollection(
            sizes, sizes, np.zeros(len(points)), units="xy", offsets=points, offset_transform=axes.transData,
            gid="tube ends", **style,
        )
    )  # fmt: skip
    axes.update_datalim(np.concatenate([points - radius, points + radius]))

"""Whether an arm leaves the xy plane: then it is drawn in space."""

from __future__ import annotations

import numpy as np

from flexarm.plots.drawing.decimation import envelope
from flexarm.results.result import Result

FLATNESS = 1e-9
"""Of the reach: an arm whose points stay this close to the xy plane is drawn in the plane."""


def is_spatial(result: Result) -> bool:
    """Return whether any point of the arm leaves the xy plane."""
    return is_spatial_shape(envelope(result, "point_position")[1])


def is_spatial_shape(points: np.ndarray) -> bool:
    """Return whether any of the points (.., 3) [m] leaves the xy plane."""
    return bool(np.abs(points[..., 2]).max() > FLATNESS * np.abs(points).max())

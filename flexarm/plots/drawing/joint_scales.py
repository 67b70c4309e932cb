"""Units in which joint coordinates read well: angles in degrees, positions in m, mm or µm."""

from __future__ import annotations

import numpy as np

from flexarm.catalogue import JointType
from flexarm.plots.drawing.style import length_unit


def coordinate_scale(kind: JointType, values: np.ndarray) -> tuple[float, str]:
    """Return the factor from SI units of coordinates (..), or of their rates, and the unit that it leads to."""
    return (float(np.rad2deg(1.0)), "deg") if kind.is_angle else length_unit(values)

"""An instant between stretches of motion, with what is behind it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Crossing(NamedTuple):
    """An instant, and what is behind it on the way of each direction.

    Attributes
    ----------
    dt : (k,) [s]
        Changes of its time.
    after : (k, n_y)
        Derivatives behind it.
    lost : (k,) [J]
        Derivatives of the energy that an impact takes.
    """

    dt: np.ndarray
    after: np.ndarray
    lost: np.ndarray | float = 0.0

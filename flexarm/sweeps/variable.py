"""Named arrays of a sweep: records and series over its points, and values along its dimensions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DONE, FAILED = 0, 1
STATUS_MEANINGS = "done failed"
"""Values of the variable ``status``, and what they mean in the words of the CF conventions."""


@dataclass(frozen=True)
class Variable:
    """A named array.

    Attributes
    ----------
    dims : tuple of str
        Names of its dimensions.
    values : ndarray
    units, long_name : str
    """

    dims: tuple[str, ...]
    values: np.ndarray
    units: str
    long_name: str

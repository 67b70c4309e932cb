"""Exact zeros: the equations of motion are made from the numbers of a chain, and a zero drops out of them.

What vanishes by orthogonality, symmetry or an end condition comes out of floating-point work as 1e-17 or so,
and would be carried along as an instruction for nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.links.shapes.shape_functions import Array

ROUND_OFF = 1e-13
"""Relative to the largest value that could have come out; 20 modes reach 2e-14."""

STIFFNESS_ROUND_OFF = 1e-10
"""The same for stiffness: curvatures of modes from n finite elements lose some n^3 eps (3e-12 for 40).

A coupling this small moves a frequency by 1e-20.
"""


def without_round_off(values: Array, bound: Array, tolerance: float = ROUND_OFF) -> Array:
    """Set to 0.0 what lies within tolerance * bound; values : (...) of any unit, against which bound broadcasts."""
    return np.where(np.abs(values) <= tolerance * bound, 0.0, values)


def round_off_free(value: float) -> float:
    """Snap a sine or cosine to 0, 1 or -1 where it differs only by round-off."""
    nearest = float(round(value))
    return nearest if abs(value - nearest) < 4e-16 else value


def scaled_array(array: Array, factor: Any) -> Any:
    """Multiply an array, (...), by a number or a symbol, of any unit; zeros stay numbers."""
    if isinstance(factor, int | float):
        return array * factor
    product = np.zeros(array.shape, dtype=object)
    for index in zip(*np.nonzero(array), strict=True):
        product[index] = float(array[index]) * factor
    return product

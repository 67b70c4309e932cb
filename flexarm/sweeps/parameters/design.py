"""Design of a sweep: its points as grids, lists and random samples of the varied keys."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.description.sweep.sweep_description import Sampling, SweepDescription
from flexarm.description.sweep.varied_values import Levels, Range, in_radians

POINT = "point"
"""Dimension along which random samples lie."""


@dataclass(frozen=True)
class Axis:
    """One dimension of a sweep.

    Attributes
    ----------
    name : str
        The key, or ``point`` for random samples of one or several keys.
    keys : tuple of str
    values : (n, n_keys)
        In SI units and radians.
    """

    name: str
    keys: tuple[str, ...]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """All points of a sweep: the product of its axes, the last of which runs fastest.

    Attributes
    ----------
    axes : tuple of Axis
        One for every key with levels, in their order, then one for all random samples.
    """

    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, spec: SweepDescription) -> Design:
        """Lay out the points that a sweep asks for."""
        axes = [
            Axis(key, (key,), np.array([[in_radians(value, levels.unit)] for value in levels.values]))
            for key, levels in spec.vary.items()
            if isinstance(levels, Levels)
        ]
        ranges = {key: one for key, one in spec.vary.items() if isinstance(one, Range)}
        if ranges and spec.sample is not None:
            axes.append(Axis(POINT, tuple(ranges), _drawn(list(ranges.values()), spec.sample)))
        return cls(tuple(axes))

    @property
    def keys(self) -> tuple[str, ...]:
        """All varied keys, axis by axis."""
        return tuple(key for axis in self.axes for key in axis.keys)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of points along each axis."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def size(self) -> int:
        """Number of points."""
        return math.prod(self.shape)

    def values(self, points: NDArray[np.intp]) -> NDArray[np.float64]:
        """Values of all keys (k, n_keys), in SI units, at points numbered from 0 (k,)."""
        rows = np.unravel_index(points, self.shape)
        return np.hstack([axis.values[row] for axis, row in zip(self.axes, rows, strict=True)])


def _drawn(ranges: list[Range], sample: Sampling) -> NDArray[np.float64]:
    """Random points of the ranges, (count, n_ranges); those of a logarithmic range are even in the logarithm."""
    from scipy.stats import qmc  # takes half a second to import

    random = np.random.default_rng(sample.seed)
    method = qmc.Sobol if sample.method == "sobol" else qmc.LatinHypercube
    unit = method(len(ranges), seed=random).random(sample.count)  # pyright: ignore  (rng from SciPy 1.15 on)
    return np.column_stack([_stretched(one, column) for one, column in zip(ranges, unit.T, strict=True)])


def _stretched(one: Range, unit: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = in_radians(one.low, one.unit), in_radians(one.high, one.unit)
    return low * (high / low) ** unit if one.log else low + (high - low) * unit

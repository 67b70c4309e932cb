"""Fatigue: cycles of a stress over time, their damage after Miner, and the range that stands for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexarm.arguments import check_number
from flexarm.errors import ModelError, ResultError
from flexarm.links.shapes.shape_functions import Array

INSTALL = "pip install 'flexarm[fatigue]'"
CYCLES = 2e6
"""Cycles at which detail categories of EN 1993-1-9 give the range that is borne."""


@dataclass(frozen=True)
class WoehlerLine:
    """Straight line of ranges over cycles to failure in logarithmic scales, without a fatigue limit.

    Attributes
    ----------
    range : float [Pa]
        Range of stress that is borne for so many cycles.
    cycles : float [1]
    slope : float [1]
        m in N = cycles (range / own range)^m.
    """

    range: float
    cycles: float = CYCLES
    slope: float = 3.0

    def __post_init__(self) -> None:
        for name in ("range", "cycles", "slope"):
            check_number(name, getattr(self, name), above=0.0)

    def cycles_to_failure(self, ranges: ArrayLike) -> Array:
        """Cycles that ranges of stress, (...) [Pa], are borne for; (...) [1], infinite where nothing changes."""
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            return self.cycles * (self.range / np.asarray(ranges, dtype=float)) ** self.slope


@dataclass(frozen=True, eq=False)
class StressCycles:
    """Cycles of a stress, n of them.

    Attributes
    ----------
    ranges, means : (n,) [Pa]
        Difference and mean of the two extremes.
    counts : (n,) [1]
        1, or 1/2 where the stress does not come back.
    """

    ranges: Array
    means: Array
    counts: Array

    @property
    def number(self) -> float:
        """Number of cycles [1]."""
        return float(self.counts.sum())

    def damage(self, line: WoehlerLine) -> float:
        """Damage of all cycles [1] after Palmgren and Miner [Miner1945]; fatigue is expected at 1."""
        with np.errstate(divide="ignore"):
            return float((self.counts / line.cycles_to_failure(self.ranges)).sum())

    def equivalent_range(self, slope: float) -> float:
        """Constant range [Pa] of which as many cycles do the same damage; 0 without cycles."""
        if not self.number:
            return 0.0
        largest = self.ranges.max()
        return float(largest * (self.counts @ (self.ranges / largest) ** slope / self.number) ** (1 / slope))


def rainflow_cycles(stress: ArrayLike) -> StressCycles:
    """Count the cycles of a stress over time, (k,) [Pa], by the rainflow method.

    Raises
    ------
    ResultError
        The package rainflow is not installed.
    ModelError
        The stress is no series of finite numbers.

    Notes
    -----
    [ASTM-E1049] section 5.4.4, as the package rainflow has it; what does not close counts as half cycles.
    """
    stress = np.asarray(stress, dtype=float)
    if stress.ndim != 1 or not np.isfinite(stress).all():
        raise ModelError(f"stress: got an array of shape {stress.shape}, expected a series of finite numbers")
    found = [
        (r, m, n) for r, m, n, _, _ in _package().extract_cycles(_turning_points(stress).tolist()) if r > 0
    ]
    ranges, means, counts = np.array(found).reshape(-1, 3).T
    return StressCycles(ranges, means, counts)


def _turning_points(stress: Array) -> Array:
    """First and last value of a series, and those between at which it turns."""
    changes = np.diff(stress)
    moves = np.flatnonzero(changes)
    turns = np.flatnonzero(np.diff(np.sign(changes[moves])))
    return np.concatenate([stress[:1], stress[moves[turns] + 1], stress[1:][-1:]])


def _package() -> Any:
    try:
        import rainflow  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ResultError("cycles are counted by rainflow, which is not installed", hint=INSTALL) from None
    return rainflow

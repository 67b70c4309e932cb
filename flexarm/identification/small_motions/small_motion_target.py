"""What is measured of small motions, and what an arm with some values of its unknown numbers has in its place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analysis.operating_points.posture import Posture
from flexarm.description.arm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.sweeps.parameters.variation import Variation

STEP = 1e-5
"""Step of the differences by which values are differentiated, of the number: linear models are known to 1e-12."""


@dataclass(frozen=True)
class SmallMotions:
    """Where small motions were measured: posture and joints, as of natural modes."""

    at: Posture
    joints: str
    hold: Sequence[int]

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of the functions that find small motions."""
        return {"at": self.at, "joints": self.joints, "hold": self.hold}


class SmallMotionTarget(ABC):
    """Values measured of small motions.

    Parameters
    ----------
    arm : Arm
    keys : sequence of str
        Numbers of the description that are unknown.
    where : SmallMotions

    Attributes
    ----------
    measured, errors : (k,)
        Values, and their standard deviations.
    given : bool
        Whether all errors are known, and not assumed.
    """

    measured: np.ndarray
    errors: np.ndarray
    given: bool

    def __init__(self, arm: Arm, keys: Sequence[str], where: SmallMotions):
        self._variation, self.where = Variation(arm.text, keys), where

    @abstractmethod
    def values(self, arm: Arm) -> np.ndarray:
        """Values (k,) that an arm has."""

    def found(self, numbers: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """Values (k,) of the arm with some numbers, and their derivatives (k, n) by these."""
        middle = self._at(numbers)
        slopes = np.empty((middle.size, len(numbers)))
        for k, number in enumerate(numbers):
            step = STEP * (abs(number) or 1.0)
            try:
                slopes[:, k] = (self._at(_moved(numbers, k, step)) - middle) / step
            except FlexarmError:  # the number ends here
                slopes[:, k] = (middle - self._at(_moved(numbers, k, -step))) / step
        return middle, slopes

    def _at(self, numbers: Sequence[float]) -> np.ndarray:
        return self.values(self._variation.arm(numbers))


def _moved(numbers: Sequence[float], k: int, step: float) -> list[float]:
    """The numbers, one of them changed by a step."""
    return [*numbers[:k], numbers[k] + step, *numbers[k + 1 :]]

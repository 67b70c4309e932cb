"""Measured runs and responses beside those of the fitted arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class FittedRun:
    """One run beside what the fitted arm does.

    Attributes
    ----------
    name : str
    times : (m,) [s]
    measured, simulated : (m, c)
        Columns in the units of what they are; offsets and delays are in the simulated ones.
    """

    name: str
    times: np.ndarray
    measured: np.ndarray
    simulated: np.ndarray


@dataclass(frozen=True, eq=False)
class FittedResponse:
    """Frequency response beside that of the fitted arm.

    Attributes
    ----------
    channel : (str, str)
        Input and output.
    frequencies : (m,) [Hz]
    measured, fitted : (m,)
        Complex.
    """

    channel: tuple[str, str]
    frequencies: np.ndarray
    measured: np.ndarray
    fitted: np.ndarray

    @property
    def difference(self) -> float:
        """Root mean square of the relative difference."""
        return float(np.sqrt(np.mean(np.abs(self.fitted / self.measured - 1) ** 2)))

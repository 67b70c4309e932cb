"""Samples of a run as they are for another number: moved along their derivatives, stress found anew from the loads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexarm.results.schema import STRESS
from flexarm.simulation.state.recorded_stress import STRESS_SOURCES, StressRecorder
from flexarm.sweeps.sensitivity.variational_equations import Series

NUDGE = 1e-6
"""Change of the recorded samples, of their size, by which what is made of them is differentiated."""
SAME = 1e-3
"""Relative difference of the changes to both sides beyond which there is no derivative."""

ROUND_OFF = 1e-9
"""Difference of the changes to both sides that is round-off, of the largest change of a sample."""


@dataclass(frozen=True)
class MovedSamples:
    """Recorded samples, and their derivatives by one number.

    Attributes
    ----------
    values, changes : dict
        Dataset -> (m, ..).
    stress : StressRecorder or None
        That has made `stress_max`, if it is among the values.
    sections : (n,)
        Derivatives of its coefficients.
    """

    values: Series
    changes: Series
    stress: StressRecorder | None
    sections: np.ndarray

    def at(self, dataset: str, size: float) -> np.ndarray:
        """Samples (m, ..) of a dataset, changed by a multiple of their derivatives."""
        if not size:
            return self.values[dataset]
        if dataset != STRESS:
            return self.values[dataset] + size * self.changes[dataset]
        assert self.stress is not None
        recorder = self.stress.with_coefficients(self.stress.coefficients + size * self.sections)
        return recorder({name: self.at(name, size) for name in STRESS_SOURCES})[STRESS]

    def nudge(self, dataset: str) -> float:
        """Multiple of the derivatives that changes a dataset, or what it is made of, little; 0 if they vanish."""
        if dataset != STRESS:
            pairs = [(self.values[dataset], self.changes[dataset])]
        else:
            assert self.stress is not None
            pairs = [(self.values[name], self.changes[name]) for name in sorted(STRESS_SOURCES)]
            pairs.append((self.stress.coefficients, self.sections))
        largest = max(np.abs(change).max(initial=0.0) / size_of(value) for value, change in pairs)
        return NUDGE / largest if largest else 0.0

    def change(self, dataset: str) -> np.ndarray:
        """Derivatives (m, ..) of the samples of a dataset; of stress NaN where its largest point changes."""
        if dataset != STRESS:
            return self.changes[dataset]
        middle, size = self.values[dataset], self.nudge(dataset)
        if not size:
            return 0.0 * middle
        forward, backward = ((self.at(dataset, part * size) - middle) / (part * size) for part in (1.0, -1.0))
        return np.where(
            has_kink(forward, backward, ROUND_OFF * NUDGE / size * size_of(middle)),
            np.nan,
            (forward + backward) / 2,
        )


def has_kink(forward: ArrayLike, backward: ArrayLike, round_off: float) -> NDArray[np.bool_]:
    """Whether derivatives to both sides differ by more than the nudge and round-off explain."""
    forward, backward = np.asarray(forward), np.asarray(backward)
    return np.abs(forward - backward) > SAME * np.maximum(np.abs(forward), np.abs(backward)) + round_off


def size_of(values: np.ndarray) -> float:
    """Largest of known values by size; 1 if all are zero."""
    return float(np.nanmax(np.abs(values), initial=0.0)) or 1.0

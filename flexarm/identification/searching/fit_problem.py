"""Problem of least squares: residuals of all that was measured, and their exact Jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.identification.measured.columns import Output
from flexarm.identification.measured.measured_run import MeasuredRun
from flexarm.identification.small_motions.small_motion_target import SmallMotionTarget
from flexarm.identification.unknowns import Unknown
from flexarm.progress import Progress


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What the arm does for one set of unknowns.

    Attributes
    ----------
    values : tuple of (m_r, c)
        Measured columns as the arm has them, run by run.
    slopes : tuple of (m_r, c, n)
        Derivatives by the places of the unknowns in the search.
    small : tuple of (k,)
        Values of small motions, target by target; none where a window over the runs was simulated.
    small_slopes : tuple of (k, n)
    """

    values: tuple[np.ndarray, ...]
    slopes: tuple[np.ndarray, ...]
    small: tuple[np.ndarray, ...]
    small_slopes: tuple[np.ndarray, ...]


class FitProblem:
    """Residuals of all that was measured, as functions of the unknowns.

    Parameters
    ----------
    unknowns : sequence of Unknown
    runs : sequence of MeasuredRun
        Whose keys are those of the unknowns of the description, then of their own starts.
    outputs : sequence of Output
    targets : sequence of SmallMotionTarget
    """

    def __init__(
        self,
        unknowns: Sequence[Unknown],
        runs: Sequence[MeasuredRun],
        outputs: Sequence[Output],
        targets: Sequence[SmallMotionTarget] = (),
    ):
        self.unknowns, self.runs, self.outputs = tuple(unknowns), tuple(runs), tuple(outputs)
        self.targets = tuple(targets)
        self.columns = {one.name: k for k, one in enumerate(outputs)}
        self.evaluations = 0

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds (n,) of the places of the unknowns."""
        pairs = [(one.place(one.low), one.place(one.high)) for one in self.unknowns]
        low, high = np.array(pairs).T
        return low, high

    def values_at(self, x: np.ndarray) -> list[float]:
        """Values of the unknowns at their places x (n,)."""
        return [one.value(place) for one, place in zip(self.unknowns, x, strict=True)]

    def keys_of(self, run: int | None) -> list[int]:
        """Numbers of the unknowns that are numbers of the description in a run; of none, those of all runs."""
        kinds = [k for k, one in enumerate(self.unknowns) if one.kind == "number"]
        return kinds + [k for k, one in enumerate(self.unknowns) if one.run is not None and one.run == run]

    def restart(self) -> None:
        """Forget what earlier evaluations have met: what follows does not depend on it, to the last bit."""
        for run in self.runs:
            run.restart()

    def evaluate(
        self, x: np.ndarray, rows: Sequence[int] | None = None, progress: Progress | None = None
    ) -> Evaluation:
        """Simulate all runs and find small motions, or simulate the first rows alone.

        Raises
        ------
        FlexarmError
            The unknowns make no valid arm, or a run fails.
        """
        self.evaluations += 1
        values, n = self.values_at(x), len(self.unknowns)
        slope = np.array([one.slope(value) for one, value in zip(self.unknowns, values, strict=True)])
        delays = np.array([one.delay for one in self.outputs])
        for unknown, value in zip(self.unknowns, values, strict=True):
            if unknown.kind == "delay":
                delays[self.columns[unknown.target]] += value
        found, slopes = [], []
        for number, run in enumerate(self.runs):
            keys = self.keys_of(number)
            count = run.measurement.times.size if rows is None else rows[number]
            simulated = run.simulate([values[k] for k in keys], delays, count, progress)
            columns = simulated.values + [one.bias for one in self.outputs]
            jacobian = np.zeros((*columns.shape, n))
            for k, one in zip(keys, simulated.slopes, strict=True):
                jacobian[:, :, k] = one * slope[k]
            for k, unknown in enumerate(self.unknowns):
                if unknown.kind == "offset":
                    columns[:, self.columns[unknown.target]] += values[k]
                    jacobian[:, self.columns[unknown.target], k] = slope[k]
                elif unknown.kind == "delay":
                    c = self.columns[unknown.target]
                    jacobian[:, c, k] = -simulated.rates[:, c] * slope[k]
            found.append(columns)
            slopes.append(jacobian)
        small, small_slopes, keys = [], [], self.keys_of(None)
        for target in self.targets if rows is None else ():
            if progress is not None:
                progress(0.0, None)
            own, by_keys = target.found([values[k] for k in keys])
            jacobian = np.zeros((own.size, n))
            jacobian[:, keys] = by_keys * slope[keys]
            small.append(own)
            small_slopes.append(jacobian)
        return Evaluation(tuple(found), tuple(slopes), tuple(small), tuple(small_slopes))

    def residuals(self, found: Evaluation, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals (N,), in standard deviations, and their Jacobian (N, n), for noise of the columns (c,)."""
        parts, slopes = [], []
        for run, values, slope in zip(self.runs, found.values, found.slopes, strict=True):
            measured = run.measurement.outputs[: len(values)]
            parts.append(((values - measured) / noise).ravel())
            slopes.append((slope / noise[:, None]).reshape(-1, len(self.unknowns)))
        for target, values, slope in zip(self.targets, found.small, found.small_slopes, strict=False):
            parts.append((values - target.measured) / target.errors)
            slopes.append(slope / target.errors[:, None])
        return np.concatenate(parts), np.concatenate(slopes)

    def column_residuals(self, found: Evaluation) -> list[np.ndarray]:
        """Measured minus simulated columns, run by run, (m_r, c)."""
        return [
            run.measurement.outputs[: len(values)] - values
            for run, values in zip(self.runs, found.values, strict=True)
        ]

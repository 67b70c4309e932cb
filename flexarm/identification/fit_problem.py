"""Problem of least squares: residuals of all that was measured, and their exact Jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.identification.columns import Output
from flexarm.identification.measured_run import MeasuredRun
from flexarm.identification.modal_targets import ModalTargets
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
    modal : (k,)
        Values of modes [Hz, 1].
    modal_slopes : (k, n)
    """

    values: tuple[np.ndarray, ...]
    slopes: tuple[np.ndarray, ...]
    modal: np.ndarray
    modal_slopes: np.ndarray


class FitProblem:
    """Residuals of all that was measured, as functions of the unknowns.

    Parameters
    ----------
    unknowns : sequence of Unknown
    runs : sequence of MeasuredRun
        Whose keys are those of the unknowns of the description, then of their own starts.
    outputs : sequence of Output
    modal : ModalTargets, optional
    """

    def __init__(
        self,
        unknowns: Sequence[Unknown],
        runs: Sequence[MeasuredRun],
        outputs: Sequence[Output],
        modal: ModalTargets | None = None,
    ):
        self.unknowns, self.runs, self.outputs, self.modal = (
            tuple(unknowns),
            tuple(runs),
            tuple(outputs),
            modal,
        )
        self.columns = {one.name: k for k, one in enumerate(outputs)}
        self.evaluations = 0

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds (n,) of the places of the unknowns."""
        low, high = ([one.place(bound) for one in self.unknowns for bound in (getattr(one, name),)]
                     for name in ("low", "high"))  # fmt: skip
        return np.array(low), np.array(high)

    def values_at(self, x: np.ndarray) -> list[float]:
        """Values of the unknowns at their places x (n,)."""
        return [one.value(place) for one, place in zip(self.unknowns, x, strict=True)]

    def keys_of(self, run: int | None) -> list[int]:
        """Numbers of the unknowns that are numbers of the description in a run; of none, those of all runs."""
        kinds = [k for k, one in enumerate(self.unknowns) if one.kind == "number"]
        return kinds + [k for k, one in enumerate(self.unknowns) if one.run is not None and one.run == run]

    def evaluate(
        self, x: np.ndarray, rows: Sequence[int] | None = None, progress: Progress | None = None
    ) -> Evaluation:
        """Simulate all runs and find the modes, or simulate the first rows alone.

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
        modal, modal_slopes = np.empty(0), np.zeros((0, n))
        if self.modal is not None and rows is None:
            keys = self.keys_of(None)
            modal, by_keys = self.modal.found([values[k] for k in keys])
            modal_slopes = np.zeros((modal.size, n))
            modal_slopes[:, keys] = by_keys * slope[keys]
        return Evaluation(tuple(found), tuple(slopes), modal, modal_slopes)

    def residuals(self, found: Evaluation, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals (N,), in standard deviations, and their Jacobian (N, n), for noise of the columns (c,)."""
        parts, slopes = [], []
        for run, values, slope in zip(self.runs, found.values, found.slopes, strict=True):
            measured = run.measurement.outputs[: len(values)]
            parts.append(((values - measured) / noise).ravel())
            slopes.append((slope / noise[:, None]).reshape(-1, len(self.unknowns)))
        if self.modal is not None and found.modal.size:
            errors = self.modal.values.errors
            parts.append((found.modal - self.modal.values.measured) / errors)
            slopes.append(found.modal_slopes / errors[:, None])
        return np.concatenate(parts), np.concatenate(slopes)

    def column_residuals(self, found: Evaluation) -> list[np.ndarray]:
        """Measured minus simulated columns, run by run, (m_r, c)."""
        return [
            run.measurement.outputs[: len(values)] - values
            for run, values in zip(self.runs, found.values, strict=True)
        ]

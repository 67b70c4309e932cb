"""Assembly of a sweep: results of points, in the order in which they come, to the arrays of its result."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm import __version__
from flexarm.description.reading.loader import parse_arm
from flexarm.results.dimensions import COORDINATES, coordinate_values
from flexarm.results.schema import DATASETS
from flexarm.sweeps.execution.chunks import Chunk
from flexarm.sweeps.parameters.design import POINT
from flexarm.sweeps.plan import Plan
from flexarm.sweeps.sweep_result import SweepResult
from flexarm.sweeps.variable import DONE, FAILED, Variable


class SweepAssembly:
    """Results of a sweep computed so far.

    Attributes
    ----------
    done : (n_points,) bool
    """

    def __init__(self, plan: Plan):
        n, recording = plan.design.size, plan.recording
        self._plan = plan
        self.done = np.zeros(n, bool)
        self._reasons = np.full(n, "", object)
        self._measures = np.full((n, len(recording.measures)), np.nan)
        self._series = {
            one.name: np.full((n, recording.times.size, *one.shape), np.nan) for one in recording.series
        }

    @property
    def missing(self) -> NDArray[np.intp]:
        """Points that are not computed yet, (k,), counted from 0."""
        return np.flatnonzero(~self.done)

    def fits(self, chunk: Chunk) -> bool:
        """True if a chunk, read from a file, can be one of this sweep: numbers of points and shapes agree."""
        points = chunk.points
        shapes = {name: array.shape[1:] for name, array in self._series.items()}
        return (
            points.ndim == 1
            and points.dtype.kind == "i"
            and points.size == len(chunk.results)
            and bool(np.all((points >= 0) & (points < self.done.size)))
            and all(one.measures.shape == self._measures.shape[1:] for one in chunk.results)
            and all({name: a.shape for name, a in one.series.items()} == shapes for one in chunk.results)
            and all(a.dtype == float for one in chunk.results for a in (one.measures, *one.series.values()))
        )

    def add(self, chunk: Chunk) -> None:
        """Put the results of some points in their places."""
        self.done[chunk.points] = True
        for point, found in zip(chunk.points, chunk.results, strict=True):
            self._reasons[point] = found.reason
            self._measures[point] = found.measures
            for name, values in found.series.items():
                self._series[name][point] = values

    def result(self, command: str) -> SweepResult:
        """Return the result of a sweep of which nothing is missing."""
        plan, dims, shape = self._plan, self._plan.dims, self._plan.design.shape
        recording = plan.recording
        variables = {
            measure.name: Variable(
                dims, self._measures[:, k].reshape(shape), measure.units, measure.long_name
            )
            for k, measure in enumerate(recording.measures)
        }
        for one in recording.series:
            values = self._series[one.name]
            variables[one.name] = Variable(
                (*dims, "time", *one.dims),
                values.reshape(*shape, *values.shape[1:]),
                one.units,
                one.long_name,
            )
        status = np.where(self._reasons == "", DONE, FAILED).astype("i1").reshape(shape)
        variables["status"] = Variable(dims, status, "1", "whether the run was done or failed")
        variables["reason"] = Variable(dims, self._reasons.reshape(shape), "1", "why the run failed")
        return SweepResult(variables, self._coordinates(), self._attributes(command))

    def _coordinates(self) -> dict[str, Variable]:
        found: dict[str, Variable] = {}
        for axis in self._plan.design.axes:
            if axis.name == POINT:
                numbers = np.arange(1, len(axis.values) + 1)
                found[POINT] = Variable((POINT,), numbers, "1", "number of the random sample")
            for key, column in zip(axis.keys, axis.values.T, strict=True):
                long_name, units = self._plan.meanings[key]
                found[key] = Variable((axis.name,), column, units, long_name)
        recording, arm = self._plan.recording, parse_arm(self._plan.task.text)
        if recording.series:
            entry = DATASETS["time"]
            found["time"] = Variable(("time",), recording.times, entry.units, entry.long_name)
        for one in recording.series:
            for dim, size in zip(one.dims, one.shape, strict=True):
                values, entry = coordinate_values(dim, size, arm), COORDINATES[dim]
                found[dim] = Variable((dim,), values, entry.units, entry.long_name)
        return found

    def _attributes(self, command: str) -> dict[str, object]:
        plan = self._plan
        return {
            "status": "complete",
            "message": "",
            "flexarm_version": __version__,
            "command": command,
            "robot": plan.task.text,
            "keys": plan.task.keys,
            "records": plan.task.measures,
            "series": plan.task.series,
            **plan.task.kind.attributes,
        }

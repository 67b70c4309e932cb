"""Result of a fit: the unknowns with their intervals, and what the fit is worth."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.html import element
from flexarm.html import table as html_table
from flexarm.identification.worth.fitted_series import FittedResponse, FittedRun
from flexarm.identification.worth.goodness import ColumnFit
from flexarm.results.storage.array_files import write_arrays

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MISSED = 3
"""Errors by which a modal value that is mentioned is missed."""
POOR = 90.0
"""Per cent of a column's variance below which it is hardly explained."""
APART = 0.5
"""Relative difference from which on a response is hardly followed."""
NOTABLE = 1.1
"""Factor from which on intervals are said to be that much too narrow."""
CORRELATED = 0.95
"""Correlation from which on two unknowns are mentioned."""


@dataclass(frozen=True, eq=False, repr=False)
class Identification:
    """Numbers of an arm fitted to measurements.

    Attributes
    ----------
    arm : Arm
        With the fitted numbers; its text has the comments of the description.
    names : tuple of str
        Of the n unknowns.
    units : tuple of str
        Of these; 1 where there is none.
    start, values : (n,)
    standard_errors : (n,)
        NaN of what the data do not tell.
    intervals : (n, 2)
        In which each lies with a probability of 95 per cent, if the residuals are white.
    correlation : (n, n)
    known : (n,)
    remarks : tuple of str
        What the data do not tell apart, in words.
    columns : tuple of ColumnFit
    runs : tuple of FittedRun
    modes : tuple of (str, float, float, float)
        Names of modal values, measured, fitted, and the error of what was measured [Hz, 1].
    response : FittedResponse or None
    checks : tuple of (FittedRun, tuple of ColumnFit)
        Runs that were held back.
    agreeing_starts : (int, int)
        Starts that ended at this fit, and all.
    evaluations : int
        Simulations of all runs with their derivatives, or of the first part of them.
    status : {"complete", "interrupted"}
    command : str
        What asked for the fit.
    """

    arm: Arm
    names: tuple[str, ...]
    units: tuple[str, ...]
    start: np.ndarray
    values: np.ndarray
    standard_errors: np.ndarray
    intervals: np.ndarray
    correlation: np.ndarray
    known: np.ndarray
    remarks: tuple[str, ...]
    columns: tuple[ColumnFit, ...]
    runs: tuple[FittedRun, ...]
    modes: tuple[tuple[str, float, float, float], ...]
    response: FittedResponse | None
    checks: tuple[tuple[FittedRun, tuple[ColumnFit, ...]], ...]
    agreeing_starts: tuple[int, int]
    evaluations: int
    status: str = "complete"
    command: str = "flexarm.identify"

    def __getitem__(self, name: str) -> float:
        """Fitted value of an unknown."""
        if name not in self.names:
            raise KeyError(name)
        return float(self.values[self.names.index(name)])

    @property
    def n_measured(self) -> int:
        """Number of measured values that were fitted."""
        response = 0 if self.response is None else 2 * self.response.frequencies.size
        return sum(run.measured.size for run in self.runs) + len(self.modes) + response

    @property
    def unknown_rows(self) -> list[tuple[str, ...]]:
        """Table of the unknowns, its header first."""
        rows = [("unknown", "start", "fitted", "95 % interval", "standard error")]
        for k, name in enumerate(self.names):
            value, error = self.values[k], self.standard_errors[k]
            low, high = self.intervals[k]
            digits = _digits(value, error)
            interval = f"{low:.{digits}g} to {high:.{digits}g}" if self.known[k] else "not known"
            part = f"{error:.2g}" if self.known[k] else ""
            if self.known[k] and error < abs(value):
                part += f" = {error / abs(value):.2g} of it"
            rows.append((name, f"{self.start[k]:.4g}", f"{value:.{digits}g}", interval, part))
        return rows

    @property
    def column_rows(self) -> list[tuple[str, ...]]:
        """Table of the measured columns, its header first."""
        rows = [("column", "residual", "explained", "white")]
        rows += [_column_row(one.name, one) for one in self.columns]
        for run, columns in self.checks:
            rows += [_column_row(f"{one.name} of {run.name}, held back", one) for one in columns]
        return rows

    @property
    def largest_correlation(self) -> tuple[float, str, str] | None:
        """Largest correlation of two unknowns, and their names; None of less than two."""
        size = np.abs(np.nan_to_num(np.triu(self.correlation, 1)))
        if not size.any():
            return None
        i, j = np.unravel_index(size.argmax(), size.shape)
        return float(self.correlation[i, j]), self.names[i], self.names[j]

    @property
    def cautions(self) -> list[str]:
        """What makes the intervals doubtful, in words."""
        found = []
        if coloured := [one for one in self.columns if not one.is_white]:
            factor = max(one.narrowness for one in coloured)
            about = f", about {factor:.2g} times" if factor >= NOTABLE else ""
            found.append(
                f"what is left over of {', '.join(one.name for one in coloured)} is no white noise: the arm lacks "
                f"something, or the noise is correlated; the intervals are too narrow{about}"
            )
        if poor := [one for one in self.columns if one.per_cent < POOR]:
            shares = ", ".join(f"{one.per_cent:.3g} % of {one.name}" for one in poor)
            found.append(
                f"the arm explains only {shares}: the search may do better from another start, or from several"
            )
        if self.response is not None and self.response.difference > APART:
            found.append(
                f"the response of the arm is off by {self.response.difference:.2g} of what was measured: the arm lacks "
                "something, or the search may do better from another start, or from several"
            )
        missed = [name for name, measured, own, error in self.modes if abs(own - measured) > MISSED * error]
        if missed:
            found.append(f"{', '.join(missed)}: missed by more than {MISSED} errors; the arm lacks something")
        if (pair := self.largest_correlation) is not None and abs(pair[0]) > CORRELATED:
            found.append(
                f"{pair[1]} and {pair[2]} are known together rather than apart: correlation {pair[0]:.4f}"
            )
        return found

    def plot(self, name: str | None = None) -> Figure:
        """Draw ``measured-and-simulated``, ``residuals``, ``correlations``, ..; see :func:`flexarm.plot`."""
        import flexarm  # the names of the whole package, above all of its layers

        return flexarm.plot(self, name)

    def report(self, path: str | os.PathLike, overwrite: bool = False) -> Path:
        """Write a page about the fit, one HTML file; see :func:`flexarm.report`."""
        import flexarm

        return flexarm.report(self, path, overwrite=overwrite)

    def save(self, path: str | os.PathLike, overwrite: bool = False) -> None:
        """Write the numbers to a .npz, .mat or .h5 file, whole or not at all.

        Raises
        ------
        ResultError
            The file exists and ``overwrite`` is false, cannot be written, or has another ending.
        """
        arrays = {
            "name": np.array(self.names), "start": self.start, "value": self.values, "known": self.known,
            "standard_error": self.standard_errors, "interval": self.intervals, "correlation": self.correlation,
            "column": np.array([one.name for one in self.columns]),
        }  # fmt: skip
        for k, run in enumerate(self.runs):
            arrays |= {f"time_{k}": run.times, f"measured_{k}": run.measured, f"simulated_{k}": run.simulated}
        write_arrays(arrays, [path], overwrite)

    def __repr__(self) -> str:
        shown = ", ".join(f"{row[0]} = {row[2]}" for row in self.unknown_rows[1:])
        return f"Identification of {self.arm.name!r}: {shown}"

    def _repr_html_(self) -> str:
        parts = [element("p", repr(self)), html_table(self.unknown_rows, "<>>>>")]
        parts += [html_table(self.column_rows, "<>>>")] if self.columns else []
        return "".join([*parts, *(element("p", remark) for remark in self.remarks)])


def _digits(value: float, error: float) -> int:
    """Digits with which a value is written: two of its error."""
    if not np.isfinite(error) or error <= 0 or not value:
        return 4
    return int(np.clip(np.floor(np.log10(abs(value) / error)) + 2, 2, 9))


def _column_row(name: str, one: ColumnFit) -> tuple[str, ...]:
    white = "" if np.isnan(one.whiteness) else ("yes" if one.is_white else "no")
    unit = "" if one.unit == "1" else f" {one.unit}"
    return name, f"{one.residual:.3g}{unit}", "" if np.isnan(one.per_cent) else f"{one.per_cent:.5g} %", white

"""Measurements over time, from files or arrays."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.description.reading.number_files import load_table
from flexarm.errors import ModelError
from flexarm.identification.measured.columns import IGNORED, Columns, ColumnText, parse_columns

LATEST_START = 1.5
"""First time of a run, in intervals of its rows, up to which the run may have begun at 0."""
LARGEST = 1e100
"""Size of a measured number beyond which squares are not finite."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """One measured run.

    Attributes
    ----------
    name : str
    times : (m,) [s]
    outputs : (m, c)
        Measured columns, in the units of what they are.
    inputs : (m, n)
        Columns that drive the arm.
    """

    name: str
    times: np.ndarray
    outputs: np.ndarray
    inputs: np.ndarray


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of numbers with their names, if they have any."""

    name: str
    names: tuple[str, ...]
    rows: np.ndarray


def tables_of(data: Any, argument: str = "data") -> tuple[Table, ...]:
    """Tables of one or several files, or mappings of columns.

    Raises
    ------
    ModelError
        Something else, or arrays that make no table.
    SpecError
        A file that cannot be read.
    """
    several = isinstance(data, Sequence) and not isinstance(data, str)
    found = tuple(
        _table(one, argument, f"run {k}") for k, one in enumerate(data if several else [data], start=1)
    )
    if not found:
        raise ModelError(f"{argument}: got no measurements")
    return found


def _table(one: Any, argument: str, name: str) -> Table:
    if isinstance(one, str | os.PathLike):
        names, rows = load_table(Path(one))
        return Table(Path(one).name, names, np.array(rows))
    if not isinstance(one, Mapping):
        raise ModelError(f"{argument}: got {type(one).__name__}, expected a CSV file or a mapping of columns")
    try:
        rows = np.column_stack([_column(column) for column in one.values()])
    except (TypeError, ValueError):
        raise ModelError(f"{argument}: {name}: expected columns of equally many numbers") from None
    if not np.isfinite(rows).all():
        raise ModelError(f"{argument}: {name}: got numbers that are not finite")
    return Table(name, tuple(map(str, one)), rows)


def _column(values: Any) -> np.ndarray:
    """Column of real numbers; what is masked is not finite."""
    found = np.ma.asarray(values)
    if np.iscomplexobj(found):
        raise TypeError
    return np.ma.filled(found.astype(float), np.nan)


def texts_of(table: Table, columns: str | None) -> tuple[ColumnText, ...]:
    """Columns of a table, as they were typed or as its header has them."""
    if columns is not None:
        units = {name: unit for name, unit in map(_name_and_unit, table.names) if unit}
        return tuple(
            one if one.unit else replace(one, unit=units.get(one.name, "")) for one in parse_columns(columns)
        )
    if not table.names:
        raise ModelError(
            f"{table.name}: it has no header that names its columns", hint="say `columns`, e.g. time, hub"
        )
    return parse_columns(table.names)


def measurement_of(table: Table, texts: Sequence[ColumnText], columns: Columns, start: float) -> Measurement:
    """Measured run of a table; with a header its columns are found by name, else by position.

    Raises
    ------
    ModelError
        Columns are missing, or the time does not increase, or does not begin where a run does; a number is too large.
    """
    places = _places(table, texts)
    times = table.rows[:, places[_time(texts).name]] * columns.time_size - start
    if (np.diff(times) <= 0).any():
        k = int(np.argmax(np.diff(times) <= 0))
        raise ModelError(
            f"{table.name}: the time does not increase: {times[k + 1] + start:g} s after {times[k] + start:g} s"
        )
    if (early := times < 0).all():
        raise ModelError(f"{table.name}: no row is at or after {start:g} s, where the run begins")
    if early.any() and not start:
        raise ModelError(
            f"{table.name}: its time begins at {times[0]:g} s, a run at 0", hint="say `start` [s]"
        )
    rows, times = table.rows[~early], times[~early]
    if times.size < 3:
        raise ModelError(f"{table.name}: got {times.size} rows, expected at least 3")
    if columns.inputs and times[0] > LATEST_START * np.median(np.diff(times)):
        raise ModelError(
            f"{table.name}: its time begins at {times[0] + start:g} s, and what drives the arm before is not known",
            hint=f"say `start`, e.g. {times[0] + start:g}, the time at which the run begins",
        )

    def values(parts: Sequence[Any]) -> np.ndarray:
        found = [rows[:, places[one.name]] * one.size for one in parts]
        for one, column in zip(parts, found, strict=True):
            if (most := np.abs(column).max()) > LARGEST:
                raise ModelError(
                    f"{table.name}: column {one.name}: got {most:g}, expected at most {LARGEST:g}"
                )
        return np.column_stack(found) if found else np.empty((times.size, 0))

    return Measurement(table.name, times, values(columns.outputs), values(columns.inputs))


def _time(texts: Sequence[ColumnText]) -> ColumnText:
    return next(one for one in texts if one.meaning == "time")


def _places(table: Table, texts: Sequence[ColumnText]) -> dict[str, int]:
    """Place of each named column in the table."""
    width = table.rows.shape[1]
    asked = [one for one in texts if IGNORED not in (one.name, one.meaning)]
    if table.names and len(table.names) == width:
        known = {_name_and_unit(name)[0]: k for k, name in enumerate(table.names)}
        if missing := [one.name for one in asked if one.name not in known]:
            raise ModelError(f"{table.name}: column {missing[0]} is missing, it has {', '.join(known)}")
        return {one.name: known[one.name] for one in asked}
    if len(texts) != width:
        raise ModelError(
            f"{table.name}: got {width} columns, expected {len(texts)}: {', '.join(one.name for one in texts)}",
            hint="- leaves a column out",
        )
    return {one.name: k for k, one in enumerate(texts) if one in asked}


def _name_and_unit(text: str) -> tuple[str, str]:
    """Name and unit of a column in a header: ``hub [deg]``."""
    found = re.fullmatch(r"(.*?)(?:\s+[\[(](.*)[\])])?", text)
    return (found[1], found[2] or "") if found else (text, "")

"""Sweeps opened from HDF5 files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import h5py

from flexarm.results.schema import KINDS
from flexarm.results.stored_file import opened, read_attributes
from flexarm.sweeps.sweep_result import SweepResult
from flexarm.sweeps.sweep_writer import KIND
from flexarm.sweeps.variable import Variable

ELSEWHERE = dict.fromkeys(KINDS, "it is not the result of a sweep, open it with flexarm.open_result")
"""Kinds of results that are opened elsewhere."""


def holds_sweep(path: str | os.PathLike) -> bool:
    """True if a file is the result of a sweep; False also for what cannot be read at all."""
    try:
        with h5py.File(path, "r", locking=False) as file:
            return file.attrs.get("kind") == KIND
    except OSError:
        return False


def open_sweep(path: str | os.PathLike) -> SweepResult:
    """Read the result of a sweep.

    Raises
    ------
    ResultError
        If the file is missing, damaged, no sweep, or of a newer format.
    """
    path = Path(path)
    with opened(path) as file:
        attributes = read_attributes(path, file, (KIND,), ELSEWHERE)
        found = {name: _read(dataset) for name, dataset in file.items()}
    dims = {name for one in found.values() for name in one.dims}
    coordinates = {name: one for name, one in found.items() if name in dims or name in attributes["keys"]}
    variables = {name: one for name, one in found.items() if name not in coordinates}
    return SweepResult(variables, coordinates, attributes, path)


def _read(dataset: Any) -> Variable:
    text = h5py.check_string_dtype(dataset.dtype) is not None
    values = dataset.asstr()[...] if text else dataset[...]
    if dataset.is_scale:
        dims = (dataset.name.lstrip("/"),)
    else:
        dims = tuple(dimension[0].name.lstrip("/") for dimension in dataset.dims)
    return Variable(dims, values, str(dataset.attrs["units"]), str(dataset.attrs["long_name"]))

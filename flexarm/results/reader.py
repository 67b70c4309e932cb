"""Results opened from HDF5 files; their arrays are read when they are asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import h5py
import numpy as np

from flexarm.errors import ResultError
from flexarm.results.atomic_files import as_result_error
from flexarm.results.result import Result
from flexarm.results.schema import DATASETS, IMPACTS, KINDS, MOTION_IMPULSES, TIMELESS, required_datasets
from flexarm.results.stored_file import opened, read_attributes

ELSEWHERE = {
    "sweep": "it holds a sweep, not one run (draw it with `flexarm plot`, open it with flexarm.open_sweep)"
}
"""Kinds of results that are opened elsewhere."""


def open_result(path: str | os.PathLike) -> Result:
    """Open a result file; arrays are read when they are asked for.

    The file is not kept open: it may be replaced or deleted meanwhile, and asking for an array that was not
    read before then is an error.

    Raises
    ------
    ResultError
        If the file is missing, unreadable, damaged, not a flexarm result, or of a newer format.
    """
    path = Path(path)
    with opened(path) as file:
        attributes = read_attributes(path, file, KINDS, ELSEWHERE)
        datasets = _checked_datasets(path, file, attributes["kind"])
        stamp = _stamp(path)
        arrays = {name: StoredArray(path, name, each.shape, stamp) for name, each in datasets.items()}
    return Result(arrays, attributes, path)


class StoredArray:
    """An array that stays in its file until it is indexed.

    Attributes
    ----------
    shape : tuple of int
    """

    def __init__(self, path: Path, name: str, shape: tuple[int, ...], stamp: tuple):
        self.shape = shape
        self._path, self._name, self._stamp = path, name, stamp

    def __getitem__(self, selection) -> np.ndarray:
        if 0 in self.shape[1:]:  # HDF5 selects nothing from nothing
            return np.empty(self.shape)[selection]
        with opened(self._path) as file:
            if _stamp(self._path) != self._stamp:
                raise ResultError(f"{self._path} has changed since it was opened; open it again")
            with as_result_error("read", self._path):
                return cast(h5py.Dataset, file[self._name])[selection]

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.asarray(self[...], dtype=dtype)


def _checked_datasets(path: Path, file: h5py.File, kind: str) -> dict[str, h5py.Dataset]:
    """Return the datasets by their names, after checking that the result is complete."""
    found = {name: each for name, each in file.items() if isinstance(each, h5py.Dataset)}
    series = {name: found[name] for name in DATASETS if name in found}
    timeless = {name: found[name] for name in TIMELESS if name in found}
    missing = [name for name in required_datasets(kind) if name not in found]
    if missing:
        raise ResultError(f"cannot read {path}: a {kind} result needs the dataset {', '.join(missing)}")
    not_numeric = [name for name, each in series.items() if each.dtype.kind not in "fiu"]
    if not_numeric:
        raise ResultError(f"cannot read {path}: dataset {', '.join(not_numeric)} does not hold numbers")
    samples = len(series["time"])
    mismatched = [
        name
        for name, each in series.items()
        if each.ndim != len(DATASETS[name].dims) or each.shape[0] != samples
    ]
    if mismatched:
        raise ResultError(
            f"cannot read {path}: dataset {', '.join(mismatched)} does not match {samples} times"
        )
    for what, table in (("impacts", IMPACTS), ("impulses of motions", MOTION_IMPULSES)):
        if len({each.shape for name, each in timeless.items() if name in table}) > 1:
            raise ResultError(f"cannot read {path}: the datasets of its {what} do not have the same length")
    return series | timeless


def _stamp(path: Path) -> tuple:
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns

"""Results to and from HDF5 files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import h5py
import numpy as np

from flexarm.errors import ResultError
from flexarm.results.atomic_files import as_result_error, check_target
from flexarm.results.result import Result
from flexarm.results.schema import DATASETS, FORMAT_VERSION, IMPACTS, KINDS, TIMELESS
from flexarm.results.writer import ResultWriter

__all__ = ["ResultWriter", "StoredArray", "check_target", "open_result", "save_result"]

BLOCK_BYTES = 32 * 1024**2


def save_result(result: Result, path: str | os.PathLike, overwrite: bool = False) -> None:
    """Write a result to an HDF5 file, whole or not at all.

    Raises
    ------
    ResultError
        If the file exists and `overwrite` is false, or cannot be written.
    """
    samples = result.n_samples
    sizes: dict[str, int] = {}
    series = [name for name in result if name not in TIMELESS]
    for name in series:
        sizes.update(zip(DATASETS[name].dims[1:], result.shape(name)[1:], strict=True))
    row_bytes = sum(8 * int(np.prod(result.shape(name)[1:])) for name in series)
    rows = max(1, BLOCK_BYTES // row_bytes)
    with ResultWriter(path, sizes, overwrite=overwrite) as writer:
        for start in range(0, max(samples, 1), rows):
            writer.append({name: result.rows(name, slice(start, start + rows)) for name in series})
        writer.finish(result.attributes, {name: result[name] for name in result if name in TIMELESS})


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
    with _opened(path) as file:
        attributes = {name: _plain(value) for name, value in file.attrs.items()}
        datasets = _checked_datasets(path, file, attributes)
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
        with _opened(self._path) as file:
            if _stamp(self._path) != self._stamp:
                raise ResultError(f"{self._path} has changed since it was opened; open it again")
            with as_result_error("read", self._path):
                return cast(h5py.Dataset, file[self._name])[selection]

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.asarray(self[...], dtype=dtype)


@contextmanager
def _opened(path: Path) -> Iterator[h5py.File]:
    """Open for reading, without a lock: result files are never changed in place."""
    with as_result_error("read", path):
        path.open("rb").close()
        if not h5py.is_hdf5(path):
            raise ResultError(
                f"cannot read {path}: it is not an HDF5 file; results are written by `flexarm simulate`"
            )
        try:
            file = h5py.File(path, "r", locking=False)
        except OSError as error:
            raise ResultError(f"cannot read {path}: the file is damaged or cut off ({error})") from error
    with file:
        yield file


def _checked_datasets(path: Path, file: h5py.File, attributes: dict) -> dict[str, h5py.Dataset]:
    """Return the datasets by their names, after checking that this is a complete, known kind of result."""
    foreign = f"cannot read {path}: it is an HDF5 file, but not a result of flexarm"
    missing = [name for name in ("format_version", "kind", "status", "robot") if name not in attributes]
    if missing:
        raise ResultError(f"{foreign} (no attribute {', '.join(missing)})")
    version, kind = attributes["format_version"], attributes["kind"]
    if kind == "sweep":
        raise ResultError(
            f"cannot read {path}: it holds a sweep, not one run (draw it with `flexarm plot`, open it with "
            "flexarm.open_sweep)"
        )
    if version > FORMAT_VERSION or kind not in KINDS:
        writer = attributes.get("flexarm_version", "unknown")
        raise ResultError(
            f"cannot read {path}: format {version}, kind {kind!r} of a newer flexarm ({writer}); "
            f"this one reads format {FORMAT_VERSION} and the kinds {', '.join(KINDS)}"
        )
    found = {name: each for name, each in file.items() if isinstance(each, h5py.Dataset)}
    series = {name: found[name] for name in DATASETS if name in found}
    timeless = {name: found[name] for name in TIMELESS if name in found}
    lost = [name for name in KINDS[kind] if name not in found]
    if lost:
        raise ResultError(f"cannot read {path}: a {kind} result needs the dataset {', '.join(lost)}")
    strange = [name for name, each in series.items() if each.dtype.kind not in "fiu"]
    if strange:
        raise ResultError(f"cannot read {path}: dataset {', '.join(strange)} does not hold numbers")
    samples = len(series["time"])
    uneven = [
        name
        for name, each in series.items()
        if each.ndim != len(DATASETS[name].dims) or each.shape[0] != samples
    ]
    if uneven:
        raise ResultError(f"cannot read {path}: dataset {', '.join(uneven)} does not match {samples} times")
    if len({each.shape for name, each in timeless.items() if name in IMPACTS}) > 1:
        raise ResultError(f"cannot read {path}: the datasets of its impacts do not have the same length")
    return series | timeless


def _stamp(path: Path) -> tuple:
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _plain(value):
    """Return an attribute as str, int or float."""
    return value.item() if isinstance(value, np.generic) else value

"""Writer of results, block by block, so that a run may be longer than the memory."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import h5py
import numpy as np

from flexarm.errors import ResultError, SolverError
from flexarm.results.attributes import described_arm
from flexarm.results.hdf5_output import Hdf5Output
from flexarm.results.netcdf_layout import NetcdfLayout
from flexarm.results.schema import TIMELESS
from flexarm.results.storage.atomic_files import as_result_error
from flexarm.results.stored_file import opened

NOTHING: Mapping[str, np.ndarray] = MappingProxyType({})
BLOCK_BYTES = 32 * 1024**2
"""Of a stored result that is written again, as much at a time is read into memory."""


def incomplete_path(path: Path) -> Path:
    """Path of a partial result when there is a complete one already: ``arm.h5`` -> ``arm.incomplete.h5``."""
    return path.with_suffix(f".incomplete{path.suffix}")


def _is_complete(path: Path) -> bool:
    try:
        with opened(path) as file:
            return file.attrs.get("status") == "complete"
    except ResultError:
        return False


def write_result(
    arrays: Mapping[str, Any], attributes: Mapping[str, Any], path: str | os.PathLike, overwrite: bool = False
) -> Path:
    """Write a result to an HDF5 file, whole or not at all; return where it is.

    Call `check_result_target` first, before any long computation.

    Parameters
    ----------
    arrays : mapping of str to array
        Datasets of the schema; anything with ``shape`` that gives an ndarray when indexed will do.
    attributes : mapping
        See :data:`~flexarm.results.attributes.ATTRIBUTES`.
    path : path
    overwrite : bool

    Raises
    ------
    ResultError
        If the file cannot be written; or exists and `overwrite` is false: then it names where the result is instead.
    """
    series = {name: array for name, array in arrays.items() if name not in TIMELESS}
    row_bytes = sum(8 * math.prod(array.shape[1:]) for array in series.values())
    rows = max(1, BLOCK_BYTES // row_bytes)
    with ResultWriter(path, overwrite) as writer:
        for start in range(0, max(series["time"].shape[0], 1), rows):
            block = slice(start, start + rows)
            writer.append({name: np.asarray(array[block]) for name, array in series.items()})
        timeless = {name: np.asarray(array[...]) for name, array in arrays.items() if name in TIMELESS}
        return writer.finish(attributes, timeless)


class ResultWriter:
    """Streams one result into an HDF5 file; a context manager.

    The file follows netCDF-4: every dimension is a dimension scale, every dataset has ``units`` and
    ``long_name``. It appears at `path` when `finish` is called; leaving the block in any other way, by an
    exception or without `finish`, leaves nothing behind and an older file as it was.

    Parameters
    ----------
    path : path
        The file to write; its folder is created if need be.
    overwrite : bool
        Whether an existing file may be replaced.

    Raises
    ------
    ResultError
        If the file cannot be written.

    Notes
    -----
    The samples are not compressed. Measured on 1e6 samples of a two-link arm, gzip (level 1, shuffled) made
    writing 15 times and reading 8 times slower and saved 40 %, nearly all of it the zeros of a planar arm.
    """

    def __init__(self, path: str | os.PathLike, overwrite: bool = False):
        self._datasets: dict[str, h5py.Dataset] = {}
        self._samples = 0
        self._output = Hdf5Output(path, overwrite)
        self._layout = NetcdfLayout(self._output.file)

    def append(self, block: Mapping[str, np.ndarray]) -> None:
        """Add the next samples.

        Parameters
        ----------
        block : mapping of str to ndarray
            Datasets (k, ..) of the schema, all with the same number of samples along their first axis. Every block
            holds the same datasets.

        Raises
        ------
        ResultError
            If the file cannot be written, e.g. because the disk is full.
        """
        with as_result_error("write", self._output.target):
            if not self._datasets:
                self._datasets = self._layout.create_series(block)
            if set(block) != set(self._datasets):
                raise ValueError(f"block has datasets {sorted(block)}, expected {sorted(self._datasets)}")
            start, stop = self._samples, self._samples + len(block["time"])
            for name, dataset in self._datasets.items():
                expected = (stop - start, *dataset.shape[1:])
                if block[name].shape != expected:
                    raise ValueError(f"{name} has shape {block[name].shape}, expected {expected}")
                dataset.resize(stop, axis=0)
                if block[name].size:
                    dataset[start:stop] = block[name]
            self._samples = stop
            self._output.check()

    def finish(self, attributes: Mapping, timeless: Mapping[str, np.ndarray] = NOTHING) -> Path:
        """Add the root attributes, ``kind``, ``status`` and ``robot`` among them, and publish the file.

        An incomplete result does not replace a complete one: it is put beside it, see :func:`incomplete_path`.

        Parameters
        ----------
        attributes : mapping
        timeless : mapping of str to ndarray
            Datasets that do not run along the time: impacts, natural modes; shapes and units as in the schema.

        Returns
        -------
        Path
            Where the file is.

        Raises
        ------
        ResultError
            If the file cannot be written.
        SolverError
            If nothing was ever appended.
        """
        if not self._datasets:
            raise SolverError(f"no sample was computed: {attributes.get('message', '')}")
        with as_result_error("write", self._output.target):
            arm = described_arm(attributes, source="robot")
            self._layout.label(arm)
            self._layout.add_timeless(timeless, arm)
            self._output.file.attrs.update({**attributes})
        if attributes.get("status") == "incomplete" and _is_complete(self._output.target):
            self._output.target = incomplete_path(self._output.target)
        return self._output.publish()

    def __enter__(self) -> ResultWriter:
        return self

    def __exit__(self, kind, error, trace) -> None:
        self._output.__exit__(kind, error, trace)

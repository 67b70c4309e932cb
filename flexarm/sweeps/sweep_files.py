"""Sweeps to and from HDF5 files that xarray opens with the varied keys as coordinates."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from flexarm.errors import ResultError
from flexarm.results.atomic_files import as_result_error
from flexarm.results.schema import FORMAT_VERSION
from flexarm.results.whole_files import write_files
from flexarm.results.writer import check_result_target
from flexarm.sweeps.sweep_result import DONE, FAILED, STATUS_MEANINGS, SweepResult, Variable

KIND = "sweep"
LISTS = ("keys", "records", "series")
"""Attributes that are lists of words."""


def save_sweep(result: SweepResult, path: str | os.PathLike, overwrite: bool = False) -> Path:
    """Write a sweep, whole or not at all; return where it is.

    The file follows netCDF-4: every dimension is a dimension scale, every dataset has ``units`` and ``long_name``;
    keys that were drawn together along ``point`` are named in the attribute ``coordinates`` (CF conventions 5).

    Raises
    ------
    ResultError
        If the file exists and `overwrite` is false, or cannot be written.
    """
    target = check_result_target(path, overwrite)
    whole = io.BytesIO()  # HDF5 reads back words that it has written: on a full disk it would find others
    with h5py.File(whole, "w", track_order=True) as file:
        _write(file, result)
    write_files({target: whole.getvalue()}, overwrite)
    return target


def _write(file: h5py.File, result: SweepResult) -> None:
    scales = {}
    for name, one in result.coordinates.items():
        dataset = _create(file, name, one)
        if one.dims == (name,):
            dataset.make_scale(name)
            scales[name] = dataset
    beside = " ".join(name for name, one in result.coordinates.items() if one.dims != (name,))
    for name, one in result.variables.items():
        dataset = _create(file, name, one)
        if beside:
            dataset.attrs["coordinates"] = beside
    for name, one in {**result.coordinates, **result.variables}.items():
        if name not in scales:
            for axis, dimension in enumerate(one.dims):
                file[name].dims[axis].attach_scale(scales[dimension])  # type: ignore[union-attr]
    file["status"].attrs.update(flag_values=np.array([DONE, FAILED], "i1"), flag_meanings=STATUS_MEANINGS)
    lists = {name: np.array(result.attributes[name], dtype=h5py.string_dtype()) for name in LISTS}
    file.attrs.update({**result.attributes, **lists, "kind": KIND, "format_version": FORMAT_VERSION})


def _create(file: h5py.File, name: str, one: Variable) -> h5py.Dataset:
    dtype = h5py.string_dtype() if one.values.dtype.kind in "UO" else one.values.dtype
    dataset = file.create_dataset(name, data=one.values.astype(dtype), dtype=dtype)
    dataset.attrs.update(units=one.units, long_name=one.long_name)
    return dataset


def is_sweep(path: str | os.PathLike) -> bool:
    """Whether a file is the result of a sweep; False also for what cannot be read at all."""
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
        If the file is missing, damaged, or no sweep.
    """
    path = Path(path)
    with as_result_error("read", path):
        path.open("rb").close()
        if not is_sweep(path):
            raise ResultError(f"cannot read {path}: it is not the result of a sweep, or damaged")
        with h5py.File(path, "r", locking=False) as file:
            attributes = {name: _plain(value) for name, value in file.attrs.items()}
            if attributes["format_version"] > FORMAT_VERSION:
                raise ResultError(f"cannot read {path}: it was written by a newer flexarm")
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


def _plain(value: Any) -> Any:
    """An attribute as str, int, float or a tuple of str."""
    if isinstance(value, np.ndarray):
        return tuple(str(item) for item in value)
    return value.item() if isinstance(value, np.generic) else value

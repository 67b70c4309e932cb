"""Sweeps opened from HDF5 files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py

from flexarm.arguments import file_path
from flexarm.errors import ResultError
from flexarm.results.attributes import LISTS
from flexarm.results.reader import result_in
from flexarm.results.result import Result
from flexarm.results.schema import KINDS
from flexarm.results.stored_attributes import read_attributes
from flexarm.results.stored_file import check_dataset, is_text, opened, stored_datasets
from flexarm.sweeps.sweep_result import SweepResult
from flexarm.sweeps.sweep_writer import KIND
from flexarm.sweeps.variable import Variable

ELSEWHERE = dict.fromkeys(KINDS, "it is not the result of a sweep, open it with flexarm.open_result")
"""Kinds of results that are opened elsewhere."""


def open_sweep(path: str | os.PathLike) -> SweepResult:
    """Read the result of a sweep.

    Raises
    ------
    ResultError
        If the file is missing, damaged, no sweep, or of a newer format.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> result = flexarm.sweep(arm, {"payload.mass": [0.0, 1.0]}, output="masses.h5", overwrite=True)
    >>> flexarm.open_sweep("masses.h5")
    SweepResult of 'usoro-two-link': 2 payload.mass, 0 failed
    """
    path = file_path("path", path)
    with opened(path) as file:
        return _sweep_in(path, file)


def open_any(path: str | os.PathLike) -> Result | SweepResult:
    """Open the result of a sweep, or any other, with errors as of :func:`open_sweep`."""
    path = file_path("path", path)
    with opened(path) as file:
        return _sweep_in(path, file) if file.attrs.get("kind") == KIND else result_in(path, file)


def _sweep_in(path: Path, file: h5py.File) -> SweepResult:
    attributes = read_attributes(path, file, (KIND,), ELSEWHERE)
    found = {name: _read(path, name, dataset) for name, dataset in stored_datasets(path, file).items()}
    if fault := _fault(found, *(attributes[name] for name in LISTS)):
        raise ResultError(f"cannot read {path}: {fault}")
    dims = {name for one in found.values() for name in one.dims}
    coordinates = {name: one for name, one in found.items() if name in dims or name in attributes["keys"]}
    variables = {name: one for name, one in found.items() if name not in coordinates}
    return SweepResult(variables, coordinates, attributes, path)


def _read(path: Path, name: str, dataset: Any) -> Variable:
    check_dataset(path, name, dataset)
    values = dataset.asstr()[...] if is_text(dataset) else dataset[...]
    scales = [dataset] if dataset.is_scale else [dimension[0] for dimension in dataset.dims]
    dims = tuple(scale.name.lstrip("/") for scale in scales)
    return Variable(dims, values, str(dataset.attrs["units"]), str(dataset.attrs["long_name"]))


def _fault(
    found: Mapping[str, Variable], keys: Sequence[str], records: Sequence[str], series: Sequence[str]
) -> str:
    """Describe what is missing in a sweep or does not fit together; empty if nothing is."""
    over_points = ("status", "reason", *records)
    numbers = ("status", *records, *series, *keys)
    if missing := [name for name in ("reason", *numbers) if name not in found]:
        return f"a sweep result needs the dataset {', '.join(missing)}"
    if wrong := [name for name in numbers if found[name].values.dtype.kind not in "fiu"]:
        return f"dataset {wrong[0]} does not hold numbers"
    if found["reason"].values.dtype.kind != "O":
        return "dataset reason does not hold text"
    sizes: dict[str, int] = {}
    for name, one in found.items():
        if len(one.dims) != one.values.ndim:
            return f"dataset {name} has {one.values.ndim} dimensions, expected {', '.join(one.dims)}"
        for dim, size in zip(one.dims, one.values.shape, strict=True):
            if sizes.setdefault(dim, size) != size:
                return f"dataset {name} has {size} indices of {dim}, expected {sizes[dim]}"
    dims = found["status"].dims
    wrong = [name for name in over_points if found[name].dims != dims]
    if wrong := wrong + [name for name in series if found[name].dims[: len(dims)] != dims]:
        return f"dataset {wrong[0]} does not run over {', '.join(dims)}"
    if wrong := [key for key in keys if len(found[key].dims) != 1 or found[key].dims[0] not in dims]:
        return f"dataset {wrong[0]} does not run along a dimension of the sweep"
    return ""

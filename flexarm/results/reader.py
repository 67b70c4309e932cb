"""Results opened from HDF5 files; their arrays are read when they are asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import h5py
import numpy as np

from flexarm.arguments import file_path
from flexarm.errors import ResultError
from flexarm.results.dimensions import FIXED_SIZES, dimension_sizes
from flexarm.results.result import Result
from flexarm.results.schema import (
    BASE_SHIFT,
    BASE_TURN,
    DATASETS,
    IMPACTS,
    JOINT_IMPULSES,
    KINDS,
    LIMIT_IMPACTS,
    MOTION_IMPULSES,
    TIMELESS,
    TOUCHES,
    required_datasets,
)
from flexarm.results.storage.atomic_files import as_result_error
from flexarm.results.stored_attributes import read_attributes
from flexarm.results.stored_file import (
    Stamp,
    check_dataset,
    check_values,
    is_text,
    opened,
    stamp_of,
    stored_datasets,
)

SCHEMA = {**DATASETS, **TIMELESS}
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

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> result = flexarm.simulate(arm, output="usoro.h5", overwrite=True)
    >>> again = flexarm.open_result("usoro.h5")
    >>> bool((again.tip == result.tip).all())
    True
    """
    path = file_path("path", path)
    with opened(path) as file:
        return result_in(path, file)


def reopened(path: Path) -> Result:
    """Open a result that this process has just written, without checking its digest once more."""
    with as_result_error("read", path):
        written = stamp_of(path)
    with opened(path, written) as file:
        return result_in(path, file)


def result_in(path: Path, file: h5py.File) -> Result:
    """Return the result in an open file; its arrays are read later.

    Raises
    ------
    ResultError
        See :func:`open_result`.
    """
    attributes = read_attributes(path, file, KINDS, ELSEWHERE)
    datasets = _checked_datasets(path, file, attributes["kind"])
    stamp = stamp_of(path)
    arrays = {name: StoredArray(path, name, each.shape, stamp) for name, each in datasets.items()}
    result = Result(arrays, attributes, path)
    _check_sizes(path, result)
    return result


class StoredArray:
    """An array that stays in its file until it is indexed.

    Attributes
    ----------
    shape : tuple of int
    """

    def __init__(self, path: Path, name: str, shape: tuple[int, ...], stamp: Stamp):
        self.shape = shape
        self._path, self._name, self._stamp = path, name, stamp

    def __getitem__(self, selection) -> np.ndarray:
        if 0 in self.shape[1:]:  # HDF5 selects nothing from nothing
            return np.empty(self.shape)[selection]
        with opened(self._path, self._stamp) as file:
            values = cast(h5py.Dataset, file[self._name])[selection]
        check_values(self._path, self._name, values)
        if SCHEMA[self._name].units != "N m" and np.isinf(values).any():  # a motor's limits may be infinite
            raise ResultError(f"cannot read {self._path}: dataset {self._name} holds infinite numbers")
        return values

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.asarray(self[...], dtype=dtype)


def _checked_datasets(path: Path, file: h5py.File, kind: str) -> dict[str, h5py.Dataset]:
    """Return the datasets of the schema by their names, after checking that none is missing or of the wrong kind."""
    stored = stored_datasets(path, file)
    needed = list(required_datasets(kind))
    lists = (IMPACTS, LIMIT_IMPACTS, TOUCHES, JOINT_IMPULSES, MOTION_IMPULSES)
    for table in (BASE_SHIFT, BASE_TURN, *map(tuple, lists)):
        needed += table if stored.keys() & {*table} else ()
    if missing := [name for name in needed if name not in stored]:
        raise ResultError(f"cannot read {path}: a {kind} result needs the dataset {', '.join(missing)}")
    found = {name: stored[name] for name in SCHEMA if name in stored}
    for name, dataset in found.items():
        check_dataset(path, name, dataset)
        if is_text(dataset) or len(dataset.shape) != len(SCHEMA[name].dims_of(dataset.ndim)):
            raise ResultError(
                f"cannot read {path}: dataset {name} does not hold numbers over {', '.join(SCHEMA[name].dims)}"
            )
    check_values(path, "time", found["time"][...])
    return found


def _check_sizes(path: Path, result: Result) -> None:
    """Make sure that datasets and numbers of joints agree with each other and with the arm."""
    sizes = dict(FIXED_SIZES)
    try:
        sizes |= dimension_sizes(result.arm)
    except ResultError:
        pass  # what is wrong with a description is said where it is needed
    else:
        _check_base(path, result)
    for name in result:
        for dimension, size in zip(
            SCHEMA[name].dims_of(len(result.shape(name))), result.shape(name), strict=True
        ):
            if sizes.setdefault(dimension, size) != size:
                raise ResultError(
                    f"cannot read {path}: dataset {name} has {size} indices of {dimension}, expected {sizes[dimension]}"
                )
    for name, value in result.attributes.items():
        if name.endswith("_joint") and value not in range(sizes["joint"] + 1):
            raise ResultError(
                f"cannot read {path}: attribute {name} is {value}, expected a joint from 1 to {sizes['joint']}"
            )


def _check_base(path: Path, result: Result) -> None:
    """Make sure that the motion of a floating base is there; postures of an arm need it."""
    arm = result.arm
    needed = BASE_SHIFT * (arm.base != "fixed") + BASE_TURN * (
        arm.base == "free" or arm.base_body is not None
    )
    if missing := [name for name in needed if name not in result]:
        raise ResultError(
            f"cannot read {path}: an arm on a {arm.base} base needs the dataset {', '.join(missing)}"
        )

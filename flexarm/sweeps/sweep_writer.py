"""Sweeps to HDF5 files that xarray opens with the varied keys as coordinates."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from flexarm.results.attributes import LISTS
from flexarm.results.hdf5_output import Hdf5Output
from flexarm.results.netcdf_layout import create_dataset
from flexarm.results.storage.atomic_files import as_result_error
from flexarm.sweeps.variable import DONE, FAILED, STATUS_MEANINGS, Variable

KIND = "sweep"


def write_sweep(
    variables: Mapping[str, Variable],
    coordinates: Mapping[str, Variable],
    attributes: Mapping[str, Any],
    path: str | os.PathLike,
    overwrite: bool = False,
) -> Path:
    """Write a sweep, whole or not at all; return where it is.

    The file follows netCDF-4: every dimension is a dimension scale, every dataset has ``units`` and ``long_name``;
    keys that were drawn together along ``point`` are named in the attribute ``coordinates`` (CF conventions 5).

    Parameters
    ----------
    variables, coordinates, attributes : mapping
        As of :class:`~flexarm.sweeps.sweep_result.SweepResult`.

    Raises
    ------
    ResultError
        If the file cannot be written; or exists and `overwrite` is false: then it names where the sweep is instead.
    """
    with Hdf5Output(path, overwrite) as output, as_result_error("write", output.target):
        _write_datasets(output.file, variables, coordinates)
        lists = {name: np.array(attributes[name], dtype=h5py.string_dtype()) for name in LISTS}
        output.file.attrs.update({**attributes, **lists, "kind": KIND})
        return output.publish()


def _write_datasets(
    file: h5py.File, variables: Mapping[str, Variable], coordinates: Mapping[str, Variable]
) -> None:
    everything = {**coordinates, **variables}
    datasets = {
        name: create_dataset(file, name, one.values, one.units, one.long_name)
        for name, one in everything.items()
    }
    scales = {name: datasets[name] for name, one in coordinates.items() if one.dims == (name,)}
    for name, scale in scales.items():
        scale.make_scale(name)
    for name, dataset in datasets.items():
        if name not in scales:
            for axis, dimension in enumerate(everything[name].dims):
                dataset.dims[axis].attach_scale(scales[dimension])
    if auxiliary := " ".join(name for name in coordinates if name not in scales):
        for name in variables:
            datasets[name].attrs["coordinates"] = auxiliary
    datasets["status"].attrs.update(flag_values=np.array([DONE, FAILED], "i1"), flag_meanings=STATUS_MEANINGS)

"""Datasets and dimension scales of a file that follows netCDF-4."""

from __future__ import annotations

import math
from collections.abc import Mapping

import h5py
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.results.dimensions import COORDINATES, coordinate_values
from flexarm.results.schema import CONTROLLER_LABELS, DATASETS, MODE_LABELS, SENSOR_LABELS, TIMELESS, Dataset
from flexarm.results.units import units_of

CHUNK_BYTES = 128 * 1024
LEAST_ROWS = 256


def create_dataset(
    file: h5py.File, name: str, values: np.ndarray, units: str, long_name: str
) -> h5py.Dataset:
    """Write an array of one or more dimensions with its unit and meaning; text becomes strings of any length.

    Numbers are stored in chunks with checksums. HDF5 has none for strings of any length; the digest of the file covers
    them.
    """
    if values.dtype.kind in "UO":
        text = h5py.string_dtype()
        dataset = file.create_dataset(name, data=values.astype(text), dtype=text)
    else:
        limits = tuple(
            size or None for size in values.shape
        )  # a chunk has elements, even where the array has none
        dataset = file.create_dataset(name, data=values, maxshape=limits, chunks=True, fletcher32=True)
    dataset.attrs.update(units=units, long_name=long_name)
    return dataset


class NetcdfLayout:
    """Lays out the datasets of one result: every dimension is a dimension scale, attached to whatever has it."""

    def __init__(self, file: h5py.File):
        self._file = file
        self._series: dict[str, h5py.Dataset] = {}
        self._scales: dict[str, h5py.Dataset] = {}

    def create_series(self, block: Mapping[str, np.ndarray]) -> dict[str, h5py.Dataset]:
        """Create a dataset over time, without samples yet, for each of a block, (k, ..) as :data:`DATASETS` has it."""
        rows = len(block["time"])
        self._scales["time"] = self._create_growing("time", (), rows)
        self._scales["time"].make_scale("time")
        self._create_scales(DATASETS, block)
        self._series = {"time": self._scales["time"]}
        for name, values in block.items():
            if name != "time":
                self._series[name] = self._create_growing(name, values.shape[1:], rows)
                self._attach_scales(self._series[name], DATASETS[name])
        return self._series

    def add_timeless(self, timeless: Mapping[str, np.ndarray], arm: Arm) -> None:
        """Write datasets that do not run along the time, with shapes as :data:`TIMELESS` has them."""
        self._create_scales(TIMELESS, timeless)
        for name, values in timeless.items():
            dataset = create_dataset(self._file, name, values, *units_of(name, arm))
            self._attach_scales(dataset, TIMELESS[name])

    def label(self, arm: Arm) -> None:
        """Write which mode bends which link in which direction, and what else depends on the arm.

        These are names and units of sensors, units that depend on modes and joints, and the stations of section forces.
        """
        modes = [
            (i, direction) for i, link in enumerate(arm.links, start=1) for direction in link.mode_directions
        ]
        links, directions = np.array([i for i, _ in modes], "i8"), np.array([d for _, d in modes], object)
        for name, values in (("mode_link", links), ("mode_direction", directions)):
            self._attach_scales(self._create_fixed(name, MODE_LABELS[name], values), MODE_LABELS[name])
        if "sensor" in self._scales:
            units = [sensor.unit(arm.joints) for _, sensor in arm.sensors]
            for name, texts in zip(SENSOR_LABELS, ([name for name, _ in arm.sensors], units), strict=True):
                label = self._create_fixed(name, SENSOR_LABELS[name], np.array(texts, object))
                self._attach_scales(label, SENSOR_LABELS[name])
        if "controller_output_row" in self._scales:
            for name, entry in CONTROLLER_LABELS.items():
                values = coordinate_values(entry.dims[0], 0, arm)
                self._attach_scales(self._create_fixed(name, entry, values), entry)
        if "load_station" in self._scales:
            scale = self._scales["load_station"]
            scale[...] = coordinate_values("load_station", len(scale), arm)
        for name, dataset in self._series.items():
            units, long_name = units_of(name, arm)
            dataset.attrs.update(units=units, long_name=long_name)

    def _create_scales(self, table: Mapping[str, Dataset], arrays: Mapping[str, np.ndarray]) -> None:
        """Write one value per index of every dimension of the arrays that has no scale yet."""
        sizes = {name: len(scale) for name, scale in self._scales.items() if name != "time"}
        for name, values in arrays.items():
            for dimension, size in zip(table[name].dims_of(values.ndim), values.shape, strict=True):
                if sizes.setdefault(dimension, size) != size:
                    raise ValueError(f"{name} has {size} indices of {dimension}, expected {sizes[dimension]}")
        for dimension, entry in COORDINATES.items():
            if dimension in sizes and dimension not in self._scales:
                values = coordinate_values(dimension, sizes[dimension])
                self._scales[dimension] = self._create_fixed(dimension, entry, values)
                self._scales[dimension].make_scale(dimension)

    def _create_growing(self, name: str, shape: tuple[int, ...], first_rows: int) -> h5py.Dataset:
        """Create a dataset over time; `shape` is that of one sample."""
        rows = CHUNK_BYTES // (8 * max(1, math.prod(shape)))
        rows = max(1, min(rows, max(first_rows, LEAST_ROWS)))  # a short run needs no more than it has
        # HDF5 wants chunks of at least one element, also along a dimension without elements (no modes).
        chunks, limits = (rows, *(size or 1 for size in shape)), (None, *(size or None for size in shape))
        dataset = self._file.create_dataset(
            name, (0, *shape), "f8", maxshape=limits, chunks=chunks, fletcher32=True
        )
        dataset.attrs.update(units=DATASETS[name].units, long_name=DATASETS[name].long_name)
        return dataset

    def _create_fixed(self, name: str, entry: Dataset, values: np.ndarray) -> h5py.Dataset:
        return create_dataset(self._file, name, values, entry.units, entry.long_name)

    def _attach_scales(self, dataset: h5py.Dataset, entry: Dataset) -> None:
        for axis, dimension in enumerate(entry.dims_of(dataset.ndim)):
            dataset.dims[axis].attach_scale(self._scales[dimension])

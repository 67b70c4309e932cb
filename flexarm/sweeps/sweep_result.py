"""Result of a sweep: named arrays over its points, and root attributes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.hints import did_you_mean
from flexarm.html import element, folded, table
from flexarm.results.attributes import as_of_now
from flexarm.results.result import stored_arm
from flexarm.results.xarray_dataset import dataset_of
from flexarm.sweeps.variable import FAILED, Variable

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from xarray import Dataset


class SweepResult(Mapping[str, np.ndarray]):
    """Arrays over the points of a sweep by name: ``result["max_torque"]``.

    Parameters
    ----------
    variables : mapping of str to Variable
        Records and series, ``status`` (0 done, 1 failed) and ``reason``; their first dimensions are those of the sweep.
    coordinates : mapping of str to Variable
        Values of the varied keys; and of further dimensions such as the time.
    attributes : mapping
        How the result came about, see :data:`~flexarm.results.attributes.ATTRIBUTES`: ``robot`` (the YAML text of the
        arm), ``keys``, ``records``, ``series`` and so on.
    path : Path, optional
        The file that the result was opened from.
    """

    def __init__(
        self,
        variables: Mapping[str, Variable],
        coordinates: Mapping[str, Variable],
        attributes: Mapping[str, Any],
        path: Path | None = None,
    ):
        self.variables = MappingProxyType(dict(variables))
        self.coordinates = MappingProxyType(dict(coordinates))
        self.attributes = MappingProxyType(dict(attributes))
        self.path = path

    @property
    def keys_varied(self) -> tuple[str, ...]:
        """The varied keys."""
        return tuple(self.attributes["keys"])

    @property
    def records(self) -> tuple[str, ...]:
        """Names of the records."""
        return tuple(self.attributes["records"])

    @property
    def dims(self) -> tuple[str, ...]:
        """Dimensions of the sweep: keys, and ``point`` for random samples."""
        return self.variables["status"].dims

    @property
    def failed(self) -> np.ndarray:
        """Points that failed, bool with the shape of the sweep, one axis for each of :attr:`dims`."""
        return self["status"] == FAILED

    @cached_property
    def arm(self) -> Arm:
        """The arm as described, before anything was varied; ResultError if the description is wrong."""
        return stored_arm(self.attributes, self.path)

    def at_points(self, key: str) -> np.ndarray:
        """Return the values of a varied key at all points, with the shape of the sweep, in SI units and radians."""
        coordinate = self.coordinates[key]
        place = self.dims.index(coordinate.dims[0])
        shape = [1] * len(self.dims)
        shape[place] = coordinate.values.size
        return np.broadcast_to(coordinate.values.reshape(shape), self["status"].shape)

    def save(self, path: str | os.PathLike, overwrite: bool = False) -> None:
        """Write the result to an HDF5 file, whole or not at all.

        Raises
        ------
        ResultError
            If the file exists and `overwrite` is false, or cannot be written.
        """
        from flexarm.results.hdf5_output import check_result_target  # h5py takes time to import
        from flexarm.sweeps.sweep_writer import write_sweep

        check_result_target(path, overwrite)
        write_sweep(self.variables, self.coordinates, as_of_now(self.attributes), path, overwrite)

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.variables:
            return self.variables[name].values
        hint = did_you_mean(name, self.variables)
        raise KeyError(f"no array {name!r}{hint and '; '}{hint} (there are {', '.join(self.variables)})")

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def plot(self, name: str | None = None) -> Figure:
        """Draw the sweep's picture; see :func:`flexarm.plot`."""
        import flexarm  # the names of the whole package, above all of its layers

        return flexarm.plot(self, name)

    def to_xarray(self) -> Dataset:
        """Return everything as a dataset of xarray, with the varied keys as coordinates.

        Raises
        ------
        ResultError
            xarray is not installed.
        """
        variables, coordinates = (
            {name: (one.dims, one.values, one.units, one.long_name) for name, one in arrays.items()}
            for arrays in (self.variables, self.coordinates)
        )
        return dataset_of(variables, coordinates, self.attributes)

    def __repr__(self) -> str:
        return str(self).partition("\n")[0]

    def _repr_html_(self) -> str:
        rows = [("name", "shape", "unit", "meaning")]
        rows += [
            (name, f"{one.values.shape}", one.units, one.long_name) for name, one in self.variables.items()
        ]
        return element("p", repr(self)) + folded(f"{len(self)} arrays", table(rows, "<<<<"))

    def __str__(self) -> str:
        extent = " x ".join(
            f"{size} {dim}" for dim, size in zip(self.dims, self["status"].shape, strict=True)
        )
        lines = [f"SweepResult of {self.arm.name!r}: {extent}, {np.count_nonzero(self.failed)} failed"]
        width = max(map(len, self.variables))
        lines += [
            f"  {name:<{width}}  {one.values.shape} {one.units}" for name, one in self.variables.items()
        ]
        return "\n".join(lines)

"""Results as datasets of xarray: named dimensions with coordinates, units and meanings, as in their files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ResultError
from flexarm.results.dimensions import COORDINATES, coordinate_values
from flexarm.results.schema import MODE_LABELS
from flexarm.results.units import ENTRIES, units_of

if TYPE_CHECKING:
    from xarray import Dataset


def as_xarray(arrays: Mapping[str, np.ndarray], attributes: Mapping[str, Any], arm: Arm) -> Dataset:
    """Build the dataset of the arrays and attributes of a result, with what its modes are.

    Raises
    ------
    ResultError
        xarray is not installed.
    """
    variables = {
        name: (ENTRIES[name].dims_of(values.ndim), values, *units_of(name, arm))
        for name, values in arrays.items()
    }
    modes = [
        (i, direction) for i, link in enumerate(arm.links, start=1) for direction in link.mode_directions
    ]
    for name, values in zip(MODE_LABELS, zip(*modes, strict=True) if modes else ((), ()), strict=True):
        entry = MODE_LABELS[name]
        kind = object if name == "mode_direction" else int
        variables[name] = entry.dims, np.array(values, kind), entry.units, entry.long_name
    coordinates = {}
    for dims, values, _, _ in variables.values():
        for dim, size in zip(dims, values.shape, strict=True):
            if dim in COORDINATES:
                entry = COORDINATES[dim]
                coordinates[dim] = ((dim,), coordinate_values(dim, size, arm), entry.units, entry.long_name)
    return dataset_of(variables, coordinates, attributes)


Described = Mapping[str, tuple[tuple[str, ...], np.ndarray, str, str]]
"""Arrays by name, each with its dimensions, unit and meaning."""


def dataset_of(variables: Described, coordinates: Described, attributes: Mapping[str, Any]) -> Dataset:
    """Build a dataset of described arrays; ResultError where xarray is not installed."""
    try:
        import xarray
    except ImportError:
        raise ResultError("xarray is not installed", hint="pip install 'flexarm[xarray]'") from None

    def described(arrays: Described) -> dict[str, Any]:
        return {
            name: (dims, values, {"units": units, "long_name": long_name})
            for name, (dims, values, units, long_name) in arrays.items()
        }

    return xarray.Dataset(described(variables), coords=described(coordinates), attrs=dict(attributes))

"""Quantities of a run by name: a dataset of the result file, or some of its columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import outputs_of
from flexarm.hints import did_you_mean
from flexarm.results.dimensions import dimension_sizes, sensor_datasets
from flexarm.results.recorded_datasets import recorded_datasets
from flexarm.results.schema import DATASETS, FURTHER_DATASETS, STRESS
from flexarm.results.units import units_of
from flexarm.sweeps.parameters.keys import KeyFault

Block = Mapping[str, NDArray[np.float64]]
"""Datasets of a run, time along the first axis."""

ALIASES = {"tip": "point_position[-1]", "tip_velocity": "point_velocity[-1]"}
_MEANINGS = {"tip": "position of the tip", "tip_velocity": "velocity of the tip"}
_QUANTITY = re.compile(r"(\w+)(?:\[(-?\d+(?:,\s*-?\d+)*)\])?")


@dataclass(frozen=True)
class Quantity:
    """A dataset, or a part of it: ``joint_angle[0]``, ``point_position[-1,0]``; indices count from 0.

    Attributes
    ----------
    name : str
        As it was asked for.
    dataset : str
    index : tuple of int
        Of the dimensions after the time.
    dims : tuple of str
        Those that are left.
    shape : tuple of int
    units, long_name : str
    """

    name: str
    dataset: str
    index: tuple[int, ...]
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    units: str
    long_name: str

    def pick(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pick the quantity (k, *shape) from samples (k, ..) of its dataset."""
        return values[(slice(None), *self.index)]


def quantity(name: str, arm: Arm, kind: str = "forward") -> Quantity:
    """Look a quantity of the runs of a kind up.

    Raises
    ------
    KeyFault
        Runs of this arm have no such dataset, or it has no such column.
    """
    written = _written_out(name, arm)
    match = _QUANTITY.fullmatch(written)
    known = recorded_datasets(arm, kind)
    if match is not None and match[1] in DATASETS and match[1] not in known:
        raise KeyFault(f"runs of this arm do not record {match[1]}", _remedy(match[1]))
    if match is None or match[1] not in known:
        asked = match[1] if match else name
        names = [*ALIASES, *dict(arm.sensors), *known]
        hint = did_you_mean(asked, names, f"known: {', '.join(names)}")
        raise KeyFault(f"unknown quantity {name!r}", hint)
    entry, sizes = DATASETS[match[1]], dimension_sizes(arm)
    index = tuple(int(part) for part in match[2].split(",")) if match[2] else ()
    along_walls = entry.along_walls and "tangent" in sizes
    dims = entry.dims[1:] + ("tangent",) * along_walls
    shape = tuple(sizes[dim] for dim in dims)
    if len(index) > len(dims):
        raise KeyFault(f"{name!r} has {len(index)} indices, {match[1]} has {len(dims)}")
    for i, dim, size in zip(index, dims, shape, strict=False):
        if not -size <= i < size:
            raise KeyFault(
                f"{name!r}: index {i} of {dim} is out of range", f"there are {size}, counted from 0"
            )
    joint = index[0] % shape[0] if index and dims[0] == "joint" else None
    units, long_name = units_of(match[1], arm, joint)
    if written != name and (sensor := dict(arm.sensors).get(name)) is not None:
        units, long_name = sensor.unit(arm.joints), f"{long_name} {name}"
    meaning = _MEANINGS.get(name.partition("[")[0], long_name)
    return Quantity(name, match[1], index, dims[len(index) :], shape[len(index) :], units, meaning)


def _remedy(dataset: str) -> str:
    """What an arm needs so that its runs record a dataset, if a word about it is enough."""
    if dataset == STRESS:
        return "say run: {record: [loads]}, and give a link material and section"
    asked = [one for one, names in FURTHER_DATASETS.items() if dataset in names]
    return f"say run: {{record: [{asked[0]}]}}" if asked else ""


def _written_out(name: str, arm: Arm) -> str:
    """Name without aliases: ``tip[0]`` is ``point_position[-1,0]``; sensors and controllers of that name come first."""
    if name in (sensors := list(dict(arm.sensors))):
        return f"{sensor_datasets(arm)[-1]}[{sensors.index(name)}]"
    if name in (outputs := list(outputs_of(dict(arm.controllers)))):
        return f"controller_output[{outputs.index(name)}]"
    match = _QUANTITY.fullmatch(name)
    if match is None or match[1] not in ALIASES:
        return name
    whole = ALIASES[match[1]]
    return f"{whole[:-1]},{match[2]}]" if match[2] else whole

"""Numbers and structure of a chain, taken apart, so that arms that differ in numbers share equations.

Dataclasses, pydantic models, tuples, lists and dictionaries are structure; floats and arrays of floats are numbers;
everything else (names, integers, expressions, tables) is compared as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.load import Station, Stretch
from flexarm.description.motion.followed_result import FollowedResult
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.input_model import InputModel
from flexarm.description.values.quantities import Fixed
from flexarm.links import FlexibleLink
from flexarm.model.chain import Body
from flexarm.model.coordinates import Coordinates
from flexarm.model.parts.joint import JointModel
from flexarm.model.tabled_chain import TabledSections

Structure = tuple[object, ...]
"""Structure of a chain or a description; two are equal if only their numbers differ.

Part by part, each before those that it is made of: its type, and how many parts or which keys; ``float``; the shape of
an array; or the value itself of what is no number.
"""

WHOLE = (Coordinates, Station, Stretch, TimeTable, FollowedResult, Fixed)
"""Types whose numbers belong to the structure."""

SHARED = (Body, JointModel, FlexibleLink, TabledSections)
"""Types that are flattened once for each value."""


def flatten(value: Any) -> tuple[Structure, NDArray[np.float64]]:
    """Separate a chain, or parts of a description, into structure and numbers, (k,) [SI units].

    :func:`unflatten` is the inverse.
    """
    structure: list[object] = []
    numbers: list[float] = []
    _read(value, structure, numbers)
    return tuple(structure), np.array(numbers)


def unflatten(like: Any, numbers: Sequence[Any]) -> Any:
    """Rebuild what was flattened with other numbers, or with symbols, (k,) [SI units] in the same order."""
    return _rebuilt(like, iter(numbers))


def _read(value: Any, structure: list[object], numbers: list[float]) -> None:
    if isinstance(value, float) and not isinstance(value, Fixed):
        structure.append(float)
        numbers.append(value)
    elif isinstance(value, np.ndarray):
        structure.append(value.shape)
        numbers += value.ravel().tolist()
    elif isinstance(value, tuple):
        structure.append((tuple, len(value)))
        for part in value:
            _read(part, structure, numbers)
    elif isinstance(value, SHARED):
        own_structure, own_numbers = _flatten_shared(value)
        structure.append(own_structure)
        numbers += own_numbers
    elif isinstance(value, dict):
        structure.append((dict, *value))
        for part in value.values():
            _read(part, structure, numbers)
    elif (names := _names(type(value))) is not None:
        structure.append(type(value))
        for name in names:
            _read(getattr(value, name), structure, numbers)
    else:
        structure.append(value)


@lru_cache(maxsize=1024)
def _flatten_shared(value: Any) -> tuple[Structure, list[float]]:
    """Structure and numbers of a part that many arms of a sweep share."""
    structure, numbers = flatten(_parts(value))
    return structure, numbers.tolist()


def _rebuilt(value: Any, numbers: Iterator[Any]) -> Any:
    if isinstance(value, Fixed):
        return value
    if isinstance(value, float):
        return next(numbers)
    if isinstance(value, np.ndarray):
        entries = [next(numbers) for _ in range(value.size)]
        kind = float if all(isinstance(entry, float) for entry in entries) else object
        return np.array(entries, dtype=kind).reshape(value.shape)
    if isinstance(value, tuple):
        return tuple(_rebuilt(part, numbers) for part in value)
    if (parts := _parts(value)) is None:
        return value
    others = {name: _rebuilt(part, numbers) for name, part in parts.items()}
    if isinstance(value, dict):
        return others
    if isinstance(value, InputModel):
        return value.model_copy(update=others)
    return dataclasses.replace(value, **others)


def _parts(value: Any) -> dict[Any, Any] | None:
    """Parts of a value by their names; None if it is one piece."""
    if isinstance(value, dict):
        return value
    names = _names(type(value))
    return None if names is None else {name: getattr(value, name) for name in names}


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """Names of the fields of a type that has parts."""
    if issubclass(kind, WHOLE):
        return None
    if issubclass(kind, InputModel):
        return tuple(kind.model_fields)
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else None

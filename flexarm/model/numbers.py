"""The numbers of a description apart from its structure, so that arms that differ in numbers share equations.

Dataclasses, pydantic models, tuples, lists and dictionaries are structure; floats and arrays of floats are numbers;
everything else (names, integers, expressions, tables) is compared as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.load import Station
from flexarm.description.motion.drive import TimeTable
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import InputModel
from flexarm.links import FlexibleLink
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array
from flexarm.model.chain import Body, Chain, Joint
from flexarm.model.coordinates import Coordinates


@dataclass(frozen=True, eq=False)
class TabledSections:
    """The motion of a link's sections at some stations; a :class:`~flexarm.links.section_motion.Sections` has all.

    Attributes
    ----------
    directions : tuple of str
        Direction of each mode.
    row : dict
        Station xi -> its row in the tables.
    displacements, rotations : (n_stations, m, 3)
        Displacement and rotation per unit of each mode.
    """

    directions: tuple[str, ...]
    row: dict[float, int]
    displacements: Array
    rotations: Array

    def displacement(self, xi: float) -> Array:
        """Look up r_j, (m, 3)."""
        return self.displacements[self.row[xi]]

    def rotation(self, xi: float) -> Array:
        """Look up theta_j, (m, 3)."""
        return self.rotations[self.row[xi]]


@dataclass(frozen=True, eq=False)
class TabledForeshortening:
    """The foreshortening of a link at some stations, see :class:`~flexarm.links.foreshortening.Foreshortening`."""

    H1: Array
    H2: Array
    at: dict[float, Array]

    def __call__(self, xi: float) -> Array:
        """Look up h_jk, (m, m) [1/m]."""
        return self.at[xi]


def tabled(chain: Chain, stations: tuple[float, ...]) -> Chain:
    """Give the same chain with the motion of its sections as numbers at these stations instead of functions."""
    bodies = tuple(
        Body(body.joint, _tabled_link(body.link, stations)) if isinstance(body.link, FlexibleLink) else body
        for body in chain.bodies
    )
    return dataclasses.replace(chain, bodies=bodies)


@lru_cache(maxsize=256)
def _tabled_link(link: FlexibleLink, stations: tuple[float, ...]) -> FlexibleLink:
    update: dict[str, Any] = {"sections": _tabled_sections(link.sections, stations)}
    if (short := link.foreshortening) is not None:
        update["foreshortening"] = TabledForeshortening(
            short.H1, short.H2, {xi: short(xi) for xi in stations}
        )
    return dataclasses.replace(link, **update)


@lru_cache(maxsize=256)
def _tabled_sections(sections: Sections, stations: tuple[float, ...]) -> TabledSections:
    """Once for all links of one length with the same shapes."""
    row = {xi: k for k, xi in enumerate(dict.fromkeys(stations))}
    displacements, rotations = (
        np.stack([at(xi) for xi in row]) for at in (sections.displacement, sections.rotation)
    )
    return TabledSections(sections.directions, row, displacements, rotations)


Structure = tuple[object, ...]
"""What is left of a description without its numbers; two are equal if only numbers tell them apart.

Part by part, each before those that it is made of: its type, and how many parts or which keys; ``float``; the shape of
an array; or the value itself of what is no number.
"""

WHOLE = (Coordinates, Expression, Station, TimeTable)
"""Types whose numbers belong to the structure."""

SHARED = (Body, Joint, FlexibleLink, TabledSections)
"""Types that are taken apart once for each value."""


def flatten(value: Any) -> tuple[Structure, NDArray[np.float64]]:
    """Separate a description into structure and numbers, (k,)."""
    structure: list[object] = []
    numbers: list[float] = []
    _read(value, structure, numbers)
    return tuple(structure), np.array(numbers)


def unflatten(like: Any, numbers: Sequence[Any]) -> Any:
    """Give a description with other numbers, or with symbols, in the order of :func:`flatten`."""
    return _rebuilt(like, iter(numbers))


def _read(value: Any, structure: list[object], numbers: list[float]) -> None:
    if isinstance(value, float):
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
        own_structure, own_numbers = _shared_apart(value)
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
def _shared_apart(value: Any) -> tuple[Structure, list[float]]:
    """Structure and numbers of a part that many arms of a sweep share."""
    structure, numbers = flatten(_parts(value))
    return structure, numbers.tolist()


def _rebuilt(value: Any, numbers: Iterator[Any]) -> Any:
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
    """The parts of a value by their names; None if it is one piece."""
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

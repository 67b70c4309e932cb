"""Root attributes of a stored result, checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from flexarm.errors import ResultError
from flexarm.results.attributes import ATTRIBUTES, LISTS, NEEDED_BY, REQUIRED, STATUS, TEXTS
from flexarm.results.schema import FORMAT_VERSION
from flexarm.results.storage.digest import FIRST_FORMAT, USER_BLOCK_BYTES


def read_attributes(
    path: Path, file: h5py.File, kinds: tuple[str, ...], otherwise: dict[str, str]
) -> dict[str, Any]:
    """Return the root attributes as str, int, float or tuple of str.

    Parameters
    ----------
    path : Path
    file : h5py.File
    kinds : tuple of str
        Kinds of results that the caller reads.
    otherwise : dict
        Kind of result that another function reads -> message about it.

    Raises
    ------
    ResultError
        The file is no result of flexarm, is of another kind, or of a newer format; or an attribute is missing, or is
        no number or text where it should be one.
    """
    attributes = {name: _plain(value) for name, value in file.attrs.items()}
    if missing := [name for name in REQUIRED if name not in attributes]:
        raise ResultError(
            f"cannot read {path}: it is an HDF5 file, but not a result of flexarm (no attribute {', '.join(missing)})"
        )
    version, kind = attributes["format_version"], attributes["kind"]
    if type(version) is not int or version < 1:
        raise ResultError(f"cannot read {path}: format_version is {version!r}, expected a number from 1")
    if kind in otherwise:
        raise ResultError(f"cannot read {path}: {otherwise[kind]}")
    if version > FORMAT_VERSION or kind not in kinds:
        raise ResultError(
            f"cannot read {path}: format {version}, kind {kind!r} of a newer flexarm "
            f"({attributes.get('flexarm_version', 'unknown')}); this one reads format {FORMAT_VERSION} and the kinds "
            f"{', '.join(kinds)}"
        )
    if version >= FIRST_FORMAT and file.userblock_size != USER_BLOCK_BYTES:
        raise ResultError(f"cannot read {path}: it has lost its digest, so another program has changed it")
    _check_attributes(path, kind, attributes)
    return attributes


def _check_attributes(path: Path, kind: str, attributes: dict[str, Any]) -> None:
    """Make sure that attributes which are listed are of their type, and that those which are needed are there."""
    if missing := [name for name in NEEDED_BY.get(kind, ()) if name not in attributes]:
        raise ResultError(f"cannot read {path}: a {kind} result needs the attribute {', '.join(missing)}")
    for name in ATTRIBUTES.keys() & attributes.keys():
        value = attributes[name]
        if name in TEXTS:
            right, expected = isinstance(value, str), "text"
        elif name in LISTS:
            right, expected = isinstance(value, tuple), "a list of words"
        else:
            right, expected = isinstance(value, int | float), "a number"
        if not right:
            raise ResultError(f"cannot read {path}: attribute {name} is {value!r}, expected {expected}")
    if attributes["status"] not in STATUS:
        raise ResultError(
            f"cannot read {path}: attribute status is {attributes['status']!r}, expected {' or '.join(STATUS)}"
        )


def _plain(value: Any) -> Any:
    """An attribute as h5py reads it, as a type of Python."""
    if isinstance(value, np.ndarray):
        return tuple(str(item) for item in value)
    return value.item() if isinstance(value, np.generic) else value

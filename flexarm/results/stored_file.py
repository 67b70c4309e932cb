"""HDF5 files opened for reading: what is missing, damaged, foreign or newer is explained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from flexarm.errors import ResultError
from flexarm.results.atomic_files import as_result_error
from flexarm.results.attributes import REQUIRED
from flexarm.results.schema import FORMAT_VERSION


@contextmanager
def opened(path: Path) -> Iterator[h5py.File]:
    """Open for reading, without a lock: result files are never changed in place.

    Raises
    ------
    ResultError
        If the file is missing, unreadable, damaged or no HDF5 file.
    """
    with as_result_error("read", path):
        path.open("rb").close()
        if not h5py.is_hdf5(path):
            raise ResultError(
                f"cannot read {path}: it is not an HDF5 file; results are written by `flexarm simulate`"
            )
        try:
            file = h5py.File(path, "r", locking=False)
        except OSError as error:
            raise ResultError(f"cannot read {path}: the file is damaged or cut off ({error})") from error
    with file:
        yield file


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
        The file is no result of flexarm, is of another kind, or of a newer format.
    """
    attributes = {name: _plain(value) for name, value in file.attrs.items()}
    missing = [name for name in REQUIRED if name not in attributes]
    if missing:
        raise ResultError(
            f"cannot read {path}: it is an HDF5 file, but not a result of flexarm (no attribute {', '.join(missing)})"
        )
    version, kind = attributes["format_version"], attributes["kind"]
    if kind in otherwise:
        raise ResultError(f"cannot read {path}: {otherwise[kind]}")
    if version > FORMAT_VERSION or kind not in kinds:
        raise ResultError(
            f"cannot read {path}: format {version}, kind {kind!r} of a newer flexarm "
            f"({attributes.get('flexarm_version', 'unknown')}); this one reads format {FORMAT_VERSION} and the kinds "
            f"{', '.join(kinds)}"
        )
    return attributes


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return tuple(str(item) for item in value)
    return value.item() if isinstance(value, np.generic) else value

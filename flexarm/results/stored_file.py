"""HDF5 files opened for reading: what is missing, damaged, foreign or newer is explained."""

from __future__ import annotations

import math
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np

from flexarm.errors import FlexarmError, ResultError
from flexarm.results.storage.atomic_files import as_result_error
from flexarm.results.storage.digest import check_digest

LARGEST = 1e100
"""Numbers beyond are none of an arm's motion, not even of one that diverges: their powers are not finite."""

Stamp = tuple[int, ...]
"""What tells one version of a file from another: device, inode, size, time of the last change."""


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def opened(path: Path, known: Stamp | None = None) -> Iterator[h5py.File]:
    """Open for reading, without a lock: result files are never changed in place.

    The digest of the file is checked before HDF5 reads any of it, unless the file is known from before. Whatever HDF5
    and h5py raise in the body of the context is taken for damage, so the body should do nothing but read.

    Parameters
    ----------
    path : Path
    known : tuple, optional
        Stamp of the file when it was checked.

    Raises
    ------
    ResultError
        If the file is missing, unreadable, damaged, no HDF5 file, or not the known one any more.
    """
    with _reading(path):
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
            raise ResultError(f"cannot read {path}: it is not an ordinary file")
        with path.open("rb", buffering=0) as raw:
            if known is None:
                check_digest(path, raw)
            elif known != stamp_of(path):
                raise ResultError(f"{path} has changed since it was opened; open it again")
        with h5py.File(path, "r", locking=False) as file:
            yield file


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        with as_result_error("read", path):
            yield
    except FlexarmError:
        raise
    except MemoryError as error:
        raise ResultError(f"cannot read {path}: it needs more memory than there is") from error
    except Exception as error:  # KeyError, RuntimeError, ValueError and others: h5py has no type of its own
        reason = " ".join(str(error).split())
        raise ResultError(f"cannot read {path}: the file is damaged or cut off ({reason})") from error


def stored_datasets(path: Path, file: h5py.File) -> dict[str, h5py.Dataset]:
    """Return the datasets of a file by their names; nothing is read from other places.

    Raises
    ------
    ResultError
        An entry is a link, or its numbers are in another file.
    """
    found = {}
    for name in file:
        if not isinstance(file.get(name, getlink=True), h5py.HardLink):
            raise ResultError(
                f"cannot read {path}: {name!r} is a link to another place, and links are not followed"
            )
        entry = file[name]
        if isinstance(entry, h5py.Dataset):
            if entry.external or entry.is_virtual:
                raise ResultError(f"cannot read {path}: the numbers of {name!r} are in another file")
            found[name] = entry
    return found


def is_text(dataset: h5py.Dataset) -> bool:
    """True for a dataset of strings."""
    return h5py.check_string_dtype(dataset.dtype) is not None


def check_dataset(path: Path, name: str, dataset: h5py.Dataset) -> None:
    """Make sure that a dataset holds real numbers or text, all that its shape promises.

    Raises
    ------
    ResultError
        It does not.
    """
    if dataset.shape is None:
        raise ResultError(f"cannot read {path}: dataset {name} is empty")
    if dataset.dtype.kind not in "fiu" and not is_text(dataset):
        raise ResultError(f"cannot read {path}: dataset {name} does not hold numbers")
    promised = math.prod(dataset.shape) * dataset.dtype.itemsize
    if dataset.compression is None and dataset.id.get_storage_size() < promised:
        raise ResultError(f"cannot read {path}: dataset {name} is not stored whole")


def check_values(path: Path, name: str, values: np.ndarray) -> None:
    """Make sure that what was read of a dataset is in proportion; times are also finite and increase.

    Raises
    ------
    ResultError
        It is not.
    """
    if values.dtype.kind != "f" or not values.size:
        return
    if name == "time" and not (np.isfinite(values).all() and (np.diff(values) > 0).all()):
        raise ResultError(f"cannot read {path}: dataset time does not hold increasing times")
    lowest, highest = np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)
    if lowest < -LARGEST or highest > LARGEST:
        sizes = np.abs(values[np.isfinite(values)])
        if sizes.size and sizes.max() > LARGEST:
            raise ResultError(
                f"cannot read {path}: dataset {name} holds {sizes.max():.3g}, out of proportion for an arm's motion"
            )

"""Arrays by name to .npz files (NumPy), .mat files (MATLAB, Octave, SciPy) and .h5 files (HDF5)."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from flexarm.results.storage.atomic_files import check_ending, write_files


def write_arrays(
    arrays: Mapping[str, np.ndarray], paths: Sequence[str | os.PathLike], overwrite: bool = False
) -> None:
    """Write arrays to files of the kinds that their endings name; none of them if one cannot be written.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Numbers and text by name, of any shape; ``a/b`` is b in the group a, in .mat files a_b.
    paths : sequence of path
    overwrite : bool

    Raises
    ------
    ResultError
        An ending other than .npz, .mat and .h5, or see :func:`~flexarm.results.storage.atomic_files.write_files`.
    """
    files = {Path(path): check_array_ending(Path(path)) for path in paths}
    write_files({path: _WRITERS[ending](arrays) for path, ending in files.items()}, overwrite)


def check_array_ending(path: Path) -> str:
    """Return .npz, .mat or .h5, or refuse the path."""
    return check_ending(path, tuple(_WRITERS), "a file of arrays ends in")


def _npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _mat(arrays: Mapping[str, np.ndarray]) -> bytes:
    from scipy.io import savemat

    # Lists of text become cell arrays.
    contents = {
        _identifier(name): values.astype(object) if values.dtype.kind == "U" and values.ndim else values
        for name, values in arrays.items()
    }
    stream = io.BytesIO()
    savemat(stream, contents, oned_as="column")
    return stream.getvalue()


def _identifier(name: str) -> str:
    """The name as MATLAB takes it: letters, digits and underlines."""
    return re.sub(r"\W+", "_", name).strip("_")


def _hdf5(arrays: Mapping[str, np.ndarray]) -> bytes:
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        for name, values in arrays.items():
            text = values.dtype.kind == "U"
            file.create_dataset(
                name,
                data=values.astype(object) if text else values,
                dtype=h5py.string_dtype() if text else None,
            )
    return stream.getvalue()


_WRITERS = {".npz": _npz, ".mat": _mat, ".h5": _hdf5}

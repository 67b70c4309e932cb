"""Arrays by name to .npz files (NumPy) and .mat files (MATLAB, Octave, SciPy)."""

from __future__ import annotations

import io
import os
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
        Numbers and text by name, of any shape.
    paths : sequence of path
    overwrite : bool

    Raises
    ------
    ResultError
        An ending other than .npz and .mat, or see :func:`~flexarm.results.storage.atomic_files.write_files`.
    """
    files = {Path(path): check_array_ending(Path(path)) for path in paths}
    write_files({path: _WRITERS[ending](arrays) for path, ending in files.items()}, overwrite)


def check_array_ending(path: Path) -> str:
    """Return .npz or .mat, or refuse the path."""
    return check_ending(path, tuple(_WRITERS), "a file of arrays ends in")


def _npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _mat(arrays: Mapping[str, np.ndarray]) -> bytes:
    from scipy.io import savemat

    # Lists of text become cell arrays.
    contents = {
        name: values.astype(object) if values.dtype.kind == "U" and values.ndim else values
        for name, values in arrays.items()
    }
    stream = io.BytesIO()
    savemat(stream, contents, oned_as="column")
    return stream.getvalue()


_WRITERS = {".npz": _npz, ".mat": _mat}

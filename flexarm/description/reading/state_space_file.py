"""Matrices of a state-space controller in an .npz file of NumPy: numbers only, nothing in it is executed."""

from __future__ import annotations

import zipfile
from pathlib import Path

from flexarm.description.arm.control.controller_kinds import MOST_STATES
from flexarm.description.reading.text_file import UnreadableFile

LARGEST_ARRAY = 8 * MOST_STATES**2 + 1024  # bytes
NAMES = ("A", "B", "C", "D")
MATRICES = "an .npz file with the matrices A, B, C and, unless it is 0, D"


def read_state_space(path: Path) -> dict[str, list[list[float]]]:
    """Read the matrices, row by row.

    Raises
    ------
    UnreadableFile
        The file is none of NumPy's, lacks a matrix, or holds something else than real numbers.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {Path(entry.filename).stem: entry for entry in archive.infolist()}
            if missing := [name for name in NAMES[:3] if name not in sizes]:
                raise UnreadableFile(f"has no matrix {', '.join(missing)}, expected {MATRICES}")
            return {name: _matrix(archive, sizes[name], name) for name in NAMES if name in sizes}
    except FileNotFoundError:
        raise UnreadableFile("no such file") from None
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise UnreadableFile(f"cannot be read ({error}), expected {MATRICES}") from None


def _matrix(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> list[list[float]]:
    import numpy as np

    if entry.file_size > LARGEST_ARRAY:
        raise UnreadableFile(f"matrix {name} is too large, expected at most {MOST_STATES} states")
    with archive.open(entry) as file:
        try:
            array = np.lib.format.read_array(file, allow_pickle=False)
        except ValueError as error:
            if "pickle" not in str(error) and "Object" not in str(error):
                raise
            message = f"matrix {name} holds Python objects, which are not read"
            raise UnreadableFile(message, f"expected {MATRICES}") from None
    if array.dtype.kind not in "fiu":
        raise UnreadableFile(f"matrix {name} does not hold real numbers", f"expected {MATRICES}")
    if array.ndim != 2:
        hint = "store B of one input as a column, n x 1, and C of one output as a row, 1 x n"
        raise UnreadableFile(
            f"matrix {name} has {array.ndim} dimension{'s' * (array.ndim != 1)}, expected 2", hint
        )
    return array.astype(float).tolist()

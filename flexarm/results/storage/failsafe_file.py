"""Fail-safe file for HDF5: a full disk does not bring the process down."""

from __future__ import annotations

import io
from pathlib import Path


class FailSafeFile(io.FileIO):
    """A file that remembers its first failure and from then on only pretends to write.

    HDF5 buffers data and, when it cannot write them on closing, takes the whole process down at its end.
    Through this file it closes cleanly; whoever writes asks `check` whether everything arrived.

    Parameters
    ----------
    path : Path
        A file that exists; it is written anew.
    """

    def __init__(self, path: Path):
        super().__init__(path, "wb+")
        self._failure: BaseException | None = None

    def write(self, data) -> int:
        """Write all of `data`, as long as nothing failed."""
        remaining = memoryview(data)
        try:
            while self._failure is None and len(remaining):
                remaining = remaining[super().write(remaining) :]
        except BaseException as failure:  # Ctrl-C too: HDF5 must not see it
            self._failure = failure
        return len(data)

    def truncate(self, size: int | None = None) -> int:
        """Set the length, as long as nothing failed."""
        try:
            return super().truncate(size) if self._failure is None else size or 0
        except BaseException as failure:
            self._failure = failure
            return size or 0

    def check(self) -> None:
        """Raise the first failure, if there was one."""
        if self._failure is not None:
            raise self._failure

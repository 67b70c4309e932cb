"""Part files: what a writer has written so far, under a name of its own beside the target, locked while it lives."""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path

ENDING = ".part"
RANDOM_BYTES = 4
"""Of the name ``TARGET.<8 hexadecimal digits>.part``."""

DIGITS = frozenset("0123456789abcdef")


class PartFile:
    """An empty file beside a target, ``TARGET.1a2b3c4d.part``, that nobody removes as long as its writer lives.

    Parameters
    ----------
    target : Path

    Attributes
    ----------
    path : Path

    Raises
    ------
    OSError
        It cannot be created.

    Notes
    -----
    The writer holds an advisory lock on the file (flock), which the system releases when the process ends, however that
    ends: so :func:`remove_abandoned` can tell parts of the dead from those of the living, and process numbers that are
    given again, or other machines that share the folder, do not mislead it.
    """

    def __init__(self, target: Path):
        while True:
            self.path = target.with_name(f"{target.name}.{secrets.token_hex(RANDOM_BYTES)}{ENDING}")
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            try:
                with suppress(OSError):  # a file system without locks: nobody will remove the part
                    fcntl.flock(self._descriptor, fcntl.LOCK_EX)
                if is_at(self.path, self._descriptor):  # not removed before it was locked
                    return
            except BaseException:
                self.close()
                raise
            self.close()

    def flush(self) -> None:
        """Wait until the disk has it."""
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Release the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def remove_abandoned(target: Path) -> None:
    """Remove the parts of a target whose writers were killed; those of living writers stay."""
    for path in _parts(target):
        with suppress(OSError):  # it is locked, or was removed by another process, or is not ours
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(path)
            finally:
                os.close(descriptor)


def _parts(target: Path) -> list[str]:
    """Paths of the part files beside a target; none where there is no folder."""
    begin, length = f"{target.name}.", len(target.name) + 1 + 2 * RANDOM_BYTES + len(ENDING)
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(target.parent) as entries:
        return [
            entry.path
            for entry in entries
            if len(entry.name) == length
            and entry.name.startswith(begin)
            and entry.name.endswith(ENDING)
            and DIGITS.issuperset(entry.name[len(begin) : -len(ENDING)])
        ]
    return []


def is_at(path: Path, descriptor: int) -> bool:
    """True if a path still leads to what was opened there."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False

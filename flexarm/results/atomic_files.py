"""Output files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from flexarm.errors import ResultError


@contextmanager
def as_result_error(action: str, path: Path) -> Iterator[None]:
    """Raise errors of the operating system and of HDF5 as ResultError that names the action and the file."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ResultError(f"cannot {action} {path}: {reason}") from error


def check_target(path: str | os.PathLike, overwrite: bool = False) -> Path:
    """Make sure that a file can be written at `path`; call it before any long computation.

    A missing folder is created. A link is followed, so that its target is what gets replaced.

    Returns
    -------
    Path
        The absolute path of the file.

    Raises
    ------
    ResultError
        If the file exists and `overwrite` is false, is not an ordinary file, or its folder cannot be
        created or written to.
    """
    target = Path(os.path.realpath(path))
    with as_result_error("write", target):
        if target.is_dir():
            raise ResultError(f"cannot write {target}: it is a folder; give the name of a file")
        if target.exists() and not target.is_file():
            raise ResultError(f"cannot write {target}: it is not an ordinary file")
        if target.exists() and not overwrite:
            raise ResultError(
                f"{target} exists already", hint="pass `overwrite` to replace it or choose another name"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    return target


def check_space(path: str | os.PathLike, needed: float) -> None:
    """Refuse to begin a file that will not fit on its disk.

    Raises
    ------
    ResultError
        With both sizes; `needed` is in bytes.
    """
    folder = Path(os.path.realpath(path)).parent
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise ResultError(
            f"cannot write {path}: it needs {needed / 1e9:.3g} GB, {free / 1e9:.3g} GB are free on its disk "
            "(raise run.sample, or simulate a shorter time)"
        )


class AtomicFile:
    """A file written under another name beside its target and renamed when it is complete.

    Whoever opens the target sees the older file or the whole new one, even after a crash; a killed process
    leaves at most a ``.part`` file, never a broken target.

    Parameters
    ----------
    path : path
        The target.
    overwrite : bool
        Whether an existing target may be replaced.

    Attributes
    ----------
    target, part : Path
        Where the file will be, and where it is written until then.

    Raises
    ------
    ResultError
        See `check_target`; also if the target turns up while the file is being written.
    """

    def __init__(self, path: str | os.PathLike, overwrite: bool = False):
        self.target = check_target(path, overwrite)
        self.part = self.target.with_name(f"{self.target.name}.{secrets.token_hex(4)}.part")
        self._overwrite = overwrite
        self._stays = False

    def commit(self) -> None:
        """Put the complete file in its place."""
        if self.target.exists() and not self._overwrite:
            self._stays = True
            raise ResultError(
                f"{self.target} was written by another program meanwhile; this result stays in {self.part}"
            )
        with as_result_error("write", self.target):
            _flush_to_disk(self.part)
            os.replace(self.part, self.target)
            self._stays = True
            _flush_to_disk(self.target.parent)

    def discard(self) -> None:
        """Remove the part, unless it was put in its place or is all that there is of it."""
        if not self._stays:
            self.part.unlink(missing_ok=True)

    def __enter__(self) -> AtomicFile:
        return self

    def __exit__(self, kind, error, trace) -> None:
        try:
            if kind is None:
                self.commit()
        finally:
            self.discard()


def write_files(contents: Mapping[Path, str | bytes], overwrite: bool = False) -> None:
    """Write files of text or bytes; none of them if one of them cannot be written or exists already.

    Raises
    ------
    ResultError
        See :func:`check_target`.
    """
    for path in contents:
        check_target(path, overwrite)
    for path, content in contents.items():
        with AtomicFile(path, overwrite) as pending, as_result_error("write", pending.target):
            pending.part.write_bytes(content if isinstance(content, bytes) else content.encode())


def _flush_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""Output files that appear whole or not at all."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from flexarm.arguments import file_path
from flexarm.errors import ResultError
from flexarm.hints import listed
from flexarm.results.storage.part_files import PartFile, remove_abandoned


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

    A missing folder is created. A link is followed, so that its target is what gets replaced. What killed processes
    have left of earlier attempts is removed.

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
    target = Path(os.path.realpath(file_path("path", path)))
    with as_result_error("write", target):
        remove_abandoned(target)
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


def check_ending(path: str | os.PathLike, endings: Sequence[str], what: str) -> str:
    """Return the ending of a file's name in small letters, before anything is computed for it.

    Raises
    ------
    ResultError
        It is none of those in which the names of such files end; `what` names these files: "a result ends in".
    """
    ending = file_path("path", path).suffix.lower()
    if ending not in endings:
        shown = repr(Path(path).suffix) if ending else "none"
        raise ResultError(f"cannot write {path}: {what} {listed(endings)}, got {shown}")
    return ending


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


class TargetTaken(ResultError):
    """A complete file whose name another program took meanwhile, and which got another name."""


class AtomicFile:
    """A file written under another name beside its target, which it gets when it is complete.

    Call `check_target` first, before any long computation. Here an existing target is no obstacle: what was computed is
    not lost because another program took the name meanwhile.

    Whoever opens the target sees the older file or the whole new one, even after a crash. A killed process leaves at
    most a part (see :class:`~flexarm.results.storage.part_files.PartFile`), which the next one that writes to the same
    target removes.

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
        The target is no file, or its folder cannot be written to.
    """

    def __init__(self, path: str | os.PathLike, overwrite: bool = False):
        self.target = check_target(path, overwrite=True)
        with as_result_error("write", self.target):
            self._file = PartFile(self.target)
        self.part = self._file.path
        self._overwrite = overwrite
        self._stays = False

    def commit(self) -> None:
        """Put the complete file in its place.

        Raises
        ------
        ResultError
            It cannot be written.
        TargetTaken
            The target turned up while the file was being written; the error names where the file is instead.
        """
        place = self.target
        with as_result_error("write", self.target):
            self._file.flush()
            if self._overwrite:
                os.replace(self.part, self.target)
            else:
                place = next(path for path in _names_like(self.target) if _take_name(self.part, path))
            self._stays = True
            _flush_to_disk(self.target.parent)
        if place != self.target:
            raise TargetTaken(
                f"{self.target} was written by another program meanwhile; this one stays in {place}"
            )

    def discard(self) -> None:
        """Remove the part, unless it was put in its place."""
        if not self._stays:
            self.part.unlink(missing_ok=True)
        self._file.close()

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


def _take_name(part: Path, target: Path) -> bool:
    """Give a file its final name, unless there is a file of that name: of several processes, one succeeds."""
    try:
        os.link(part, target)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links: an empty file claims the name
        try:
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        os.replace(part, target)
    else:
        part.unlink()
    return True


def _names_like(target: Path) -> Iterator[Path]:
    """The name itself and those to fall back upon: ``arm.h5``, ``arm.2.h5``, ``arm.3.h5`` and so on."""
    yield target
    for number in itertools.count(2):
        yield target.with_name(f"{target.stem}.{number}{target.suffix}")


def _flush_to_disk(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""HDF5 files of results as they are written: with a digest, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import h5py

from flexarm.errors import ResultError
from flexarm.results.schema import FORMAT_VERSION
from flexarm.results.storage.atomic_files import AtomicFile, as_result_error, check_ending, check_target
from flexarm.results.storage.digest import USER_BLOCK_BYTES, is_result, write_digest
from flexarm.results.storage.failsafe_file import FailSafeFile

ENDINGS = (".h5", ".hdf5", ".nc")
"""What names of results end in: they are HDF5 files, which also are netCDF-4 files."""
CACHE_BYTES = 1024 * 1024  # per dataset, for chunks that are not full yet


def check_result_target(
    path: str | os.PathLike, overwrite: bool = False, sources: Collection[Path] = ()
) -> Path:
    """Make sure that a result can be written at `path`, and that nothing but a result is replaced there.

    Parameters
    ----------
    sources : collection of Path
        Results that the run reads, which it does not replace.

    Raises
    ------
    ResultError
        See :func:`~flexarm.results.storage.atomic_files.check_target`; also if the ending is none of :data:`ENDINGS`,
        or the file there is no HDF5 file, or one of the sources.
    """
    check_ending(path, ENDINGS, "a result ends in")
    target = check_target(path, overwrite)
    if target.exists() and not is_result(target):
        raise ResultError(f"{target} is not a result, so it is not replaced by one; choose another name")
    if target in sources:
        raise ResultError(f"{target} is the result that the arm follows; choose another name")
    return target


class Hdf5Output:
    """A result file being written; a context manager.

    Call `check_result_target` first, before any long computation.

    The file appears at its target when `publish` is called. Leaving the block in any other way, by an exception or
    without `publish`, leaves nothing behind and an older file as it was.

    Parameters
    ----------
    path : path
        The target; its folder is created if need be.
    overwrite : bool
        Whether an existing file may be replaced.

    Attributes
    ----------
    file : h5py.File
        Where datasets and attributes go.
    target : Path
        May be changed until the file is published.

    Raises
    ------
    ResultError
        If the file cannot be written.
    """

    def __init__(self, path: str | os.PathLike, overwrite: bool = False):
        self._pending = AtomicFile(path, overwrite)
        try:
            with as_result_error("write", self.target):
                self._raw = FailSafeFile(self._pending.part)
                self.file = h5py.File(
                    self._raw, "w", track_order=True, rdcc_nbytes=CACHE_BYTES, userblock_size=USER_BLOCK_BYTES
                )
        except BaseException:
            self._pending.discard()
            raise

    @property
    def target(self) -> Path:
        """Where the file will be."""
        return self._pending.target

    @target.setter
    def target(self, path: Path) -> None:
        self._pending.target = path

    def check(self) -> None:
        """Raise the first failure of the operating system, if there was one."""
        self._raw.check()

    def publish(self) -> Path:
        """Complete the file, put it in its place and return where that is.

        Raises
        ------
        ResultError
            It cannot be written; or its name was taken meanwhile, see
            :class:`~flexarm.results.storage.atomic_files.TargetTaken`.
        """
        with as_result_error("write", self.target):
            self.file.attrs["format_version"] = FORMAT_VERSION
            self.file.close()
            self._raw.check()
            write_digest(self._raw)
            self._raw.close()
            self._raw.check()
        self._pending.commit()
        return self.target

    def __enter__(self) -> Hdf5Output:
        return self

    def __exit__(self, kind, error, trace) -> None:
        try:
            self.file.close()
            self._raw.close()
        finally:
            self._pending.discard()
            if isinstance(error, Exception):  # what HDF5 complains of may follow from a disk that is full
                with as_result_error("write", self.target):
                    self._raw.check()

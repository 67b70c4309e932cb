"""Cache of object code on disk: what one process has compiled, the next one loads, if nobody else can write there."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import llvmlite
from llvmlite import binding as llvm

from flexarm.codegen.processor import processor

LOG = logging.getLogger(__name__)

CHECKSUM_BYTES = 32
"""A file begins with the SHA-256 of its key and its object code: running other code would end the process, or worse."""

MAX_FOLDER_BYTES = 256e6
"""Size of a folder above which the least recently used files are evicted."""

WRITES_PER_EVICTION = 20
"""Measuring a folder takes longer than a write: one write out of so many, drawn by lot, does it."""

FOLDER_MODE, FILE_MODE = 0o700, 0o600
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def cached_object(name: str, content: bytes, compile_code: Callable[[], bytes]) -> bytes:
    """Read object code that some process has compiled before, or compile and store it.

    Parameters
    ----------
    name : str
        Beginning of the file's name.
    content : bytes
        All that the code depends on besides the processor and LLVM.
    compile_code : callable
        Compiles it.

    Notes
    -----
    The key of a file is a hash of what its code depends on; the name carries it, and the checksum covers it. Files are
    written beside their place and renamed, and checked when they are read: so processes that write at once, and stale,
    damaged or renamed files do no harm. Folders and files that another user owns or may write are passed over. Without
    a writable folder there is no cache.
    """
    return kept_object(name, object_key(name, content), compile_code)


def object_key(name: str, content: bytes) -> str:
    """Key of object code: a hash of all that it depends on, processor and LLVM included."""
    return hashlib.sha256(b"\0".join((name.encode(), _processor(), content))).hexdigest()


def kept_object(name: str, key: str, compile_code: Callable[[], bytes]) -> bytes:
    """Read the object code of a key, or compile and store it; see :func:`cached_object`."""
    code = read_object(name, key)
    if code is None:
        code = compile_code()
        _store(_file_name(name, key), bytes.fromhex(key), code)
    return code


def read_object(name: str, key: str) -> bytes | None:
    """Read the object code of a key, if there is any."""
    return _read(_file_name(name, key), bytes.fromhex(key))


def _file_name(name: str, key: str) -> str:
    return f"{name}.{key[:32]}.o"


def load_object(code: bytes, machine: llvm.TargetMachine) -> llvm.ExecutionEngine:
    """Make object code callable for as long as the engine lives."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@cache
def _processor() -> bytes:
    """Processor, LLVM and options: all that object code depends on besides its source."""
    chosen = processor()
    return "\n".join((llvmlite.__version__, chosen.name, chosen.features)).encode()


def _folders() -> list[Path]:
    """Folders of the cache, the preferred one first: the user's, and that of the package's byte code."""
    from platformdirs import (
        user_cache_path,
    )  # only where object code is needed: `flexarm --help` starts without

    return [user_cache_path("flexarm", appauthor=False), Path(__file__).parent / "__pycache__"]


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open a folder of the cache, so that it cannot be exchanged meanwhile; PermissionError if it is not ours alone."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if not _is_ours(os.fstat(descriptor)):
            _report_refusal(folder)
            raise PermissionError
        yield descriptor
    finally:
        os.close(descriptor)


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & WRITABLE_BY_OTHERS


@cache
def _report_refusal(folder: Path) -> None:
    """Say once why every start takes long."""
    if folder == _folders()[0]:
        LOG.info(
            "compiled code is not kept: other users own or may write %s (chmod 700, or remove it)", folder
        )


def _create(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        folder.mkdir(FOLDER_MODE)
        folder.chmod(FOLDER_MODE)  # whatever the umask


def _read(file_name: str, key: bytes) -> bytes | None:
    for folder in _folders():
        with suppress(OSError), _opened(folder) as directory:
            descriptor = os.open(file_name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory)
            with open(descriptor, "rb") as file:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode) or not _is_ours(status):
                    continue
                content = file.read()
                checksum, code = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
                if hashlib.sha256(key + code).digest() == checksum:
                    with suppress(OSError):
                        os.utime(descriptor)  # it was used
                    return code
    return None


def _store(file_name: str, key: bytes, code: bytes) -> None:
    for folder in _folders():
        with suppress(OSError):
            _create(folder)
            with _opened(folder) as directory:
                _write(file_name, hashlib.sha256(key + code).digest() + code, directory)
                if secrets.randbelow(WRITES_PER_EVICTION) == 0:
                    _evict(directory)
            return


def _write(file_name: str, content: bytes, directory: int) -> None:
    """Write a file, whole or not at all."""
    part = f"{file_name}.{secrets.token_hex(4)}.part"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE, dir_fd=directory)
    try:
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, FILE_MODE)  # whatever the umask
            file.write(content)
        os.replace(part, file_name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        os.unlink(part, dir_fd=directory)
        raise


def _evict(directory: int) -> None:
    """Remove the least recently used files, parts left by killed processes included."""
    files = []
    for name in os.listdir(directory):
        if name.endswith(".o") or (".o." in name and name.endswith(".part")):
            with suppress(OSError):  # another process may have removed it
                status = os.stat(name, dir_fd=directory, follow_symlinks=False)
                files.append((status.st_mtime, status.st_size, name))
    excess = sum(size for _, size, _ in files) - MAX_FOLDER_BYTES
    for _, size, name in sorted(files):
        if excess <= 0:
            return
        with suppress(OSError):
            os.unlink(name, dir_fd=directory)
        excess -= size

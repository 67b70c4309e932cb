"""Cache of object code on disk: what one process has compiled, the next one loads."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import llvmlite
from llvmlite import binding as llvm

CHECKSUM_BYTES = 32
"""A file begins with the SHA-256 of its object code: running damaged code would end the process."""

MAX_FOLDER_BYTES = 256e6
"""Size of a folder above which the least recently used files are evicted."""

WRITES_PER_EVICTION = 20
"""Measuring a folder takes longer than a write: one write out of so many, drawn by lot, does it."""


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
    Files are named after a hash of what their code depends on, written beside their place and renamed, and checked when
    they are read: so processes that write at once, stale and damaged files do no harm. Without a writable folder there
    is no cache.
    """
    file_name = f"{name}.{hashlib.sha256(content + _processor()).hexdigest()[:32]}.o"
    code = _read(file_name)
    if code is None:
        code = compile_code()
        _store(code, file_name)
    return code


def load_object(code: bytes, machine: llvm.TargetMachine) -> llvm.ExecutionEngine:
    """Make object code callable for as long as the engine lives."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@cache
def _processor() -> bytes:
    """Processor, LLVM and options: all that object code depends on besides its source."""
    parts = (llvmlite.__version__, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    return "\n".join(parts).encode()


def _folders() -> list[Path]:
    """Folders of the cache, the preferred one first: the user's, and that of the package's byte code."""
    from platformdirs import (
        user_cache_path,
    )  # only where object code is needed: `flexarm --help` starts without

    return [user_cache_path("flexarm", appauthor=False), Path(__file__).parent / "__pycache__"]


def _read(file_name: str) -> bytes | None:
    for folder in _folders():
        try:
            content = (folder / file_name).read_bytes()
        except OSError:
            continue
        checksum, code = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
        if hashlib.sha256(code).digest() == checksum:
            with suppress(OSError):
                os.utime(folder / file_name)  # it was used
            return code
    return None


def _store(code: bytes, file_name: str) -> None:
    """Write an object file, whole or not at all."""
    for folder in _folders():
        part = folder / f"{file_name}.{secrets.token_hex(4)}.part"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(hashlib.sha256(code).digest() + code)
            os.replace(part, folder / file_name)
        except OSError:
            with suppress(OSError):
                part.unlink()
            continue
        if secrets.randbelow(WRITES_PER_EVICTION) == 0:
            _evict(folder)
        return


def _evict(folder: Path) -> None:
    """Remove the least recently used files, parts left by killed processes included."""
    with suppress(OSError):
        files = []
        for pattern in ("*.o", "*.o.*.part"):
            for path in folder.glob(pattern):
                with suppress(OSError):  # another process may have removed it
                    status = path.stat()
                    files.append((status.st_mtime, status.st_size, path))
        excess = sum(size for _, size, _ in files) - MAX_FOLDER_BYTES
        for _, size, path in sorted(files):
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= size

"""Key of a run: a hash of all on which its equations, its initial state and what it records depend."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import flexarm
from flexarm.codegen.object_cache import object_key
from flexarm.description.arm.arm import Arm
from flexarm.description.values.input_model import InputModel

UNUSED = (
    "analysis",
    "cli",
    "comparison",
    "export",
    "identification",
    "plots",
    "reports",
    "sweeps",
    "urdf",
    "validation",
)
"""Folders of the package on which no run depends: the layers above the simulation."""

LIBRARIES = ("casadi", "numpy", "scipy")
"""Packages that compute, and write, the equations; llvmlite belongs to the key of every object code."""

SETTINGS = (
    "BLIS_",
    "FLEXARM_",
    "GLIBC_TUNABLES",
    "GOTO_",
    "LD_",
    "MKL_",
    "NPY_",
    "OMP_",
    "OPENBLAS_",
    "VECLIB_",
)
"""Beginnings of the names of environment variables that change numbers in their last bits: they choose the kernels and
threads of linear algebra, or which elementary functions the C library takes, or that library itself."""

STORED_RUNS = "run"
"""Beginning of the names of the files of stored runs in the cache."""

TICK = 0.1  # s: file systems note times by a clock that ticks


class _Unknown(Exception):
    """What a run depends on cannot be told for certain."""


def run_key(arm: Arm, process_start: float) -> str | None:
    """Key under which the run of an arm is stored; None if it cannot be told for certain.

    Parameters
    ----------
    arm : Arm
    process_start : float [s]
        Time since the epoch at which this process had loaded no source file yet: what has changed since may not be what
        it has loaded, so there is no key then.
    """
    settings = sorted(item for item in os.environ.items() if item[0].startswith(SETTINGS))
    try:
        sources, versions, written = _sources(process_start - TICK), _versions(), _written(arm)
        parts = (sources, sys.version, _c_library(), *versions, repr(settings), *written)
    except (_Unknown, OSError):  # such as a link that an editor has left among the sources
        return None
    return object_key(STORED_RUNS, "\0".join(parts).encode())


def _written(value: Any) -> Iterator[str]:
    """Write a part of a description down to its numbers, so that no two of them read alike.

    Raises
    ------
    _Unknown
        It has a value of a type of which that is not known.
    """
    kind = type(value)
    if isinstance(value, float):
        yield f"{kind.__qualname__} {value.hex()}"
    elif kind in (int, bool, str) or value is None:
        yield repr(value)
    elif isinstance(value, InputModel):
        yield from _group(kind, ((name, getattr(value, name)) for name in kind.model_fields))
    elif dataclasses.is_dataclass(value):
        yield from _group(
            kind, ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        )
    elif isinstance(value, tuple):
        yield from _group(kind, enumerate(value))
    elif kind is dict:
        yield from _group(kind, value.items())
    else:
        raise _Unknown


def _group(kind: type, parts: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    yield f"{kind.__module__}.{kind.__qualname__}("
    for name, part in parts:
        yield repr(name)
        yield from _written(part)
    yield ")"


def _sources(latest: float) -> str:
    """Hash of all source files that a run may depend on.

    Raises
    ------
    _Unknown
        There are none, or one has changed after `latest` [s].
    """
    found, folder = hashlib.sha256(), Path(flexarm.__file__).parent
    for entry in _source_files(folder, UNUSED):
        descriptor = os.open(entry, os.O_RDONLY)  # a file object for each would take as long as all the rest
        try:
            status = os.fstat(descriptor)
            if status.st_ctime > latest:
                raise _Unknown
            found.update(f"{entry.path}\0{status.st_size}\0".encode())
            found.update(os.read(descriptor, status.st_size))
        finally:
            os.close(descriptor)
    if not (folder / "__init__.py").is_file():
        raise _Unknown
    return found.hexdigest()


def _source_files(folder: str | os.PathLike, left_out: tuple[str, ...] = ()) -> Iterator[os.DirEntry]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.name.endswith(".py"):
                yield entry
            elif entry.name not in left_out and entry.name != "__pycache__" and entry.is_dir():
                yield from _source_files(entry.path)


def _versions() -> list[str]:
    """Names, with the versions, under which the libraries are installed, and when they were.

    Raises
    ------
    _Unknown
        One does not tell.
    """
    found: list[str] = []
    for library in LIBRARIES:
        spec = find_spec(library)
        if spec is None or spec.origin is None:
            raise _Unknown
        with os.scandir(Path(spec.origin).parents[1]) as entries:
            own = [
                one for one in entries if one.name.startswith(f"{library}-") and one.name.endswith("-info")
            ]
        if not own:
            raise _Unknown
        found += sorted(f"{one.name} {one.stat().st_mtime_ns}" for one in own)
    return found


def _c_library() -> str:
    """Version of the C library, or else of the system, whose elementary functions the numbers of an arm come from."""
    name = "CS_GNU_LIBC_VERSION"
    return (os.confstr(name) if name in os.confstr_names else None) or repr(os.uname())

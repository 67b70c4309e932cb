"""Integrator kernels written for numba, kept as object code: compiled once per machine, then loaded by llvmlite alone.

Importing numba and its cached code takes longer than simulating a typical arm, so a process does it only when the
object file is missing. A kernel module ``NAME_kernel.py`` holds a function ``advance`` of numbers and pointers and its
numba ``SIGNATURE``; it returns an integer and raises nothing.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from llvmlite import binding as llvm

from flexarm.codegen.native import target_machine

LOG = logging.getLogger(__name__)

SYMBOL = "advance"
PLAIN_SYMBOLS = {"sqrt", "pow", "memset", "memcpy"}
"""What the object code may ask of the C library; anything else would need numba at run time."""

CHECKSUM_BYTES = 32
"""The object code is kept behind its SHA-256."""

_engines: list[llvm.ExecutionEngine] = []  # they hold the memory of the code


@cache
def native_kernel(name: str, *arguments: type) -> Callable[..., int]:
    """Load the kernel of an integrator as a function of ctypes arguments.

    Parameters
    ----------
    name : str
        Its module is ``flexarm.solvers.NAME_kernel``.
    arguments : ctypes types

    Notes
    -----
    Called through ctypes it runs without the interpreter's lock.
    """
    machine = target_machine(optimisation=2)
    file_name = f"{name}.{_key(name)}.o"
    code = _find(file_name)
    if code is None:
        LOG.info("compiling the integrator %s, once on this machine; this takes some seconds", name)
        code = _compile(name, machine)
        _keep(code, name, file_name)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *arguments)(engine.get_function_address(SYMBOL))


def _key(name: str) -> str:
    """Fingerprint of everything the object code depends on: sources, compilers, processor."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem.startswith((name.partition("_")[0], "calling", "compiled", "native_kernel")):
            digest.update(path.read_bytes())
    features = llvm.get_host_cpu_features().flatten()
    for part in (version("numba"), version("llvmlite"), llvm.get_host_cpu_name(), features):
        digest.update(part.encode())
    return digest.hexdigest()[:20]


def _folders() -> list[Path]:
    """Where object code is kept: beside the package's byte code, or in the user's cache."""
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    return [Path(__file__).parent / "__pycache__", user / "flexarm"]


def _find(file_name: str) -> bytes | None:
    for folder in _folders():
        try:
            content = (folder / file_name).read_bytes()
        except OSError:
            continue
        checksum, code = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
        if hashlib.sha256(code).digest() == checksum:  # running damaged code would end the process
            return code
    return None


def _keep(code: bytes, name: str, file_name: str) -> None:
    """Write the object file, whole or not at all, in place of older ones; without a writable folder do nothing."""
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
        for older in folder.glob(f"{name}.*.o"):
            if older.name != file_name:
                older.unlink(missing_ok=True)
        return


def _compile(name: str, machine: llvm.TargetMachine) -> bytes:
    """Have numba translate the kernel, and keep nothing of it but the kernel itself."""
    from numba import cfunc

    kernel = import_module(f"flexarm.solvers.{name}_kernel")
    compiled = cfunc(kernel.SIGNATURE, error_model="numpy", fastmath={"contract"})(kernel.advance)
    module = llvm.parse_assembly(compiled.inspect_llvm())
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != compiled.native_name:
            value.linkage = "internal"
    module.get_function(compiled.native_name).name = SYMBOL
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(module, passes)
    needed = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")}
    if not needed <= PLAIN_SYMBOLS:
        raise AssertionError(
            f"the kernel {name} is not self-contained: it needs {sorted(needed - PLAIN_SYMBOLS)}"
        )
    return machine.emit_object(module)

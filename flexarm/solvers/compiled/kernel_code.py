"""Integrator kernels written for numba, kept as object code: compiled once per machine, then loaded by llvmlite alone.

Importing numba and its cached code takes longer than simulating a typical arm, so a process does it only when the
object file is missing. A kernel module holds a function ``advance`` of numbers and pointers and its
numba ``SIGNATURE``; it returns an integer and raises nothing.
"""

from __future__ import annotations

import ctypes
import logging
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

from flexarm.codegen.native import target_machine
from flexarm.codegen.object_cache import cached_object, load_object

LOG = logging.getLogger(__name__)

SYMBOL = "advance"
PLAIN_SYMBOLS = {"sqrt", "pow", "memset", "memcpy"}
"""What the object code may ask of the C library; anything else would need numba at run time."""

_engines: list[llvm.ExecutionEngine] = []  # they hold the memory of the code


@cache
def native_kernel(name: str, *arguments: type) -> Callable[..., int]:
    """Load the kernel of an integrator as a function of ctypes arguments.

    Parameters
    ----------
    name : str
        Its module, below ``flexarm.solvers``.
    arguments : ctypes types

    Notes
    -----
    Called through ctypes it runs without the interpreter's lock.
    """
    machine = target_machine(optimisation=2)
    code = cached_object(name, _content(name), lambda: _compile(name, machine))
    engine = load_object(code, machine)
    _engines.append(engine)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *arguments)(engine.get_function_address(SYMBOL))


def _content(name: str) -> bytes:
    """Everything that the object code of a kernel depends on: sources, and numba."""
    solvers = Path(__file__).parents[1]
    folders = solvers / name.partition(".")[0], solvers / "compiled"
    parts = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.py"))]
    return b"".join([*parts, version("numba").encode()])


def _compile(name: str, machine: llvm.TargetMachine) -> bytes:
    """Have numba translate the kernel, and keep nothing of it but the kernel itself."""
    LOG.info("compiling the integrator %s, once on this machine; this takes some seconds", name)
    from numba import cfunc

    config: Any = import_module("numba.core.config")
    usual = config.OPT
    config.OPT = type(usual)(1)  # numba optimises a function anew with each that calls it
    try:
        kernel = import_module(f"flexarm.solvers.{name}")
        compiled = cfunc(kernel.SIGNATURE, error_model="numpy")(kernel.advance)
    finally:
        config.OPT = usual
    module = llvm.parse_assembly(compiled.inspect_llvm())
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != compiled.native_name:
            value.linkage = "internal"
    module.get_function(compiled.native_name).name = SYMBOL
    module = llvm.parse_assembly(_apart(str(module)))
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(module, passes)
    needed = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")}
    if not needed <= PLAIN_SYMBOLS:
        raise AssertionError(
            f"the kernel {name} is not self-contained: it needs {sorted(needed - PLAIN_SYMBOLS)}"
        )
    return machine.emit_object(module)


def _apart(text: str) -> str:
    """Tell LLVM that no two arrays of a kernel overlap, so that it may work on several numbers at a time."""
    return re.sub(
        r"^define .*$", lambda line: re.sub(r"\bptr (?!noalias)", "ptr noalias ", line[0]), text, flags=re.M
    )

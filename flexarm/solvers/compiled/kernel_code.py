"""Integrator kernels written for numba, cached as object code: compiled once, then loaded by llvmlite alone.

Importing numba and its cached code takes longer than simulating a typical arm, so a process does it only when the
object file is missing. A kernel is a function of numbers and pointers that returns an integer and raises nothing.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from numpy.typing import NDArray

from flexarm.codegen.native import target_machine
from flexarm.codegen.object_cache import cached_object, load_object
from flexarm.progress import stage
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.compiled.sources import source_files

LOG = logging.getLogger(__name__)

SYMBOL = "kernel"
PLAIN_SYMBOLS = {"sqrt", "pow", "memset", "memcpy"}
"""What the object code may ask of the C library; anything else would need numba at run time."""

_MISSING = object()  # which ctypes refuses
_engines: list[llvm.ExecutionEngine] = []  # they hold the memory of the code


class Kernel:
    """A kernel in machine code with those of its arguments that are the same in every call; called by argument names.

    Parameters
    ----------
    name : str
        Module and function, below ``flexarm.solvers``.
    signature : Signature
    fixed : int, float or array
        Arrays are contiguous; the kernel reads and writes their memory.
    """

    def __init__(self, name: str, signature: Signature, **fixed: int | float | NDArray):
        self._function, self._places = load_kernel(name, signature), signature.places
        self._memory = fixed
        self._values: list[Any] = [_MISSING] * len(self._places)
        self._put(self._values, fixed)

    def __call__(self, **arguments: int | float | NDArray) -> int:
        """Call it with the other arguments."""
        values = self._values.copy()
        self._put(values, arguments)
        return self._function(*values)

    def _put(self, values: list[Any], arguments: dict[str, Any]) -> None:
        for name, value in arguments.items():
            values[self._places[name]] = value.ctypes.data if isinstance(value, np.ndarray) else value


@cache
def load_kernel(name: str, signature: Signature) -> Callable[..., int]:
    """Load a kernel from the cache, compiled before if need be, as a function of ctypes."""
    machine = target_machine(optimisation=2)
    code = cached_object(name, _content(name, signature), lambda: _compiled(name, signature, machine))
    engine = load_object(code, machine)
    _engines.append(engine)
    return signature.ctypes()(engine.get_function_address(SYMBOL))


def _compiled(name: str, signature: Signature, machine: llvm.TargetMachine) -> bytes:
    with stage(f"compiling the integrator {name}"):
        return compile_kernel(name, signature, machine)


def _content(name: str, signature: Signature) -> bytes:
    """Everything that the object code of a kernel depends on: sources, signature, numba and its settings."""
    module, _, function = name.rpartition(".")
    parts = [path.read_bytes() for path in source_files(f"flexarm.solvers.{module}")]
    settings = sorted(f"{key}={value}" for key, value in os.environ.items() if key.startswith("NUMBA_"))
    texts = [function, signature.text, version("numba"), *settings]
    return b"".join([*parts, *(text.encode() for text in texts)])


def compile_kernel(name: str, signature: Signature, machine: llvm.TargetMachine) -> bytes:
    """Translate a kernel with numba to object code that contains nothing but the kernel itself."""
    LOG.info("compiling the integrator %s, once on this machine; this takes some seconds", name)
    from numba import cfunc

    config: Any = import_module("numba.core.config")
    usual = config.OPT
    config.OPT = type(usual)(1)  # numba optimises a function anew with each that calls it
    try:
        module_name, _, function = name.rpartition(".")
        kernel = getattr(import_module(f"flexarm.solvers.{module_name}"), function)
        parameters = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
        if parameters != tuple(signature.places):
            raise TypeError(f"{name}: expected the parameters {tuple(signature.places)}, got {parameters}")
        compiled = cfunc(signature.numba(), error_model="numpy")(kernel)
    finally:
        config.OPT = usual
    module = llvm.parse_assembly(compiled.inspect_llvm())
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != compiled.native_name:
            value.linkage = "internal"
    module.get_function(compiled.native_name).name = SYMBOL
    module = llvm.parse_assembly(_no_aliases(str(module)))
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(module, passes)
    needed = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")}
    if not needed <= PLAIN_SYMBOLS:
        raise AssertionError(
            f"the kernel {name} is not self-contained: it needs {sorted(needed - PLAIN_SYMBOLS)}"
        )
    return machine.emit_object(module)


def _no_aliases(text: str) -> str:
    """Declare that no two arrays of a kernel overlap, so that LLVM may work on several numbers at a time."""
    return re.sub(
        r"^define .*$", lambda line: re.sub(r"\bptr (?!noalias)", "ptr noalias ", line[0]), text, flags=re.M
    )

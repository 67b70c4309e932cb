"""Kernels as object code, kept on disk: translated and compiled once, then loaded by llvmlite alone.

A kernel is a function of numbers and pointers that returns an integer and raises nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from numpy.typing import NDArray

from flexarm.codegen.native_function import target_machine
from flexarm.codegen.object_cache import kept_object, load_object, object_key
from flexarm.codegen.processor import processor
from flexarm.progress import stage
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.compiled.sources import source_files

LOG = logging.getLogger(__name__)

TRANSLATOR = "flexarm.codegen.kernels.translation"
SYMBOL = "kernel"
UNROLLED = "UNROLLED"
"""Name by which the module of a kernel may say that LLVM should unroll no loops."""

_MISSING = object()  # which ctypes refuses
_engines: list[llvm.ExecutionEngine] = []  # they hold the memory of the code
_keys: dict[tuple[str, str], str] = {}  # of object code, by name and text of the signature


class Kernel:
    """A kernel in machine code with those of its arguments that are the same in every call; called by argument names.

    Parameters
    ----------
    name : str
        Module and function, below ``flexarm``.
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
    if (known := (name, signature.text)) not in _keys:
        _keys[known] = object_key(name, _content(name, signature))
    key = _keys[known]
    code = kept_object(name, key, lambda: _compiled(name, signature, machine))
    engine = load_object(code, machine)
    _engines.append(engine)
    return signature.ctypes()(engine.get_function_address(SYMBOL))


def kernel_keys() -> list[tuple[str, str, str]]:
    """Return name, text of the signature and key of the object code of every kernel that this process knows."""
    return [(*kernel, key) for kernel, key in _keys.items()]


def know_kernel_keys(keys: Iterable[Sequence[str]]) -> None:
    """Take over what :func:`kernel_keys` returned in a process that had the same sources: they need not be read."""
    _keys.update(((name, signature), key) for name, signature, key in keys)


def _compiled(name: str, signature: Signature, machine: llvm.TargetMachine) -> bytes:
    with stage(f"compiling the kernel {name}"):
        return compile_kernel(name, signature, machine)


def _content(name: str, signature: Signature) -> bytes:
    """Everything that the object code of a kernel depends on: sources, those of the translator too, and signature."""
    module, _, function = name.rpartition(".")
    files = [*source_files(f"flexarm.{module}"), *source_files(TRANSLATOR)]
    parts = [path.read_bytes() for path in files]
    texts = [function, signature.text, str(processor().lanes)]
    return b"".join([*parts, *(text.encode() for text in texts)])


def compile_kernel(name: str, signature: Signature, machine: llvm.TargetMachine) -> bytes:
    """Translate a kernel to object code that contains nothing but the kernel itself."""
    LOG.info("compiling the kernel %s, once on this machine", name)
    from flexarm.codegen.kernels.translation import translate

    module_name, _, function = name.rpartition(".")
    home = import_module(f"flexarm.{module_name}")
    kernel = getattr(home, function)
    parameters = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
    if parameters != tuple(signature.types):
        raise TypeError(f"{name}: expected the parameters {tuple(signature.types)}, got {parameters}")
    module = llvm.parse_assembly(translate(kernel, signature.types, processor().lanes))
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_unrolling = getattr(home, UNROLLED, True)
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)

"""CasADi functions compiled to machine code in this process through LLVM; no C compiler is needed."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import casadi as ca
import numpy as np
from llvmlite import binding as llvm
from numpy.typing import ArrayLike, NDArray

from flexarm.codegen.instructions import instructions, shared
from flexarm.codegen.llvm_entry import entry_text, map_text
from flexarm.codegen.llvm_operations import declarations
from flexarm.codegen.llvm_text import program_text
from flexarm.codegen.object_code import kept_object, load_object
from flexarm.codegen.signals import TimeSignal

#: LLVM's effort in choosing instructions and registers (0 to 3), by measurement: benchmarks/compile_time.py.
OPTIMISATION = 1

_CALL = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)
_MAP = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 4)


class NativeFunction:
    """Machine code of out = f(t, y, p), callable from Python and, by its address, from compiled loops.

    Attributes
    ----------
    address : int
        Where ``void f(double t, const double *y, const double *p, double *out)`` starts; valid as long as
        this object lives. Safe to call from several threads; out must not overlap y or p.
    n_y, n_p, n_out : int
        Lengths of y, p and out.
    shape : (int, int)
        Rows and columns of the result; out holds its columns one after the other.
    instructions : int
        Number of scalar operations.
    """

    def __init__(
        self,
        text: str,
        sizes: tuple[int, int],
        shape: tuple[int, int],
        instructions: int,
        signals: tuple[TimeSignal, ...],
    ):
        self._engine = _compile(text)  # this and the signals hold the memory behind the address
        self._signals = signals
        arrays = [array for signal in signals for array in (signal.breaks, signal.coefficients)]
        addresses = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        ctypes.memmove(self._engine.get_global_value_address("tables"), addresses, ctypes.sizeof(addresses))
        self.address = self._engine.get_function_address("f")
        self.n_y, self.n_p = sizes
        self.shape = shape
        self.n_out = shape[0] * shape[1]
        self.instructions = instructions
        self._call = _CALL(self.address)
        self._map = _MAP(self._engine.get_function_address("map"))

    def __call__(self, t: float, y: ArrayLike, p: ArrayLike = ()) -> NDArray[np.float64]:
        """Evaluate f for one state: (rows,) if the result is one column, else (rows, columns)."""
        y, p = _vector(y, self.n_y, "y"), _vector(p, self.n_p, "p")
        out = np.empty(self.n_out)
        self._call(t, y.ctypes.data, p.ctypes.data, out.ctypes.data)
        return out if self.shape[1] == 1 else out.reshape(self.shape, order="F")

    def map(self, times: ArrayLike, states: ArrayLike, p: ArrayLike = ()) -> NDArray[np.float64]:
        """Evaluate f for many states.

        Parameters
        ----------
        times : (k,) [s]
        states : (k, n_y)
        p : (n_p,)

        Returns
        -------
        (k, n_out)
            One result per row; a matrix has its columns one after the other.
        """
        times = np.ascontiguousarray(times, dtype=float)
        states = np.ascontiguousarray(states, dtype=float)
        if times.ndim != 1 or states.shape != (times.size, self.n_y):
            raise ValueError(f"states: expected shape ({times.size}, {self.n_y}), got {states.shape}")
        out = np.empty((times.size, self.n_out))
        p = _vector(p, self.n_p, "p")
        self._map(times.size, *(array.ctypes.data for array in (times, states, p, out)))
        return out


def compile_native(f: ca.Function, signals: Sequence[TimeSignal] = ()) -> NativeFunction:
    """Compile a CasADi function of time, state and parameters.

    Parameters
    ----------
    f : casadi.Function
        Inputs (t, y, p) or (t, y, p, u), one output.
    signals : sequence of TimeSignal
        The elements of u; the machine code evaluates them at t by itself.

    Raises
    ------
    ModelError
        If f uses an operation that cannot be compiled.
    """
    _check_inputs(f, len(signals))
    program = shared(instructions(f))
    pieces, n_work = program_text(program)
    n_y = f.numel_in(1)
    entry = entry_text(len(pieces), n_work, [signal.coefficients.shape for signal in signals])
    return NativeFunction(
        "\n".join([declarations(), *pieces, entry, map_text(n_y, f.numel_out(0))]),
        sizes=(n_y, f.numel_in(2)),
        shape=f.size_out(0),
        instructions=program.n_operations,
        signals=tuple(signals),
    )


def state_jacobian(f: ca.Function) -> ca.Function:
    """Derive d out/d y of a function with inputs (t, y, p) or (t, y, p, u), exactly.

    Returns
    -------
    casadi.Function
        Same inputs; one dense output of shape (n_out, n_y).
    """
    arguments = [ca.SX.sym(f.name_in(i), *f.size_in(i)) for i in range(f.n_in())]
    jacobian = ca.jacobian(ca.vec(f.call(arguments)[0]), arguments[1])
    return ca.Function(
        f.name() + "_jacobian", arguments, [ca.densify(jacobian)], f.name_in(), [f.name_out(0)]
    )


def _check_inputs(f: ca.Function, n_signals: int) -> None:
    if f.n_in() not in (3, 4) or f.n_out() != 1 or f.numel_in(0) != 1:
        raise ValueError(f"{f.name()}: expected inputs (t, y, p) or (t, y, p, u) and one output, got {f}")
    n_u = f.numel_in(3) if f.n_in() == 4 else 0
    if n_u != n_signals:
        raise ValueError(f"{f.name()}: expected {n_u} time signals, got {n_signals}")


def _vector(values: ArrayLike, size: int, name: str) -> NDArray[np.float64]:
    vector = np.ascontiguousarray(values, dtype=float)
    if vector.shape != (size,):
        raise ValueError(f"{name}: expected shape ({size},), got {vector.shape}")
    return vector


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def target_machine(optimisation: int) -> llvm.TargetMachine:
    """Make a code generator for the processor at hand, with LLVM's effort from 0 to 3."""
    _initialise()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=optimisation
    )


def _compile(text: str) -> llvm.ExecutionEngine:
    """Turn LLVM assembly text into machine code, or load what was made of the same text before."""
    machine = target_machine(OPTIMISATION)

    def make() -> bytes:
        module = llvm.parse_assembly(text)
        with _in_order():
            return machine.emit_object(module)

    return load_object(kept_object("equations", f"{OPTIMISATION}\n{text}".encode(), make), machine)


@contextmanager
def _in_order() -> Iterator[None]:
    """Have LLVM leave the instructions in their order, which is good; looking for another takes long."""
    llvm.set_option("flexarm", "-enable-misched=false")
    try:
        yield
    finally:
        llvm.set_option("flexarm", "-enable-misched=true")

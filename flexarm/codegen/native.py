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

from flexarm.codegen.differentiation import jacobian
from flexarm.codegen.instructions import eliminate_common_subexpressions, instructions, share_reciprocals
from flexarm.codegen.llvm.entry_points import entry_text, map_text
from flexarm.codegen.llvm.function_bodies import program_text
from flexarm.codegen.llvm.operations import value_type
from flexarm.codegen.object_cache import cached_object, load_object
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.codegen.processor import processor
from flexarm.memory import check_memory, rough_duration
from flexarm.progress import grouped, stage

#: LLVM's effort in choosing instructions and registers (0 to 3), by measurement: benchmarks/compile_time.py.
OPTIMISATION = 1

BYTES_PER_OPERATION, SECONDS_PER_OPERATION = 2000.0, 5e-5
"""Of compiling, measured on 1e4 to 1.5e6 operations: 1.4 to 1.9 kB, 35 to 90 us."""

NOTEWORTHY = 5.0  # s: estimates that are shorter are not mentioned

_CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)
_MAP = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 4)


class NativeFunction:
    """Machine code of out = f(t, y, p), callable from Python and, by its address, from compiled loops.

    With several lanes it evaluates as many times, states and sets of parameters at once: every array has the lanes as
    its last axis, and that of t is (lanes,).

    Attributes
    ----------
    address : int
        Where ``void f(const double *t, const double *y, const double *p, double *out)`` starts; valid as long as
        this object lives. Safe to call from several threads; out must not overlap the others.
    n_y, n_p, n_out : int
        Lengths of y, p and out, each with that many lanes.
    lanes : int
    shape : (int, int)
        Rows and columns of the result; out holds its columns one after the other.
    instructions : int
        Number of operations.
    """

    def __init__(
        self,
        text: str,
        sizes: tuple[int, int],
        shape: tuple[int, int],
        instructions: int,
        polynomials: tuple[PiecewisePolynomial, ...],
        lanes: int = 1,
    ):
        self._engine = _compile(text)  # both hold the memory behind the address
        self._polynomials = polynomials
        arrays = [
            array for polynomial in polynomials for array in (polynomial.breaks, polynomial.coefficients)
        ]
        addresses = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        ctypes.memmove(self._engine.get_global_value_address("tables"), addresses, ctypes.sizeof(addresses))
        self.address = self._engine.get_function_address("f")
        self.n_y, self.n_p = sizes
        self.shape = shape
        self.n_out = shape[0] * shape[1]
        self.lanes = lanes
        self.instructions = instructions
        self._call = _CALL(self.address)
        self._map = _MAP(self._engine.get_function_address("map"))

    def __call__(self, t: ArrayLike, y: ArrayLike, p: ArrayLike | None = None) -> NDArray[np.float64]:
        """Evaluate f for one state, or for one state in each lane.

        Parameters
        ----------
        t : float or (lanes,) [s]
        y : (n_y,) or (n_y, lanes)
        p : (n_p,) or (n_p, lanes)

        Returns
        -------
        (rows,), (rows, columns) or (n_out, lanes)
            The first if the result is one column, the last with several lanes.
        """
        t, y, p = self._array(t, (), "t"), self._array(y, (self.n_y,), "y"), self._array(p, (self.n_p,), "p")
        out = np.empty(self._sides(self.n_out))
        self._call(t.ctypes.data, y.ctypes.data, p.ctypes.data, out.ctypes.data)
        return out if self.shape[1] == 1 or self.lanes > 1 else out.reshape(self.shape, order="F")

    def map(self, times: ArrayLike, states: ArrayLike, p: ArrayLike | None = None) -> NDArray[np.float64]:
        """Evaluate f for many states.

        Parameters
        ----------
        times : (k,) [s]
        states : (k, n_y)
        p : (n_p,)

        Returns
        -------
        (k, n_out)
            One result per row; a matrix has its columns one after the other. Several lanes are the last axis of all.
        """
        k = np.shape(times)[0]
        times, p = self._array(times, (k,), "times"), self._array(p, (self.n_p,), "p")
        states = self._array(states, (k, self.n_y), "states")
        out = np.empty(self._sides(k, self.n_out))
        self._map(k, *(array.ctypes.data for array in (times, states, p, out)))
        return out

    def _sides(self, *shape: int) -> tuple[int, ...]:
        return shape if self.lanes == 1 else (*shape, self.lanes)

    def _array(self, values: ArrayLike | None, shape: tuple[int, ...], name: str) -> NDArray[np.float64]:
        expected = self._sides(*shape)
        array = np.empty(self._sides(0)) if values is None else np.asarray(values, dtype=float, order="C")
        if array.shape != expected:
            raise ValueError(f"{name}: expected shape {expected}, got {array.shape}")
        return array


def compile_native(
    f: ca.Function, polynomials: Sequence[PiecewisePolynomial] = (), lanes: int = 1
) -> NativeFunction:
    """Compile a CasADi function of time, state and parameters.

    Parameters
    ----------
    f : casadi.Function
        Inputs (t, y, p) or (t, y, p, u), one output.
    polynomials : sequence of PiecewisePolynomial
        The elements of u; the machine code evaluates them at t by itself.
    lanes : int
        How many states to evaluate at once.

    Raises
    ------
    ModelError
        If f uses an operation that cannot be compiled, or its compilation needs more memory than there is.
    """
    _check_inputs(f, len(polynomials))
    count = f.n_instructions()
    seconds = SECONDS_PER_OPERATION * count
    what = f"compiling {grouped(count)} operations"
    check_memory(BYTES_PER_OPERATION * count, what, "take fewer links, segments or modes", seconds)
    with stage(what + (f" ({rough_duration(seconds)})" if seconds > NOTEWORTHY else "")):
        return _compiled(f, polynomials, lanes)


def _compiled(f: ca.Function, polynomials: Sequence[PiecewisePolynomial], lanes: int) -> NativeFunction:
    program = share_reciprocals(eliminate_common_subexpressions(instructions(f)))
    pieces, n_work = program_text(program, lanes)
    n_y = f.numel_in(1)
    functions = value_type(lanes).declarations(name for name, _ in program.steps)
    entry = entry_text(
        len(pieces), n_work, [polynomial.coefficients.shape for polynomial in polynomials], lanes
    )
    return NativeFunction(
        "\n".join([functions, *pieces, entry, map_text(n_y, f.numel_out(0), lanes)]),
        sizes=(n_y, f.numel_in(2)),
        shape=f.size_out(0),
        instructions=program.n_operations,
        polynomials=tuple(polynomials),
        lanes=lanes,
    )


def state_jacobian(f: ca.Function) -> ca.Function:
    """Derive d out/d y of a function with inputs (t, y, p) or (t, y, p, u), exactly.

    Returns
    -------
    casadi.Function
        Same inputs; one dense output of shape (n_out, n_y).
    """
    arguments = [ca.SX.sym(f.name_in(i), *f.size_in(i)) for i in range(f.n_in())]
    derivative = ca.densify(jacobian(ca.vec(f.call(arguments)[0]), arguments[1]))
    return ca.Function(f.name() + "_jacobian", arguments, [derivative], f.name_in(), [f.name_out(0)])


def _check_inputs(f: ca.Function, n_polynomials: int) -> None:
    if f.n_in() not in (3, 4) or f.n_out() != 1 or f.numel_in(0) != 1:
        raise ValueError(f"{f.name()}: expected inputs (t, y, p) or (t, y, p, u) and one output, got {f}")
    n_u = f.numel_in(3) if f.n_in() == 4 else 0
    if n_u != n_polynomials:
        raise ValueError(f"{f.name()}: expected {n_u} piecewise polynomials, got {n_polynomials}")


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def target_machine(optimisation: int) -> llvm.TargetMachine:
    """Create a code generator for :func:`~flexarm.codegen.processor.processor`, with LLVM's effort from 0 to 3."""
    _initialise()
    chosen = processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=chosen.name, features=chosen.features, opt=optimisation
    )


def _compile(text: str) -> llvm.ExecutionEngine:
    """Turn LLVM assembly text into machine code, or load what was made of the same text before."""
    machine = target_machine(OPTIMISATION)

    def emit() -> bytes:
        module = llvm.parse_assembly(text)
        with _source_order():
            return machine.emit_object(module)

    return load_object(cached_object("equations", f"{OPTIMISATION}\n{text}".encode(), emit), machine)


@contextmanager
def _source_order() -> Iterator[None]:
    """Switch off LLVM's instruction scheduling: the order is good already, and looking for another takes long."""
    llvm.set_option("flexarm", "-enable-misched=false")
    try:
        yield
    finally:
        llvm.set_option("flexarm", "-enable-misched=true")

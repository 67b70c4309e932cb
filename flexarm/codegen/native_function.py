"""Functions in machine code, and the code generator; what makes their code is in :mod:`flexarm.codegen.native`."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from llvmlite import binding as llvm
from numpy.typing import ArrayLike, NDArray

from flexarm.codegen.object_cache import load_object, read_object
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.codegen.processor import processor

#: LLVM's effort in choosing instructions and registers (0 to 3), by measurement: benchmarks/compile_time.py.
OPTIMISATION = 1

#: The same for what is evaluated once a sample, in lanes: about half the time of compiling, up to 1.5 times that of a
#: call, equal numbers.
LEAST_OPTIMISATION = 0

PROGRAMS = "equations"
"""Beginning of the names of their files in the cache."""

_CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)
_MAP = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 4)


class Program(NamedTuple):
    """Object code in the cache, and the sizes that belong to it.

    Attributes
    ----------
    key : str
        Of the object code.
    n_y, n_p : int
    shape : (int, int)
    instructions : int
    lanes : int
        See :class:`NativeFunction`.
    """

    key: str
    n_y: int
    n_p: int
    shape: tuple[int, int]
    instructions: int
    lanes: int = 1


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
    program : Program
        What it is made of besides its tables.
    """

    def __init__(self, program: Program, code: bytes, polynomials: tuple[PiecewisePolynomial, ...] = ()):
        self.program = program
        self._engine = load_object(
            code, target_machine(OPTIMISATION)
        )  # both hold the memory behind the address
        self._polynomials = polynomials
        arrays = [
            array for polynomial in polynomials for array in (polynomial.breaks, polynomial.coefficients)
        ]
        addresses = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        ctypes.memmove(self._engine.get_global_value_address("tables"), addresses, ctypes.sizeof(addresses))
        self.address = self._engine.get_function_address("f")
        self.n_y, self.n_p = program.n_y, program.n_p
        self.shape = program.shape
        self.n_out = self.shape[0] * self.shape[1]
        self.lanes = program.lanes
        self.instructions = program.instructions
        self._call = _CALL(self.address)
        self._map, self._map_lanes = (
            _MAP(self._engine.get_function_address(name))
            for name in ("map", "map_lanes" if self.lanes > 1 else "map")
        )

    @classmethod
    def stored(cls, program: Program) -> NativeFunction | None:
        """Machine code that some process has compiled before, of a program without tables; None if it is gone."""
        code = read_object(PROGRAMS, program.key)
        return None if code is None else cls(program, code)

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
        t, y = _array(t, (), self.lanes, "t"), _array(y, (self.n_y,), self.lanes, "y")
        p = _array(p, (self.n_p,), self.lanes, "p")
        out = np.empty(_sides(self.lanes, self.n_out))
        self._call(t.ctypes.data, y.ctypes.data, p.ctypes.data, out.ctypes.data)
        return out if self.shape[1] == 1 or self.lanes > 1 else out.reshape(self.shape, order="F")

    def on(
        self, t: NDArray[np.float64], y: NDArray[np.float64], p: NDArray[np.float64]
    ) -> Callable[[], NDArray[np.float64]]:
        """Return f on arrays t (1,), y (n_y,) and p (n_p,) that change in place, in a fifth of the time of a call.

        What it returns (n_out,) is new each time.
        """
        arrays = [_array(t, (1,), 1, "t"), _array(y, (self.n_y,), 1, "y"), _array(p, (self.n_p,), 1, "p")]
        if any(array is not given for array, given in zip(arrays, (t, y, p), strict=True)):
            raise ValueError("expected contiguous arrays of numbers")
        out = np.empty(self.n_out)
        addresses = [array.ctypes.data for array in (*arrays, out)]

        def evaluate(held: list[NDArray[np.float64]] = arrays) -> NDArray[np.float64]:  # the memory is kept
            self._call(*addresses)
            return out.copy()

        return evaluate

    def map(self, times: ArrayLike, states: ArrayLike, p: ArrayLike | None = None) -> NDArray[np.float64]:
        """Evaluate f for many states with the same parameters, whatever the number of lanes.

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
        return self._mapped(self._map, 1, times, states, p)

    def map_lanes(
        self, times: ArrayLike, states: ArrayLike, p: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Evaluate f for many states of each lane, which has its own times, states and parameters.

        Parameters
        ----------
        times : (k, lanes) [s]
        states : (k, n_y, lanes)
        p : (n_p, lanes)

        Returns
        -------
        (k, n_out, lanes)
        """
        return self._mapped(self._map_lanes, self.lanes, times, states, p)

    def _mapped(
        self,
        function: Callable[..., None],
        lanes: int,
        times: ArrayLike,
        states: ArrayLike,
        p: ArrayLike | None,
    ) -> NDArray[np.float64]:
        k = np.shape(times)[0]
        times, p = _array(times, (k,), lanes, "times"), _array(p, (self.n_p,), lanes, "p")
        states = _array(states, (k, self.n_y), lanes, "states")
        out = np.empty(_sides(lanes, k, self.n_out))
        function(k, *(array.ctypes.data for array in (times, states, p, out)))
        return out


def _sides(lanes: int, *shape: int) -> tuple[int, ...]:
    return shape if lanes == 1 else (*shape, lanes)


def _array(values: ArrayLike | None, shape: tuple[int, ...], lanes: int, name: str) -> NDArray[np.float64]:
    expected = _sides(lanes, *shape)
    array = np.empty(_sides(lanes, 0)) if values is None else np.asarray(values, dtype=float, order="C")
    if array.shape != expected:
        raise ValueError(f"{name}: expected shape {expected}, got {array.shape}")
    return array


class BoundFunction(NamedTuple):
    """Machine code with the values precomputed from one set of parameters: f(t, y, [p, h]).

    Attributes
    ----------
    f : NativeFunction
    h : (n_h,)
        With several lanes (n_h, lanes).
    """

    f: NativeFunction
    h: NDArray[np.float64]

    def __call__(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate at one state y (n_y,) at t [s]: (n_out,)."""
        return self.f(t, y, self.h)


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

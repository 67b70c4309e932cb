"""What kernels are written in besides plain Python; see :mod:`flexarm.codegen.kernels.translation`.

A kernel is a function of numbers and pointers. It works on integers, floats and arrays in memory that it does not own;
functions marked as :func:`compiled` are inlined where they are called. Statements are assignments, ``if``, ``while``,
``for`` over ``range`` or :func:`registers`, ``break``, ``continue`` and ``return``. A loop over a constant tuple is
unrolled, and what is known at compile time is computed then. Arrays that belong together go in a named tuple.
Indices are not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn


class Compiled(NamedTuple):
    """A function that kernels call; it has no meaning but in them."""

    function: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        """Refuse to run in Python, which knows no pointers."""
        _only_compiled(self.function.__name__)


def compiled(function: Callable[..., Any]) -> Compiled:
    """Mark a function that kernels may call."""
    return Compiled(function)


def array(pointer: Any, *shape: int) -> Any:
    """View the memory behind a pointer, or from the first element of an array on, as an array of this shape."""
    _only_compiled("array")


def tail(values: Any, first: int) -> Any:
    """View the elements of an array (n,) from one on."""
    _only_compiled("tail")


def call(address: int, *arrays: Any) -> None:
    """Call the native function ``void f(double *, ..)`` at an address with the memory of some arrays."""
    _only_compiled("call")


def registers(*limits: int) -> Iterator[int]:
    """Loop over range(n) or range(start, n), a vector register of elements at a time, the rest one by one.

    The loop variable may be used as the last index of arrays alone. Every element undergoes the same operations,
    whether it is one of a register or one of the rest, so results do not depend on the width.
    """
    _only_compiled("registers")


def _only_compiled(name: str) -> NoReturn:
    raise TypeError(f"{name}: has a meaning in compiled kernels only")

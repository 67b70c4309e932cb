"""Values that the translator of kernels computes with: known ones, numbers, pointers and arrays."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

INTEGER, FLOAT, BOOLEAN = "i64", "double", "i1"


@dataclass(frozen=True)
class Known:
    """What is known when a kernel is compiled: a number, a table, a function, a module."""

    value: Any


@dataclass(frozen=True)
class Number:
    """A number in a register, or one in each lane of a vector register.

    Attributes
    ----------
    kind : str
        INTEGER, FLOAT or BOOLEAN.
    text : str
        Register or literal of LLVM assembly.
    lanes : int
    """

    kind: str
    text: str
    lanes: int = 1

    @property
    def type(self) -> str:
        """LLVM type."""
        return vector(self.kind, self.lanes)


@dataclass(frozen=True)
class Variable:
    """A place in memory that an assigned number has; LLVM finds it a register."""

    kind: str
    place: str
    lanes: int = 1

    @property
    def type(self) -> str:
        """LLVM type."""
        return vector(self.kind, self.lanes)


@dataclass(frozen=True)
class Pointer:
    """An address of numbers of one kind."""

    kind: str
    text: str


@dataclass(frozen=True)
class Array:
    """Numbers in memory, row after row.

    Attributes
    ----------
    kind : str
    text : str
        Address of the first.
    shape : tuple of Known or Number
    """

    kind: str
    text: str
    shape: tuple[Known | Number, ...]


@dataclass(frozen=True)
class RegisterIndex:
    """Index of the first of some elements that fill a vector register."""

    first: Number
    lanes: int


Value = Known | Number | Variable | Pointer | Array | RegisterIndex


def known(value: Any) -> Value:
    """A value that is part of what is known, such as an array in a tuple, or else what is known itself."""
    return (
        value if isinstance(value, (Known, Number, Variable, Pointer, Array, RegisterIndex)) else Known(value)
    )


def vector(kind: str, lanes: int) -> str:
    """LLVM type of as many numbers as there are lanes."""
    return kind if lanes == 1 else f"<{lanes} x {kind}>"


def literal(value: bool | int | float) -> Number:
    """Number of a value that is known."""
    if isinstance(value, bool):
        kind, text = BOOLEAN, str(int(value))
    elif isinstance(value, int):
        kind, text = INTEGER, str(value)
    else:
        kind, text = FLOAT, f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
    return Number(kind, text)

"""LLVM assembly of the operations of kernels: numbers, registers, memory, branches."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.codegen.kernels.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    Array,
    Known,
    Number,
    Value,
    Variable,
    literal,
    vector,
)

ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
COMPARISONS: Mapping[type[ast.cmpop], tuple[Callable[[Any, Any], bool], str]] = {
    ast.Lt: (operator.lt, "slt"),
    ast.LtE: (operator.le, "sle"),
    ast.Gt: (operator.gt, "sgt"),
    ast.GtE: (operator.ge, "sge"),
    ast.Eq: (operator.eq, "eq"),
    ast.NotEq: (operator.ne, "ne"),
}
"""How two values are compared: known ones, and by LLVM, integers."""

_INTEGER = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_FLOAT = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}


class Operations:
    """Lines of LLVM assembly, written one after the other.

    Attributes
    ----------
    lines, places, tables : list of str
        Instructions, memory of the variables, and constant tables.
    declarations : set of str
        Functions of LLVM that are called.
    ended : bool
        Whether the present block has ended: nothing runs after a branch.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: list[str] = []
        self.tables: list[str] = []
        self.declarations: set[str] = set()
        self.ended = False
        self._count = 0
        self._known_tables: dict[bytes, Array] = {}

    # blocks

    def label(self) -> str:
        """Name for a block."""
        self._count += 1
        return f"b{self._count}"

    def begin(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")
        self.ended = False

    def go(self, label: str) -> None:
        """Go to a block, unless the present one has ended."""
        self._end(f"br label %{label}")

    def branch(self, condition: Number, then: str, otherwise: str) -> None:
        """Go to one of two blocks."""
        self._end(f"br i1 {condition.text}, label %{then}, label %{otherwise}")

    def _end(self, line: str) -> None:
        if not self.ended:
            self.lines.append(line)
        self.ended = True

    # memory

    def place(self, kind: str, lanes: int = 1) -> Variable:
        """Memory for a variable."""
        self._count += 1
        place = Variable(kind, f"%p{self._count}", lanes)
        self.places.append(f"{place.place} = alloca {place.type}")
        return place

    def variable(self, number: Number) -> Variable:
        """A variable with a first value."""
        place = self.place(number.kind, number.lanes)
        self.store(number, place)
        return place

    def store(self, number: Number, place: Variable) -> None:
        """Store a number where its kind belongs."""
        self.lines.append(f"store {number.type} {number.text}, ptr {place.place}, align {_align(place.kind)}")

    def number(self, value: Value) -> Number:
        """Number that a value is, of those that are numbers: a literal, or what is loaded from its place."""
        if isinstance(value, Number):
            return value
        if isinstance(value, Known):
            return literal(value.value)
        assert isinstance(value, Variable)
        return self._new(
            f"load {value.type}, ptr {value.place}, align {_align(value.kind)}", value.kind, value.lanes
        )

    def element(self, of: Array, indices: Sequence[Value], lanes: int = 1) -> Variable | Array:
        """An element of an array, as many side by side as there are lanes, or what is at its first indices."""
        size, offset = of.shape, literal(0)
        for axis, index in enumerate(indices):
            if isinstance(index, Known) and index.value < 0:
                index = self.binary("add", self.number(size[axis]), literal(index.value))
            offset = self.binary("mul", offset, self.number(size[axis]))
            offset = self.binary("add", offset, self.number(index))
        rest = size[len(indices) :]
        if rest:
            offset = self.binary("mul", offset, self.number(self.product(rest)))
        place = self._new(f"getelementptr inbounds {of.kind}, ptr {of.text}, i64 {offset.text}", "ptr").text
        return Array(of.kind, place, rest) if rest else Variable(of.kind, place, lanes)

    def product(self, sizes: Sequence[Known | Number]) -> Known | Number:
        """Number of elements of an array with these sizes."""
        known = [size.value for size in sizes if isinstance(size, Known)]
        if len(known) == len(sizes):
            return Known(math.prod(known))
        total = self.number(sizes[0])
        for size in sizes[1:]:
            total = self.binary("mul", total, self.number(size))
        return total

    def table(self, values: np.ndarray) -> Array:
        """A constant table in memory."""
        kind = FLOAT if values.dtype.kind == "f" else INTEGER
        values = np.ascontiguousarray(values, dtype=float if kind == FLOAT else np.int64)
        key = kind.encode() + repr(values.shape).encode() + values.tobytes()
        if key not in self._known_tables:
            name = f"@table{len(self.tables)}"
            numbers = ", ".join(f"{kind} {literal(value).text}" for value in values.ravel().tolist())
            self.tables.append(f"{name} = internal constant [{values.size} x {kind}] [{numbers}]")
            self._known_tables[key] = Array(kind, name, tuple(Known(size) for size in values.shape))
        return self._known_tables[key]

    def call(self, address: Number, arrays: Sequence[Array]) -> None:
        """Call a native function with the addresses of arrays."""
        pointer = self._new(f"inttoptr i64 {address.text} to ptr", "ptr").text
        self.lines.append(f"call void {pointer}({', '.join(f'ptr {each.text}' for each in arrays)})")

    # numbers

    def converted(self, number: Number, kind: str) -> Number:
        """The same number as another kind: booleans and integers can be all that is larger."""
        if number.kind == kind:
            return number
        how = {
            (BOOLEAN, INTEGER): "zext",
            (BOOLEAN, FLOAT): "uitofp",
            (INTEGER, FLOAT): "sitofp",
            (FLOAT, INTEGER): "fptosi",
        }[number.kind, kind]
        to = vector(kind, number.lanes)
        return self._new(f"{how} {number.type} {number.text} to {to}", kind, number.lanes)

    def broadcast(self, number: Number, lanes: int) -> Number:
        """The same number in every lane."""
        if number.lanes == lanes:
            return number
        wide = vector(number.kind, lanes)
        one = self._new(
            f"insertelement {wide} poison, {number.type} {number.text}, i64 0", number.kind, lanes
        ).text
        return self._new(
            f"shufflevector {wide} {one}, {wide} poison, <{lanes} x i32> zeroinitializer", number.kind, lanes
        )

    def alike(self, *numbers: Number) -> list[Number]:
        """The same numbers as one kind, the largest, in as many lanes."""
        kind = max((each.kind for each in numbers), key=(BOOLEAN, INTEGER, FLOAT).index)
        lanes = max(each.lanes for each in numbers)
        return [self.broadcast(self.converted(each, kind), lanes) for each in numbers]

    def binary(self, name: str, left: Number, right: Number) -> Number:
        """An instruction of two numbers of one kind."""
        left, right = self.alike(left, right)
        return self._new(f"{name} {left.type} {left.text}, {right.text}", left.kind, left.lanes)

    def compared(self, how: str, left: Number, right: Number) -> Number:
        """Whether one number is to another as LLVM names it for integers; no order holds with NaN."""
        left, right = self.alike(left, right)
        of_floats = {"ne": "une", "eq": "oeq"}.get(how, "o" + how[1:])
        name = f"fcmp {of_floats}" if left.kind == FLOAT else f"icmp {how}"
        return self._new(f"{name} {left.type} {left.text}, {right.text}", BOOLEAN, left.lanes)

    def selected(self, condition: Number, then: Number, otherwise: Number) -> Number:
        """One of two numbers, lane by lane."""
        then, otherwise = (self.broadcast(each, condition.lanes) for each in self.alike(then, otherwise))
        return self._new(
            f"select {condition.type} {condition.text}, {then.type} {then.text}, {then.type} {otherwise.text}",
            then.kind,
            then.lanes,
        )

    def negative(self, number: Number) -> Number:
        """The number with the other sign."""
        if number.kind == FLOAT:
            return self._new(f"fneg {number.type} {number.text}", FLOAT, number.lanes)
        return self.binary("sub", literal(0), self.converted(number, INTEGER))

    def arithmetic(self, op: type[ast.operator], left: Number, right: Number) -> Number:
        """An operation of Python: quotients are floats, and // and % round down."""
        left, right = self.alike(left, right)
        if op is ast.Div or left.kind == FLOAT:
            left, right = self.converted(left, FLOAT), self.converted(right, FLOAT)
            return self.binary(_FLOAT[op], left, right)
        left, right = self.converted(left, INTEGER), self.converted(right, INTEGER)
        if op in _INTEGER:
            return self.binary(_INTEGER[op], left, right)
        quotient, rest = self.binary("sdiv", left, right), self.binary("srem", left, right)
        signs_differ = self.compared("slt", self.binary("xor", rest, right), literal(0))
        down = self.binary("and", self.compared("ne", rest, literal(0)), signs_differ)
        if op is ast.FloorDiv:
            return self.binary("sub", quotient, self.converted(down, INTEGER))
        return self.selected(down, self.binary("add", rest, right), rest)

    def intrinsic(self, name: str, *numbers: Number) -> Number:
        """A function of LLVM, lane by lane."""
        floats = [self.converted(each, FLOAT) for each in numbers]
        suffix = "f64" if floats[0].lanes == 1 else f"v{floats[0].lanes}f64"
        kind = floats[0].type
        self.declarations.add(f"declare {kind} @llvm.{name}.{suffix}({', '.join([kind] * len(floats))})")
        arguments = ", ".join(f"{kind} {each.text}" for each in floats)
        return self._new(f"call {kind} @llvm.{name}.{suffix}({arguments})", FLOAT, floats[0].lanes)

    def power(self, base: Number, exponent: Number) -> Number:
        """Any power of a number."""
        return self.intrinsic("pow", base, exponent)

    def _new(self, text: str, kind: str, lanes: int = 1) -> Number:
        self._count += 1
        register = f"%r{self._count}"
        self.lines.append(f"{register} = {text}")
        return Number(kind, register, lanes)


def _absolute(code: Operations, x: Number) -> Number:
    if x.kind == FLOAT:
        return code.intrinsic("fabs", x)
    return code.selected(code.compared("slt", x, literal(0)), code.negative(x), x)


def _smallest(code: Operations, first: Number, *others: Number) -> Number:
    """As Python's: the first unless another is smaller."""
    for other in others:
        first, other = code.alike(first, other)
        first = code.selected(code.compared("slt", other, first), other, first)
    return first


def _largest(code: Operations, first: Number, *others: Number) -> Number:
    """As Python's: the first unless another is larger."""
    for other in others:
        first, other = code.alike(first, other)
        first = code.selected(code.compared("sgt", other, first), other, first)
    return first


def _is_finite(code: Operations, x: Number) -> Number:
    return code.compared("slt", code.intrinsic("fabs", x), literal(math.inf))


FUNCTIONS: Mapping[Any, Callable[..., Number]] = {
    abs: _absolute,
    min: _smallest,
    max: _largest,
    math.sqrt: lambda code, x: code.intrinsic("sqrt", x),
    math.isfinite: _is_finite,
    math.isnan: lambda code, x: code.compared("ne", x, x),
    float: lambda code, x: code.converted(x, FLOAT),
    int: lambda code, x: code.converted(x, INTEGER),
}
"""Functions of Python that kernels may call."""


def _align(kind: str) -> int:
    return 1 if kind == BOOLEAN else 8

"""Expressions of kernels: names, elements of arrays, operations, calls."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, cast

import numpy as np

from flexarm.codegen.kernels.language import Compiled, array, call, tail
from flexarm.codegen.kernels.operations import ARITHMETIC, COMPARISONS, FUNCTIONS, Operations
from flexarm.codegen.kernels.values import (
    BOOLEAN,
    Array,
    Known,
    Number,
    Pointer,
    RegisterIndex,
    Value,
    Variable,
    known,
    literal,
)

LONGEST_UNROLLED_POWER = 8


class KernelError(Exception):
    """A kernel is written in what cannot be translated; the message names file and line."""


class Expressions(ABC):
    """Expressions of the body of a function, where it is called.

    Parameters
    ----------
    code : Operations
        Takes the instructions.
    names : dict
        What the names of the function stand for.
    places : sequence of mappings
        Where other names are looked up.
    origin : (str, int)
        File, and the line before the function.
    """

    def __init__(
        self,
        code: Operations,
        names: dict[str, Value],
        places: Sequence[Mapping[str, Any]],
        origin: tuple[str, int],
        present: ast.stmt,
    ):
        self._code, self._names, self._places, self._origin = code, names, places, origin
        self._present = present  # the statement that is being translated

    def _settled(self, node: ast.expr) -> Value:
        """Value of an expression that no later assignment changes."""
        value = self._value(node)
        return self._number(value) if isinstance(value, Variable) else value

    def _number(self, value: Value) -> Number:
        if isinstance(value, RegisterIndex):
            self._refuse(self._present, "the variable of a loop over registers stands for several elements")
        if isinstance(value, (Array, Pointer)) or (isinstance(value, Known) and not is_number(value.value)):
            self._refuse(self._present, "expected a number")
        return self._code.number(value)

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=value):
                return Known(value)
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.Tuple(elts=elements):
                return Known(tuple(self._known(each) for each in elements))
            case ast.Attribute(value=of, attr=name):
                return self._attribute(node, self._value(of), name)
            case ast.Subscript():
                return self._element(node)
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(op, self._value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self._arithmetic(node, op, self._settled(left), self._settled(right))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._comparison(left, ops, others)
            case ast.BoolOp(op=op, values=values):
                return self._logical(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(node, test, body, orelse)
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self._call(node, self._value(function), arguments)
        raise self._refusal(node, "an expression that kernels do not have")

    def _named(self, node: ast.expr, name: str) -> Value:
        if name in self._names:
            return self._names[name]
        for place in self._places:
            if name in place:
                return Known(place[name])
        raise self._refusal(node, f"{name} has no value here")

    def _known(self, node: ast.expr) -> Any:
        value = self._value(node)
        if not isinstance(value, Known):
            self._refuse(node, "expected what is known at compile time")
        return value.value

    def _attribute(self, node: ast.expr, of: Value, name: str) -> Value:
        if isinstance(of, Array) and name == "size":
            return self._code.product(of.shape)
        if isinstance(of, Array) and name == "shape":
            return Known(of.shape)
        if isinstance(of, Known):
            return known(getattr(of.value, name))
        raise self._refusal(node, "an attribute that kernels do not have")

    def _element(self, node: ast.Subscript) -> Value:
        of = self._value(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        indices = [self._settled(part) for part in parts]
        if isinstance(of, Known):
            places = [index.value for index in indices if isinstance(index, Known)]
            if len(places) == len(indices):
                value = of.value[tuple(places) if len(places) > 1 else places[0]]
                return known(value.item() if isinstance(value, np.generic) else value)
            of = self._code.table(np.asarray(of.value))
        if not isinstance(of, Array):
            self._refuse(node, "no array")
        if len(indices) > len(of.shape):
            self._refuse(node, f"expected at most {len(of.shape)} indices")
        lanes = 1
        if isinstance(indices[-1], RegisterIndex) and len(indices) == len(of.shape):
            lanes, indices[-1] = indices[-1].lanes, indices[-1].first
        if any(isinstance(index, RegisterIndex) for index in indices):
            self._refuse(node, "a loop over registers indexes the last axis alone")
        return self._code.element(of, indices, lanes)

    def _unary(self, op: ast.unaryop, value: Value) -> Value:
        if isinstance(op, ast.Not):
            condition = self._as_condition(value)
            if isinstance(condition, Known):
                return Known(not condition.value)
            return self._code.binary("xor", condition, literal(True))
        if isinstance(value, Known):
            return Known(-value.value if isinstance(op, ast.USub) else value.value)
        return self._code.negative(self._number(value)) if isinstance(op, ast.USub) else value

    def _arithmetic(self, node: ast.expr, op: ast.operator, left: Value, right: Value) -> Value:
        if isinstance(left, Known) and isinstance(right, Known):
            return Known(ARITHMETIC[type(op)](left.value, right.value))
        if isinstance(op, ast.Pow):
            return self._power(node, self._number(left), right)
        return self._code.arithmetic(type(op), self._number(left), self._number(right))

    def _power(self, node: ast.expr, base: Number, exponent: Value) -> Number:
        known = exponent.value if isinstance(exponent, Known) else None
        if isinstance(known, int) and 0 < known <= LONGEST_UNROLLED_POWER:
            result = base
            for _ in range(known - 1):
                result = self._code.arithmetic(ast.Mult, result, base)
            return result
        if base.lanes > 1:
            self._refuse(node, "such a power of one number in each lane")
        return self._code.power(base, self._number(exponent))

    def _comparison(self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> Value:
        result: Value | None = None
        first = self._settled(left)
        for op, other in zip(ops, others, strict=True):
            second = self._settled(other)
            if isinstance(first, Known) and isinstance(second, Known):
                holds: Value = Known(COMPARISONS[type(op)][0](first.value, second.value))
            else:
                holds = self._code.compared(
                    COMPARISONS[type(op)][1], self._number(first), self._number(second)
                )
            result = (
                holds
                if result is None
                else self._code.binary("and", self._number(result), self._number(holds))
            )
            first = second
        assert result is not None
        return result

    def _logical(self, is_and: bool, values: list[ast.expr]) -> Value:
        """`and` or `or`, of which nothing is evaluated beyond what decides."""
        first = self._condition(values[0])
        if len(values) == 1:
            return first
        if isinstance(first, Known):
            return first if bool(first.value) != is_and else self._logical(is_and, values[1:])
        if first.lanes > 1:
            return self._code.binary(
                "and" if is_and else "or", first, self._number(self._logical(is_and, values[1:]))
            )
        place, more, end = self._code.place(BOOLEAN), self._code.label(), self._code.label()
        self._code.store(first, place)
        self._code.branch(first, *((more, end) if is_and else (end, more)))
        self._code.begin(more)
        self._code.store(self._number(self._logical(is_and, values[1:])), place)
        self._code.go(end)
        self._code.begin(end)
        return self._number(place)

    def _choice(self, node: ast.expr, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Value:
        condition = self._condition(test)
        if isinstance(condition, Known):
            return self._value(body if condition.value else orelse)
        if condition.lanes > 1:
            return self._code.selected(
                condition, self._number(self._value(body)), self._number(self._value(orelse))
            )
        then, otherwise, end = self._code.label(), self._code.label(), self._code.label()
        self._code.branch(condition, then, otherwise)
        place: Variable | None = None
        for start, expression in ((then, body), (otherwise, orelse)):
            self._code.begin(start)
            number = self._number(self._value(expression))
            if place is None:
                place = self._code.place(number.kind, number.lanes)
            elif number.kind != place.kind:
                self._refuse(node, "an integer or a float, depending on the condition")
            self._code.store(number, place)
            self._code.go(end)
        self._code.begin(end)
        assert place is not None
        return self._number(place)

    def _condition(self, node: ast.expr) -> Known | Number:
        return self._as_condition(self._value(node))

    def _as_condition(self, value: Value) -> Known | Number:
        if isinstance(value, Known):
            return value
        number = self._number(value)
        return number if number.kind == BOOLEAN else self._code.compared("ne", number, literal(0))

    def _call(self, node: ast.Call, function: Value, arguments: list[ast.expr]) -> Value:
        if not isinstance(function, Known):
            self._refuse(node, "no function")
        name = function.value
        if isinstance(name, Compiled):
            return self._inlined(node, name.function, [self._settled(each) for each in arguments])
        values = [self._settled(each) for each in arguments]
        if isinstance(name, type) and issubclass(name, tuple):
            return Known(cast("Callable[..., Any]", name)(*values))
        if name is array:
            return self._array(node, values)
        if name is tail:
            return self._tail(node, *values)
        if name is call:
            self._code.call(self._number(values[0]), [each for each in values[1:] if isinstance(each, Array)])
            return Known(None)
        constants = [value.value for value in values if isinstance(value, Known)]
        if len(constants) == len(values):
            return Known(name(*constants))
        if name not in FUNCTIONS:
            self._refuse(node, "a function that kernels do not have")
        return FUNCTIONS[name](self._code, *(self._number(value) for value in values))

    def _array(self, node: ast.Call, values: list[Value]) -> Array:
        pointer, *shape = values
        if not isinstance(pointer, (Pointer, Array)):
            self._refuse(node, "expected a pointer or an array")
        return Array(
            pointer.kind,
            pointer.text,
            tuple(size if isinstance(size, Known) else self._number(size) for size in shape),
        )

    def _tail(self, node: ast.Call, of: Value, first: Value) -> Array:
        if not isinstance(of, Array) or len(of.shape) != 1:
            self._refuse(node, "expected an array with one axis")
        place = self._code.element(of, [first])
        size = self._code.binary("sub", self._number(of.shape[0]), self._number(first))
        assert isinstance(place, Variable)
        return Array(of.kind, place.place, (size,))

    @abstractmethod
    def _inlined(self, node: ast.Call, function: Callable[..., Any], values: list[Value]) -> Value:
        """Value of a compiled function of these values, whose body is translated here."""

    def _refuse(self, node: ast.AST, reason: str) -> NoReturn:
        raise self._refusal(node, reason)

    def _refusal(self, node: ast.AST, reason: str) -> KernelError:
        file, before = self._origin
        return KernelError(f"{file}:{before + getattr(node, 'lineno', 1)}: {ast.unparse(node)}: {reason}")


def is_number(value: Any) -> bool:
    """Whether what is known is a number."""
    return isinstance(value, (bool, int, float))

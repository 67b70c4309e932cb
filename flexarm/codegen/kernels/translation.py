"""Translation of kernels from a part of Python to LLVM assembly text; see :mod:`flexarm.codegen.kernels.language`.

Statements become loads, operations and stores one after the other; keeping variables in registers is left to LLVM.
Products are not fused with sums and sums not reordered: a loop gives the same numbers however it is cut.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from flexarm.codegen.kernels.expressions import Expressions, is_number
from flexarm.codegen.kernels.language import registers
from flexarm.codegen.kernels.operations import Operations
from flexarm.codegen.kernels.values import (
    FLOAT,
    INTEGER,
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

KERNEL = "kernel"
"""Name of the translated function."""

_KINDS = {"int64": INTEGER, "uint64": INTEGER, "float64": FLOAT}


def translate(function: Callable[..., Any], parameters: Mapping[str, str], lanes: int) -> str:
    """Translate a kernel.

    Parameters
    ----------
    function : callable
        Its source is read, and the values of the names that its module knows.
    parameters : mapping
        From the names of its parameters to int64, uint64 or float64, with ``*`` for a pointer to such numbers. No two
        pointers lead to the same memory.
    lanes : int
        Numbers in a vector register.

    Returns
    -------
    str
        LLVM assembly of the function :data:`KERNEL`, which returns an int64.

    Raises
    ------
    KernelError
    """
    names: dict[str, Value] = {}
    arguments = []
    for name, kind in parameters.items():
        pointer = kind.endswith("*")
        element = _KINDS[kind.rstrip("*")]
        arguments.append(f"ptr noalias %{name}" if pointer else f"{element} %{name}")
        names[name] = Pointer(element, f"%{name}") if pointer else Number(element, f"%{name}")
    code = Operations()
    result = _Body(code, function, names, lanes, width=1).translated()
    number = code.converted(code.number(result), INTEGER)
    return "\n".join(
        [
            *code.tables,
            f"define i64 @{KERNEL}({', '.join(arguments)}) {{",
            "entry:",
            *code.places,
            *code.lines,
            f"ret i64 {number.text}",
            "}",
            *sorted(code.declarations),
        ]
    )


class _Body(Expressions):
    """The body of a function where it is called: statements, and what it returns."""

    def __init__(
        self, code: Operations, function: Callable[..., Any], names: dict[str, Value], lanes: int, width: int
    ):
        lines, first_line = inspect.getsourcelines(function)
        (definition,) = ast.parse(textwrap.dedent("".join(lines))).body
        assert isinstance(definition, ast.FunctionDef)
        closure = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        enclosing = {name: cell.cell_contents for name, cell in closure}
        places = (enclosing, function.__globals__, vars(builtins))
        super().__init__(
            code, names, places, (inspect.getsourcefile(function) or "", first_line - 1), definition
        )
        self._lanes, self._width = lanes, width
        self._statements = definition.body
        assigned = _assignments(definition)
        self._assigned_once = {name for name, count in assigned.items() if count == 1 and name not in names}
        self._outer: Mapping[str, Value] = {}  # names of the blocks around the present one
        for name in assigned.keys() & names.keys():
            value = names[name]
            if isinstance(value, Number) or (isinstance(value, Known) and is_number(value.value)):
                names[name] = code.variable(code.number(value))
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        returns = [node for node in ast.walk(definition) if isinstance(node, ast.Return)]
        self._single = len(returns) == 1 and returns[0] is definition.body[-1]
        self._result: Value = Known(None)
        self._end = code.label()

    def translated(self) -> Value:
        """Translate the statements; return the function's value."""
        self._block(self._statements)
        if self._single:
            return self._result
        self._code.go(self._end)
        self._code.begin(self._end)
        return self._result

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self._code.ended:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        self._present = node
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=value):
                self._value(value)
            case ast.Assign(targets=[target], value=value):
                self._assign(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                now = ast.copy_location(ast.BinOp(_loaded(target), op, value), node)
                self._assign(target, now)
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(test, body, orelse)
            case ast.While(test=test, body=body, orelse=[]):
                self._while(test, body)
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                self._for(node, target, over, body)
            case ast.Break():
                self._code.go(self._loops[-1][1])
            case ast.Continue():
                self._code.go(self._loops[-1][0])
            case ast.Return(value=value):
                self._return(Known(None) if value is None else self._value(value))
            case _:
                self._refuse(node, "a statement that kernels do not have")

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            values = [self._settled(each) for each in value.elts]
            if len(values) != len(target.elts):
                self._refuse(target, f"expected {len(target.elts)} values, got {len(values)}")
            for one, of in zip(target.elts, values, strict=True):
                self._store(one, of)
        else:
            self._store(target, self._value(value))

    def _store(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(id=name):
                self._store_name(target, name, value)
            case ast.Subscript():
                place = self._element(target)
                if not isinstance(place, Variable):
                    self._refuse(target, "expected an index for every axis of an array")
                self._store_number(target, place, value)
            case _:
                self._refuse(target, "cannot be assigned to")

    def _store_name(self, node: ast.expr, name: str, value: Value) -> None:
        before = self._names.get(name)
        if isinstance(value, Known) and (name in self._assigned_once or not is_number(value.value)):
            self._names[name] = value
        elif isinstance(value, (Array, Pointer)):
            if name in self._outer:
                self._refuse(node, "an array that has another meaning outside of this block")
            self._names[name] = value
        elif isinstance(before, Variable):
            self._store_number(node, before, value)
        else:
            number = self._number(value)
            lanes = self._width if number.kind == FLOAT else number.lanes
            self._names[name] = self._code.variable(self._code.broadcast(number, lanes))

    def _store_number(self, node: ast.expr, place: Variable, value: Value) -> None:
        number = self._number(value)
        if number.kind == FLOAT and place.kind != FLOAT:
            self._refuse(node, "an integer before, now a float")
        if number.lanes > place.lanes:
            self._refuse(node, "one number before, now one in each lane")
        number = self._code.broadcast(self._code.converted(number, place.kind), place.lanes)
        self._code.store(number, place)

    def _if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        condition = self._condition(test)
        if isinstance(condition, Known):
            self._block(body if condition.value else orelse)
            return
        then, otherwise, end = self._code.label(), self._code.label(), self._code.label()
        self._code.branch(condition, then, otherwise)
        for start, statements in ((then, body), (otherwise, orelse)):
            self._code.begin(start)
            with self._own_names():
                self._block(statements)
            self._code.go(end)
        self._code.begin(end)

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        start, inside, end = self._code.label(), self._code.label(), self._code.label()
        self._code.go(start)
        self._code.begin(start)
        condition = self._condition(test)
        if isinstance(condition, Known):
            condition = literal(bool(condition.value))
        self._code.branch(condition, inside, end)
        self._code.begin(inside)
        self._loop_body(body, start, end)
        self._code.go(start)
        self._code.begin(end)

    def _for(self, node: ast.For, target: ast.expr, over: ast.expr, body: list[ast.stmt]) -> None:
        if isinstance(over, ast.Call):
            function = self._value(over.func)
            if function == Known(range) and isinstance(target, ast.Name):
                self._count(target.id, [self._value(each) for each in over.args], body)
                return
            if function == Known(registers) and isinstance(target, ast.Name) and len(over.args) in (1, 2):
                limits = [self._value(each) for each in over.args]
                self._count_registers(node, target.id, [Known(0), *limits][-2:], body)
                return
        values = self._value(over)
        if not isinstance(values, Known) or not isinstance(values.value, tuple):
            self._refuse(node, "expected range, registers or a constant tuple")
        for value in values.value:
            with self._own_names():
                self._bind(target, value)
                self._block(body)

    def _bind(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Tuple):
            for one, of in zip(target.elts, value, strict=True):
                self._bind(one, of)
        elif isinstance(target, ast.Name):
            self._names[target.id] = known(value)

    def _count(self, name: str, limits: list[Value], body: list[ast.stmt]) -> None:
        limits = [Known(0), *limits] if len(limits) == 1 else limits
        start, stop, step = [*limits, Known(1)][:3]
        down = isinstance(step, Known) and step.value < 0
        with self._own_names():
            counter = self._code.place(INTEGER)
            last, step = self._number(stop), self._number(step)
            self._code.store(self._number(start), counter)
            self._counting(counter, last, step, "sgt" if down else "slt", name, body)

    def _count_registers(self, node: ast.For, name: str, limits: list[Value], body: list[ast.stmt]) -> None:
        if self._width > 1:
            self._refuse(node, "registers within registers")
        start, stop = (self._number(limit) for limit in limits)
        counter = self._code.place(INTEGER)
        self._code.store(start, counter)
        whole = self._code.binary("and", self._code.binary("sub", stop, start), literal(-self._lanes))
        names = self._names
        for width, end in ((self._lanes, self._code.binary("add", start, whole)), (1, stop)):
            self._names, self._width = dict(names), width
            self._counting(counter, end, literal(width), "slt", name, body, width)
        self._names, self._width = names, 1

    def _counting(
        self,
        counter: Variable,
        end: Number,
        step: Number,
        goes_on: str,
        name: str,
        body: list[ast.stmt],
        width: int = 1,
    ) -> None:
        """A loop while the counter has not reached its end; the name stands for its value, or for a register there."""
        test, inside, advance, done = (self._code.label() for _ in range(4))
        self._code.go(test)
        self._code.begin(test)
        now = self._number(counter)
        self._code.branch(self._code.compared(goes_on, now, end), inside, done)
        self._code.begin(inside)
        self._names[name] = now if width == 1 else RegisterIndex(now, width)
        self._loop_body(body, advance, done)
        self._code.go(advance)
        self._code.begin(advance)
        self._code.store(self._code.binary("add", self._number(counter), step), counter)
        self._code.go(test)
        self._code.begin(done)

    def _loop_body(self, body: list[ast.stmt], again: str, done: str) -> None:
        self._loops.append((again, done))
        with self._own_names():
            self._block(body)
        self._loops.pop()

    def _return(self, value: Value) -> None:
        if self._single:
            self._result = self._number(value) if isinstance(value, Variable) else value
            return
        if not (isinstance(value, Known) and value.value is None):
            number = self._number(value)
            if not isinstance(self._result, Variable):
                self._result = self._code.place(number.kind, number.lanes)
            self._code.store(self._code.converted(number, self._result.kind), self._result)
        self._code.go(self._end)

    @contextmanager
    def _own_names(self) -> Iterator[None]:
        """Names of arrays and constants that are given inside have no meaning outside; variables keep theirs."""
        before, outer = self._names, self._outer
        self._names, self._outer = dict(before), before
        yield
        kept = {name: value for name, value in self._names.items() if isinstance(value, Variable)}
        self._names, self._outer = {**kept, **before}, outer

    def _inlined(self, node: ast.Call, function: Callable[..., Any], values: list[Value]) -> Value:
        places = list(inspect.signature(function).parameters)
        if len(places) != len(values):
            self._refuse(node, f"expected {len(places)} arguments, got {len(values)}")
        body = _Body(self._code, function, dict(zip(places, values, strict=True)), self._lanes, self._width)
        return body.translated()


def _assignments(definition: ast.FunctionDef) -> dict[str, int]:
    """Names that a function gives values, and how many statements do so for each."""
    counts: dict[str, int] = {}
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            counts[node.id] = counts.get(node.id, 0) + 1
    return counts


def _loaded(target: ast.expr) -> ast.expr:
    """The same place, to be read."""
    copy = ast.parse(ast.unparse(target), mode="eval").body
    return ast.copy_location(copy, target)

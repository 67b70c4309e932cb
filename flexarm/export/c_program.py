"""C99 text of a straight-line program: functions of bounded length, one statement for each value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import casadi as ca

from flexarm.codegen.instructions import (
    OPERATIONS,
    Program,
    eliminate_common_subexpressions,
    instructions,
    share_reciprocals,
)

IndexedText = Callable[[int], str]
"""Text of an element of an argument."""

STATEMENTS = 1000
"""Of a function: the time of C compilers grows with more than the square of its length."""
NAMES_A_LINE = 12

_SYMBOLS = {"add": "{a} + {b}", "sub": "{a} - {b}", "mul": "{a} * {b}", "div": "{a} / {b}"}
_SYMBOLS |= {"neg": "-{a}", "sq": "{a} * {a}", "twice": "{a} + {a}", "inv": "1.0 / {a}"}
_SYMBOLS |= {
    name: f"{{a}} {sign} {{b}}" for name, sign in (("lt", "<"), ("le", "<="), ("eq", "=="), ("ne", "!="))
}
_SYMBOLS |= {"and": "{a} != 0.0 && {b} != 0.0", "or": "{a} != 0.0 || {b} != 0.0", "not": "{a} == 0.0"}
_SYMBOLS |= {"if_else_zero": "{a} != 0.0 ? {b} : 0.0", "sign": "{a} > 0.0 ? 1.0 : {a} < 0.0 ? -1.0 : {a}"}
_SYMBOLS |= {"constpow": "pow({a}, {b})"}
TEMPLATES: Mapping[str, str] = MappingProxyType(
    {name: f"{name}({', '.join(['{a}', '{b}'][:count])})" for name, count in OPERATIONS.items()} | _SYMBOLS
)
"""Operation -> its C text of operands {a} and {b}; the rest are functions of math.h. What is not 0 is true."""


@dataclass(frozen=True)
class CFunction:
    """A C function without a result, whose body evaluates a CasADi function.

    Attributes
    ----------
    name : str
    parameters : mapping of str to str
        Name of each parameter -> its declaration.
    locals : mapping of str to str
        The same for what it declares by itself, at first.
    prologue : str
        Statements that fill these.
    """

    name: str
    parameters: Mapping[str, str]
    locals: Mapping[str, str] = field(default_factory=dict)
    prologue: str = ""

    def text(self, f: ca.Function, arguments: Sequence[IndexedText], results: Sequence[IndexedText]) -> str:
        """Write the function, and those that it calls if it is long.

        Parameters
        ----------
        f : casadi.Function
        arguments : sequence of callable
            For each input of f, from the number of an element to its text.
        results : sequence of callable
            The same for each output; elements count down the columns of dense matrices.
        """
        program = share_reciprocals(eliminate_common_subexpressions(instructions(f)))
        pieces, n_work = _Pieces(program, arguments, results).written()
        if len(pieces) == 1:
            return self._head(self.name, self.parameters) + self._body(pieces[0], self.locals)
        inner = {**self.parameters, **{name: f"const double *{name}" for name in self.locals}}
        inner["work"] = "double *restrict work"
        names = [f"{self.name}_{k}" for k in range(1, len(pieces) + 1)]
        calls = [f"  {name}({', '.join(inner)});" for name in names]
        own = {**self.locals, "work": f"double work[{n_work}]"}
        texts = [
            self._head(name, inner) + _body(inner, {}, "", piece)
            for name, piece in zip(names, pieces, strict=True)
        ]
        whole = self._head(self.name, self.parameters) + self._body(("", _lines(calls)), own)
        return "\n".join([*texts, whole])

    @staticmethod
    def _head(name: str, parameters: Mapping[str, str]) -> str:
        return f"static void {name}({', '.join(parameters.values())}) {{\n"

    def _body(self, piece: tuple[str, str], own: Mapping[str, str]) -> str:
        return _body(self.parameters, own, self.prologue, piece)


def _body(
    parameters: Mapping[str, str], own: Mapping[str, str], prologue: str, piece: tuple[str, str]
) -> str:
    declarations, statements = piece
    declared = _lines([f"  {declaration};" for declaration in own.values()])
    used = "  " + ", ".join(f"(void){name}" for name in parameters) + ";\n"
    return f"{declared}{declarations}{used}{prologue}{statements}}}\n"


class _Pieces:
    """Writes a program as pieces of bounded length.

    A value that its own piece alone reads is a variable there; what later ones read is an element of ``work``. Both are
    used again once they are no longer read.
    """

    def __init__(self, program: Program, arguments: Sequence[IndexedText], results: Sequence[IndexedText]):
        self._program, self._arguments = program, arguments
        self._last = _last_uses(program)
        self._outputs: dict[int, list[str]] = {}
        for result, element, value in program.outputs:
            self._outputs.setdefault(value, []).append(results[result](element))
        computed = [k for k, (name, _) in enumerate(program.steps) if k in self._last and name in OPERATIONS]
        self._piece = {k: place // STATEMENTS for place, k in enumerate(computed)}
        self._n_pieces = self._piece[computed[-1]] + 1 if computed else 1

    def written(self) -> tuple[list[tuple[str, str]], int]:
        """Declarations and statements of each piece, and the number of elements of ``work``."""
        statements: list[list[str]] = [[] for _ in range(self._n_pieces)]
        counts = [0] * self._n_pieces
        free: list[list[str]] = [[] for _ in range(self._n_pieces)]
        free_work: list[str] = []
        n_work, here = 0, 0
        texts: dict[int, str] = {}
        release: dict[str, list[str]] = {}
        for k, (name, operands) in enumerate(self._program.steps):
            if k not in self._last:
                continue
            if name == "constant":
                texts[k] = number_text(operands[0])
            elif name == "input":
                texts[k] = self._arguments[operands[0]](operands[1])
            else:
                here = self._piece[k]
                a, *rest = (texts[operand] for operand in operands)
                text = TEMPLATES[name].format(a=a, b=rest[0] if rest else "")
                for operand in dict.fromkeys(operands):
                    if self._last[operand] == k and texts[operand] in release:
                        release[texts[operand]].append(texts[operand])
                stays = self._piece.get(self._last[k], here) == here
                pool = free[here] if stays else free_work
                if not pool:
                    pool.append(f"w{counts[here]}" if stays else f"work[{n_work}]")
                    counts[here], n_work = counts[here] + stays, n_work + (not stays)
                texts[k] = pool.pop()
                release[texts[k]] = pool
                statements[here].append(f"  {texts[k]} = {text};")
                if self._last[k] == k:
                    pool.append(texts[k])
            statements[here] += [f"  {place} = {texts[k]};" for place in self._outputs.get(k, ())]
        declared = [_declarations(count) for count in counts]
        return list(zip(declared, map(_lines, statements), strict=True)), n_work


def number_text(value: float) -> str:
    """Write a number as a constant expression of C that is exactly this number."""
    if math.isnan(value):
        return "(0.0 * HUGE_VAL)"
    if math.isinf(value):
        return "HUGE_VAL" if value > 0 else "(-HUGE_VAL)"
    return repr(float(value)) if math.copysign(1.0, value) > 0 else f"({float(value)!r})"


def _last_uses(program: Program) -> dict[int, int]:
    """Number of each value that is used -> that of the last step that reads it; a result is read when it is made."""
    last: dict[int, int] = {value: value for _, _, value in program.outputs}
    for k in range(len(program.steps) - 1, -1, -1):
        name, operands = program.steps[k]
        if k in last and name in OPERATIONS:
            for operand in operands:
                last.setdefault(operand, k)  # later steps have been seen before
                last[operand] = max(last[operand], k)
    return last


def _declarations(count: int) -> str:
    """Declare so many variables."""
    names = [f"w{k}" for k in range(count)]
    return _lines(
        [f"  double {', '.join(names[k : k + NAMES_A_LINE])};" for k in range(0, count, NAMES_A_LINE)]
    )


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)

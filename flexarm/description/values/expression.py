"""Expressions of time typed as text, e.g. ``5*sin(2*pi*t)``: allowed functions only, never run as Python."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from flexarm.description.values.input_model import wrong
from flexarm.hints import did_you_mean

if TYPE_CHECKING:
    import numpy as np

LONGEST = 4000  # characters
DEEPEST = 200  # operations inside one another
INSTANTS = 1001
"""Number of times, spread evenly, at which :func:`undefined_value` evaluates an expression."""

FUNCTIONS = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"), (1, 1)),
    **dict.fromkeys(("exp", "log", "sqrt", "abs", "sign", "step"), (1, 1)),
    "atan2": (2, 2),
    **dict.fromkeys(("min", "max"), (2, None)),
}
"""Allowed functions: the least and the greatest number of arguments (None: any number)."""

_CONSTANTS = {"pi": math.pi}
RESERVED = ("t", *_CONSTANTS, *FUNCTIONS)
"""Names that mean something in every expression."""
_OPERATIONS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}
_NAMES = f"names: t, pi, {', '.join(sorted(FUNCTIONS))}; operations: + - * / ** ( )"


@dataclass(frozen=True)
class Expression:
    """Function of time t [s] as its text; unknown names and constructions are refused when it is made.

    Attributes
    ----------
    text : str
    parameters : tuple of (str, number)
        Named numbers [any unit] that the text uses besides t; symbols where they are left open.

    Raises
    ------
    ValueError
        What is wrong with the text, in a form that the loader places in the file.
    """

    text: str
    parameters: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        _parse(self.text, self._known)

    @classmethod
    def constant(cls, value: float) -> Expression:
        """Expression of one number, which arms of a sweep may differ in."""
        return cls("value", (("value", value),))

    def __str__(self) -> str:
        """Text, and the values of its parameters: ``5*sin(t/T) with T = 2``; a constant's value."""
        if self.parameters and self.text == self.parameters[0][0]:
            return repr(self.parameters[0][1])
        values = ", ".join(f"{name} = {value:g}" for name, value in self.parameters)
        return self.text + (values and f" with {values}")

    @property
    def names(self) -> frozenset[str]:
        """Names in the expression: t, constants, functions and parameters."""
        return _names_in(self.text, self._known)

    @property
    def _known(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.parameters)

    def evaluate(self, t: Any, functions: Mapping[str, Callable[..., Any]]) -> Any:
        """Evaluate the expression at `t` in the arithmetic of `t`: floats, arrays or symbols.

        Parameters
        ----------
        t : number, array or symbol
            Time [s].
        functions : mapping
            One callable for each name of ``FUNCTIONS`` that is used; min and max get two arguments.
        """
        values = {"t": t, **_CONSTANTS, **dict(self.parameters)}
        return _value(_parse(self.text, self._known), values, functions, {})

    def at(self, t: np.ndarray) -> np.ndarray:
        """Evaluate the expression at the times `t`, (...) [s]; NaN or infinite where it has no value."""
        import numpy as np

        t = np.asarray(t, dtype=float)
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(self.evaluate(t, numpy_functions()), dtype=float), t.shape)


@lru_cache(maxsize=1)
def numpy_functions() -> dict[str, Callable[..., Any]]:
    """The functions of expressions over arrays."""
    import numpy as np

    other_names = {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2}
    other_names |= {"min": np.minimum, "max": np.maximum, "step": lambda x: np.heaviside(x, 1.0)}
    return {name: other_names.get(name) or getattr(np, name) for name in FUNCTIONS}


@lru_cache(maxsize=1024)
def _parse(text: str, parameters: frozenset[str] = frozenset()) -> ast.expr:
    """Syntax tree of the text, made of allowed parts only."""
    if len(text) > LONGEST:
        raise wrong(
            f"got {len(text)} characters, expected an expression of at most {LONGEST}",
            "a long table of values belongs into a table file",
        )
    try:
        tree = _tree(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        at = getattr(error, "offset", None)
        place = f" near {text.strip()[max(at - 2, 0) : at + 8]!r}" if at else ""
        raise wrong(
            f"got {shorten(text)!r}, expected an expression of t such as '5*sin(2*pi*t)'",
            f"the syntax goes wrong{place}; products need *, powers **",
        ) from None
    _check(tree, text.strip(), 0, parameters)
    return _Sharing().visit(tree)


class _Sharing(ast.NodeTransformer):
    """Makes equal calls of functions one node, which is evaluated once."""

    def __init__(self) -> None:
        self._calls: dict[str, ast.Call] = {}

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Return the first call that is equal to this one."""
        self.generic_visit(node)
        return self._calls.setdefault(ast.dump(node), node)


def _tree(text: str) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text.strip(), mode="eval").body


@lru_cache(maxsize=1024)
def names_in(text: str) -> frozenset[str] | None:
    """All names in a text, known or not; None if it is no expression."""
    try:
        tree = _tree(text) if len(text) <= LONGEST else None
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    if not isinstance(tree, ast.Constant | ast.Name | ast.UnaryOp | ast.BinOp | ast.Call):
        return None
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


@lru_cache(maxsize=1024)
def _names_in(text: str, parameters: frozenset[str]) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(_parse(text, parameters)) if isinstance(node, ast.Name))


def _check(node: ast.expr, text: str, depth: int, parameters: frozenset[str]) -> None:
    if depth > DEEPEST:
        raise wrong(f"got an expression nested more than {DEEPEST} deep", "write it with fewer brackets")
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            try:
                finite = math.isfinite(float(number))
            except OverflowError:
                finite = False
            if not finite:
                raise wrong(f"got a number too large in {shorten(text)!r}, expected finite numbers")
        case ast.Name(id=name):
            if name in FUNCTIONS:
                raise wrong(f"got the function {name!r} without its argument in {shorten(text)!r}")
            if name not in RESERVED and name not in parameters:
                raise _unknown("name", name, (*sorted(parameters), *RESERVED), parameters)
        case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
            _check(operand, text, depth + 1, parameters)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            _check(left, text, depth + 1, parameters)
            _check(right, text, depth + 1, parameters)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            _check_call(name, len(arguments))
            for argument in arguments:
                _check(argument, text, depth + 1, parameters)
        case ast.BinOp(op=ast.BitXor()):
            raise wrong(f"got '^' in {shorten(text)!r}", "powers are written with **")
        case _:
            part = ast.get_source_segment(text, node) or text
            raise wrong(f"got {shorten(part)!r}, which is not allowed in an expression", _NAMES)


def _check_call(name: str, count: int) -> None:
    if name not in FUNCTIONS:
        raise _unknown("function", name, tuple(FUNCTIONS))
    least, most = FUNCTIONS[name]
    if count < least or (most is not None and count > most):
        number = f"{least}" if most == least else f"at least {least}"
        raise wrong(f"got {count} arguments for {name!r}, expected {number}")


def _unknown(
    kind: str, name: str, allowed: tuple[str, ...], parameters: frozenset[str] = frozenset()
) -> Exception:
    names = (f"parameters: {', '.join(sorted(parameters))}; " if parameters else "") + _NAMES
    return wrong(f"unknown {kind} {name!r}", did_you_mean(name, allowed, names))


def _value(
    node: ast.expr,
    values: Mapping[str, Any],
    functions: Mapping[str, Callable[..., Any]],
    calls: dict[int, Any],
) -> Any:
    """Value of a node; `calls` has those of functions that were called before."""
    match node:
        case ast.Constant(value=number):
            return float(number)  # type: ignore[arg-type]
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, values, functions, calls)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return _operate(type(op), *(_value(side, values, functions, calls) for side in (left, right)))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            if id(node) not in calls:
                found = [_value(argument, values, functions, calls) for argument in arguments]
                function = functions[name]
                calls[id(node)] = reduce(function, found) if name in ("min", "max") else function(*found)
            return calls[id(node)]
    raise AssertionError("the tree was checked when the expression was made")


def _operate(operation: type[ast.operator], left: Any, right: Any) -> Any:
    """One operation; between plain floats it never raises and never leaves the real numbers."""
    try:
        value = _OPERATIONS[operation](left, right)
    except (ZeroDivisionError, OverflowError):
        return math.nan
    return math.nan if isinstance(value, complex) else value


def undefined_value(expression: Expression, duration: float, end: str) -> PydanticCustomError | None:
    """Fault of an expression without a finite value somewhere from 0 to `duration` [s], which `end` names."""
    import numpy as np

    times = np.linspace(0.0, duration, INSTANTS)
    without = ~np.isfinite(expression.at(times))
    if not without.any():
        return None
    message = f"{str(expression)!r} has no finite value at t = {times[without][0]:.6g} s"
    return wrong(message, f"it must have one from 0 to {end}")


def shorten(text: str, longest: int = 40) -> str:
    """Text of at most `longest` characters: the text itself, or its beginning with an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."

"""The LLVM assembly text of every operation of a program, on single numbers or on several lanes of a register."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from flexarm.codegen.llvm.sine_cosine import sin_cos_text
from flexarm.codegen.llvm.vector_types import by_lane_text, constant_text, value_name

# {v} is the type of a value, {i} that of a condition; constants are written {zero}, {one} and {minus_one}.
_ARITHMETIC = {
    "add": "{r} = fadd {v} {a}, {b}",
    "sub": "{r} = fsub {v} {a}, {b}",
    "mul": "{r} = fmul {v} {a}, {b}",
    "div": "{r} = fdiv {v} {a}, {b}",
    "neg": "{r} = fneg {v} {a}",
    "sq": "{r} = fmul {v} {a}, {a}",
    "twice": "{r} = fadd {v} {a}, {a}",
    "inv": "{r} = fdiv {v} {one}, {a}",
}

# A product and the sum that alone reads it: rounded once where the processor can, whatever effort LLVM makes.
# {c} is the other operand of the sum. fmuladd: fused if that is faster than two operations.
_FUSED = {
    "mul_add": "{r} = call {v} @{fmuladd}({v} {a}, {v} {b}, {v} {c})",
    "mul_sub": "{r}n = fneg {v} {c}\n{r} = call {v} @{fmuladd}({v} {a}, {v} {b}, {v} {r}n)",
    "sub_mul": "{r}n = fneg {v} {a}\n{r} = call {v} @{fmuladd}({v} {r}n, {v} {b}, {v} {c})",
}

# A condition is a number: it holds unless it is 0, so NaN holds, as in C.
_TRUE_A = "{r}a = fcmp une {v} {a}, {zero}\n"
_TRUE_B = "{r}b = fcmp une {v} {b}, {zero}\n"
_NUMBER = "\n{r} = uitofp {i} {r}c to {v}"
_LOGIC = {
    "lt": "{r}c = fcmp olt {v} {a}, {b}" + _NUMBER,
    "le": "{r}c = fcmp ole {v} {a}, {b}" + _NUMBER,
    "eq": "{r}c = fcmp oeq {v} {a}, {b}" + _NUMBER,
    "ne": "{r}c = fcmp une {v} {a}, {b}" + _NUMBER,
    "not": "{r}c = fcmp oeq {v} {a}, {zero}" + _NUMBER,
    "and": _TRUE_A + _TRUE_B + "{r}c = and {i} {r}a, {r}b" + _NUMBER,
    "or": _TRUE_A + _TRUE_B + "{r}c = or {i} {r}a, {r}b" + _NUMBER,
    "if_else_zero": _TRUE_A + "{r} = select {i} {r}a, {v} {b}, {v} {zero}",
    "sign": "{r}p = fcmp ogt {v} {a}, {zero}\n{r}n = fcmp olt {v} {a}, {zero}\n"
    "{r}s = select {i} {r}p, {v} {one}, {v} {a}\n{r} = select {i} {r}n, {v} {minus_one}, {v} {r}s",
}

_CONSTANTS = {"zero": 0.0, "one": 1.0, "minus_one": -1.0}

# Intrinsics become one machine instruction for all lanes; the number is that of their operands.
_INTRINSICS = {"sqrt": 1, "fabs": 1, "floor": 1, "ceil": 1, "copysign": 2}

# Functions of libm. Of one number, the intrinsics for sine and cosine become one call for both of the same argument.
PAIRED = ("sin", "cos")
"""Operations that have their first line in common, of several lanes."""
_FUNCTIONS = {name: (f"llvm.{name}.f64", 1) for name in PAIRED}
_FUNCTIONS |= {name: (name, 1) for name in ["tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "erf"]}
_FUNCTIONS |= {name: (name, 1) for name in ["asinh", "acosh", "atanh", "exp", "log", "expm1", "log1p"]}
_FUNCTIONS |= {name: (name, 2) for name in ["pow", "atan2", "fmin", "fmax", "fmod", "remainder", "hypot"]}
_FUNCTIONS |= {"constpow": ("pow", 2)}

# Of several lanes, both come from one call; its line is the same for both and written once.
_SIN_COS = "{a}sc = call {pair} @sin_cos({v} {a})\n"


class ValueType:
    """Type of the values of a program: single numbers or lanes of a register.

    Parameters
    ----------
    lanes : int
        Numbers in every value, on all of which an operation works at once.

    Attributes
    ----------
    name : str
        LLVM's name of the type.
    templates : dict
        Text of each operation with result {r} and operands {a} and {b}, {c} besides in fused ones; some take several
        lines.
    """

    def __init__(self, lanes: int):
        self.lanes = lanes
        self.name = v = value_name(lanes)
        words = {name: self.constant(number) for name, number in _CONSTANTS.items()}
        words |= {"v": v, "i": "i1" if lanes == 1 else f"<{lanes} x i1>", "pair": f"{{{{ {v}, {v} }}}}"}
        words |= {operand: f"{{{operand}}}" for operand in "rabc"}
        words["fmuladd"] = self._intrinsic("fmuladd")
        texts = _ARITHMETIC | _LOGIC | _FUSED
        texts |= {name: _call(self._intrinsic(name), count) for name, count in _INTRINSICS.items()}
        for name, (symbol, count) in _FUNCTIONS.items():
            texts[name] = _call(symbol if lanes == 1 else f"lanes_{symbol}", count)
        if lanes > 1:
            texts |= {
                name: _SIN_COS + f"{{r}} = extractvalue {{pair}} {{a}}sc, {k}"
                for k, name in enumerate(PAIRED)
            }
        self.templates = {name: text.format(**words) for name, text in texts.items()}

    def constant(self, number: float) -> str:
        """Write a number exactly, the same in every lane."""
        return constant_text(number, self.lanes)

    def broadcast(self, register: str, number: str) -> str:
        """Write a number in a register of one to all lanes of another."""
        v, n = self.name, self.lanes
        return (
            f"{register}_first = insertelement {v} poison, double {number}, i32 0\n"
            f"{register} = shufflevector {v} {register}_first, {v} poison, <{n} x i32> zeroinitializer"
        )

    def declarations(self, names: Iterable[str]) -> str:
        """Declare or define every mathematical function that some operations call."""
        names = set(names)
        if self.lanes == 1 or not names & set(PAIRED):
            lines = []
        else:
            lines = [sin_cos_text(self.lanes)]
            names |= {*PAIRED, "fabs"}
        lines.append(f"declare {self.name} @{self._intrinsic('fmuladd')}({', '.join([self.name] * 3)}) #0")
        for name in sorted(names & _INTRINSICS.keys()):
            operands = ", ".join([self.name] * _INTRINSICS[name])
            lines.append(f"declare {self.name} @{self._intrinsic(name)}({operands}) #0")
        for symbol, count in sorted({_FUNCTIONS[name] for name in names & _FUNCTIONS.keys()}):
            lines.append(f"declare double @{symbol}({', '.join(['double'] * count)}) #0")
            if self.lanes > 1 and not symbol.startswith("llvm."):
                lines.append(by_lane_text(f"lanes_{symbol}", symbol, count, self.lanes))
        return "\n".join(lines)

    def _intrinsic(self, name: str) -> str:
        return f"llvm.{name}.f64" if self.lanes == 1 else f"llvm.{name}.v{self.lanes}f64"


@cache
def value_type(lanes: int) -> ValueType:
    """Give the type of values with so many lanes."""
    return ValueType(lanes)


def _call(symbol: str, count: int) -> str:
    return f"{{r}} = call {{v}} @{symbol}({', '.join(['{v} {a}', '{v} {b}'][:count])})"

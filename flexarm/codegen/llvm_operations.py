"""The LLVM assembly text of every operation of a program."""

from __future__ import annotations

import struct

# `contract` lets a product and a sum become one fused operation; nothing looser, so no sum is reordered.
_ARITHMETIC = {
    "add": "{r} = fadd contract double {a}, {b}",
    "sub": "{r} = fsub contract double {a}, {b}",
    "mul": "{r} = fmul contract double {a}, {b}",
    "div": "{r} = fdiv contract double {a}, {b}",
    "neg": "{r} = fneg double {a}",
    "sq": "{r} = fmul contract double {a}, {a}",
    "twice": "{r} = fadd contract double {a}, {a}",
    "inv": "{r} = fdiv contract double 1.0, {a}",
}

# A condition is a number: it holds unless it is 0, so NaN holds, as in C.
_TRUE_A = "{r}a = fcmp une double {a}, 0.0\n"
_TRUE_B = "{r}b = fcmp une double {b}, 0.0\n"
_NUMBER = "\n{r} = uitofp i1 {r}c to double"
_LOGIC = {
    "lt": "{r}c = fcmp olt double {a}, {b}" + _NUMBER,
    "le": "{r}c = fcmp ole double {a}, {b}" + _NUMBER,
    "eq": "{r}c = fcmp oeq double {a}, {b}" + _NUMBER,
    "ne": "{r}c = fcmp une double {a}, {b}" + _NUMBER,
    "not": "{r}c = fcmp oeq double {a}, 0.0" + _NUMBER,
    "and": _TRUE_A + _TRUE_B + "{r}c = and i1 {r}a, {r}b" + _NUMBER,
    "or": _TRUE_A + _TRUE_B + "{r}c = or i1 {r}a, {r}b" + _NUMBER,
    "if_else_zero": _TRUE_A + "{r} = select i1 {r}a, double {b}, double 0.0",
    "sign": "{r}p = fcmp ogt double {a}, 0.0\n{r}n = fcmp olt double {a}, 0.0\n"
    "{r}s = select i1 {r}p, double 1.0, double {a}\n{r} = select i1 {r}n, double -1.0, double {r}s",
}

# Intrinsics become one machine instruction, or (sin, cos) one call of libm for both of the same argument.
_UNARY_CALLS = {
    name: f"llvm.{intrinsic}.f64"
    for name, intrinsic in {"sqrt": "sqrt", "fabs": "fabs", "floor": "floor", "ceil": "ceil"}.items()
} | {"sin": "llvm.sin.f64", "cos": "llvm.cos.f64"}
_UNARY_CALLS |= {name: name for name in ["tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "erf"]}
_UNARY_CALLS |= {name: name for name in ["asinh", "acosh", "atanh", "exp", "log", "expm1", "log1p"]}
_BINARY_CALLS = {"copysign": "llvm.copysign.f64", "pow": "pow", "constpow": "pow", "atan2": "atan2"}
_BINARY_CALLS |= {"fmin": "fmin", "fmax": "fmax", "fmod": "fmod", "remainder": "remainder", "hypot": "hypot"}

#: Text of each operation with result r and operands a and b; some take several lines.
TEMPLATES = (
    _ARITHMETIC
    | _LOGIC
    | {name: f"{{r}} = call double @{symbol}(double {{a}})" for name, symbol in _UNARY_CALLS.items()}
    | {
        name: f"{{r}} = call double @{symbol}(double {{a}}, double {{b}})"
        for name, symbol in _BINARY_CALLS.items()
    }
)


def declarations() -> str:
    """Declare every mathematical function that a program may call."""
    lines = [f"declare double @{symbol}(double) #0" for symbol in _UNARY_CALLS.values()]
    lines += [
        f"declare double @{symbol}(double, double) #0" for symbol in sorted(set(_BINARY_CALLS.values()))
    ]
    return "\n".join([*lines, "attributes #0 = { nounwind memory(none) }"])


def hexadecimal(number: float) -> str:
    """Write a number exactly, infinities and NaN included: its 64 bits as LLVM reads them."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"

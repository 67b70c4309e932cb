"""A program of numbered values written as LLVM assembly text, cut into pieces of bounded length."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from flexarm.codegen.instructions import OPERATIONS, Program

#: Steps per LLVM function. LLVM needs more than linear time for one long function; pieces hand their values
#: on through a work array (measured by benchmarks/compile_time.py).
PIECE_LENGTH = 1000

#: `contract` lets a product and a sum become one fused operation; nothing looser, so no sum is reordered.
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

_TEMPLATES = (
    _ARITHMETIC
    | _LOGIC
    | {name: f"{{r}} = call double @{symbol}(double {{a}})" for name, symbol in _UNARY_CALLS.items()}
    | {
        name: f"{{r}} = call double @{symbol}(double {{a}}, double {{b}})"
        for name, symbol in _BINARY_CALLS.items()
    }
)

_SIGNATURE = (
    "double %t, ptr noalias readonly %y, ptr noalias readonly %p, ptr noalias readonly %u, "
    "ptr noalias %out, ptr noalias %work"
)
_ARGUMENTS = ("%t", "%y", "%p", "%u", "%work")


def declarations() -> str:
    """Declare every mathematical function that a program may call."""
    lines = [f"declare double @{symbol}(double) #0" for symbol in _UNARY_CALLS.values()]
    lines += [f"declare double @{symbol}(double, double) #0" for symbol in set(_BINARY_CALLS.values())]
    return "\n".join([*lines, "attributes #0 = { nounwind memory(none) }"])


def hexadecimal(number: float) -> str:
    """Write a number exactly, infinities and NaN included: its 64 bits as LLVM reads them."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def program_text(program: Program, piece_length: int = PIECE_LENGTH) -> tuple[list[str], int]:
    """Write a program as LLVM functions ``@piece_0``, ``@piece_1``, ..., to be called in this order.

    Returns
    -------
    pieces : list of str
        The definition of each function: ``void (double t, y, p, u, out, work)``, where all but t are
        pointers to double.
    n_work : int
        Length of the work array through which the pieces hand on their values.
    """
    n_steps = len(program.steps)
    starts = range(0, max(n_steps, 1), piece_length)
    slots, n_work = _work_slots(program, piece_length)
    elements: dict[int, list[int]] = {}
    for _, element, value in program.outputs:
        elements.setdefault(value, []).append(element)
    return [
        _piece_text(program, number, range(start, min(start + piece_length, n_steps)), slots, elements)
        for number, start in enumerate(starts)
    ], n_work


def _work_slots(program: Program, piece_length: int) -> tuple[dict[int, int], int]:
    """Give a place in the work array to each value that a later piece reads; places are reused."""
    last_reader: dict[int, int] = {}
    for k, (name, operands) in enumerate(program.steps):
        if name in OPERATIONS:
            for operand in operands:
                last_reader[operand] = k // piece_length
    slots: dict[int, int] = {}
    free: list[int] = []
    n_work, expiring = 0, {}
    for k, (name, _) in enumerate(program.steps):
        piece = k // piece_length
        free.extend(expiring.pop(piece - 1, ()))
        if name in OPERATIONS and last_reader.get(k, piece) > piece:
            if free:
                slots[k] = free.pop()
            else:
                slots[k] = n_work
                n_work += 1
            expiring.setdefault(last_reader[k], []).append(slots[k])
    return slots, n_work


def _piece_text(
    program: Program, number: int, steps: range, slots: dict[int, int], elements: dict[int, list[int]]
) -> str:
    """Write the steps of one piece; constants, inputs and values of other pieces appear where first read."""
    lines: list[str] = []
    known: dict[int, str] = {}  # value number -> register or constant

    def address(register: str, pointer: str, element: int) -> str:
        lines.append(f"{register}_at = getelementptr inbounds double, ptr {pointer}, i64 {element}")
        return f"ptr {register}_at"

    def read(value: int) -> str:
        if value in known:
            return known[value]
        name, operands = program.steps[value]
        register = f"%v{value}"
        if name == "constant":
            register = hexadecimal(operands[0])
        elif (name, *operands) == ("input", 0, 0):
            register = "%t"
        else:
            argument, element = operands if name == "input" else (-1, slots[value])
            pointer = _ARGUMENTS[argument]
            lines.append(f"{register} = load double, {address(register, pointer, element)}")
        known[value] = register
        return register

    for value in steps:
        name, operands = program.steps[value]
        if name in OPERATIONS:
            a, b = read(operands[0]), read(operands[-1])
            known[value] = register = f"%v{value}"
            lines.append(_TEMPLATES[name].format(r=register, a=a, b=b))
            if value in slots:
                lines.append(f"store double {register}, {address(register + 's', '%work', slots[value])}")
        for element in elements.get(value, ()):
            register = read(value)
            lines.append(f"store double {register}, {address(f'%o{element}', '%out', element)}")
    body = "\n".join(lines)
    return f"define internal void @piece_{number}({_SIGNATURE}) #1 {{\n{body}\nret void\n}}"


_SIGNAL = """
define internal double @signal(double %time, ptr %breaks, i64 %n, ptr %coefficients, i64 %n_rows) {
entry:
  %first = load double, ptr %breaks
  %last_at = getelementptr double, ptr %breaks, i64 %n
  %last = load double, ptr %last_at
  %not_before = call double @llvm.maxnum.f64(double %time, double %first)
  %t = call double @llvm.minnum.f64(double %not_before, double %last)
  br label %search
search: ; breaks[low] <= t, and t < breaks[high] or high = n
  %low = phi i64 [ 0, %entry ], [ %new_low, %search ]
  %high = phi i64 [ %n, %entry ], [ %new_high, %search ]
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %middle_at = getelementptr double, ptr %breaks, i64 %middle
  %break = load double, ptr %middle_at
  %right = fcmp ole double %break, %t
  %new_low = select i1 %right, i64 %middle, i64 %low
  %new_high = select i1 %right, i64 %high, i64 %middle
  %width = sub i64 %new_high, %new_low
  %found = icmp ule i64 %width, 1
  br i1 %found, label %polynomial, label %search
polynomial:
  %start_at = getelementptr double, ptr %breaks, i64 %new_low
  %start = load double, ptr %start_at
  %offset = fsub double %t, %start
  br label %horner
horner:
  %row = phi i64 [ 0, %polynomial ], [ %next_row, %horner ]
  %at = phi i64 [ %new_low, %polynomial ], [ %next_at, %horner ]
  %value = phi double [ 0.0, %polynomial ], [ %next_value, %horner ]
  %coefficient_at = getelementptr double, ptr %coefficients, i64 %at
  %coefficient = load double, ptr %coefficient_at
  %product = fmul contract double %value, %offset
  %next_value = fadd contract double %product, %coefficient
  %next_row = add i64 %row, 1
  %next_at = add i64 %at, %n
  %done = icmp eq i64 %next_row, %n_rows
  br i1 %done, label %end, label %horner
end:
  ret double %next_value
}
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minnum.f64(double, double)
"""


def entry_text(n_pieces: int, n_work: int, tables: Sequence[tuple[int, int, int, int]]) -> str:
    """Write ``void @f(double t, y, p, out)``: evaluate the time signals, then call piece after piece.

    Parameters
    ----------
    tables : sequence of (breaks, coefficients, rows, columns)
        Per time signal: addresses of its arrays and shape of the coefficients. The arrays stay where they
        are, so a long table costs no compile time.
    """
    lines = [
        f"%u = alloca double, i64 {max(len(tables), 1)}",
        f"%work = alloca double, i64 {max(n_work, 1)}",
    ]
    for k, (breaks, coefficients, n_rows, n_columns) in enumerate(tables):
        lines += [
            f"%b{k} = inttoptr i64 {breaks} to ptr",
            f"%c{k} = inttoptr i64 {coefficients} to ptr",
            f"%s{k} = call double @signal(double %t, ptr %b{k}, i64 {n_columns}, ptr %c{k}, i64 {n_rows})",
            f"%u{k} = getelementptr double, ptr %u, i64 {k}",
            f"store double %s{k}, ptr %u{k}",
        ]
    lines += [
        f"call void @piece_{k}(double %t, ptr %y, ptr %p, ptr %u, ptr %out, ptr %work)"
        for k in range(n_pieces)
    ]
    signature = "double %t, ptr noalias %y, ptr noalias %p, ptr noalias %out"
    entry = [f"define void @f({signature}) #1 {{", *lines, "ret void", "}"]
    return "\n".join([_SIGNAL, *entry, "attributes #1 = { nounwind }", ""])

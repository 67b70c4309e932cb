"""Numbers in all lanes of a register, and functions that take one lane after the other, as LLVM assembly text."""

from __future__ import annotations

import struct


def value_name(lanes: int) -> str:
    """LLVM's name for so many numbers side by side."""
    return "double" if lanes == 1 else f"<{lanes} x double>"


def constant_text(number: float, lanes: int) -> str:
    """Write a number exactly, infinities and NaN included, in every lane: its 64 bits as LLVM reads them."""
    bits = f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
    return bits if lanes == 1 else f"<{', '.join([f'double {bits}'] * lanes)}>"


def by_lane_text(name: str, symbol: str, count: int, lanes: int) -> str:
    """Define a function of `count` values that calls a function of as many numbers for every lane."""
    v, operands = value_name(lanes), ("a", "b")[:count]
    lines = [f"define internal {v} @{name}({', '.join(f'{v} %{operand}' for operand in operands)}) #0 {{"]
    for k in range(lanes):
        lines += [f"%{operand}{k} = extractelement {v} %{operand}, i32 {k}" for operand in operands]
        numbers = ", ".join(f"double %{operand}{k}" for operand in operands)
        lines.append(f"%r{k} = call double @{symbol}({numbers})")
        before = f"%v{k - 1}" if k else "poison"
        lines.append(f"%v{k} = insertelement {v} {before}, double %r{k}, i32 {k}")
    return "\n".join([*lines, f"ret {v} %v{lanes - 1}", "}"])

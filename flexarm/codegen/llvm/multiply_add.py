"""Fused multiply-add: products paired with the sums that alone read them, one operation of the processor for both."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from flexarm.codegen.instructions import OPERATIONS, Program

_PRODUCTS = ("mul", "sq")
_SUMS = ("add", "sub")


class Operation(NamedTuple):
    """A step that computes something, with the product that is part of it.

    Attributes
    ----------
    value : int
        Number of the value.
    name : str
    operands : tuple of int
        Those of the step; where the step has a product of its own, that product is among them.
    product : int or None
        Number of the operand that is computed together with the step.
    reads : tuple of int
        All values that the operation reads: factors of the product, and operands other than it.
    """

    value: int
    name: str
    operands: tuple[int, ...]
    product: int | None
    reads: tuple[int, ...]


def fused_operations(program: Program) -> list[Operation]:
    """List the operations of a program in order, each product that one sum alone reads at the place of that sum.

    Notes
    -----
    Left to LLVM, which pairs are fused would depend on how a program is cut into functions, and on its effort.
    """
    steps = program.steps
    readers: Counter[int] = Counter(value for _, _, value in program.outputs)
    for name, operands in steps:
        if name in OPERATIONS:
            readers.update(operands)
    product_of: dict[int, int] = {}
    for value, (name, operands) in enumerate(steps):
        if name in _SUMS:
            for operand in operands:
                if readers[operand] == 1 and steps[operand][0] in _PRODUCTS:
                    product_of[value] = operand
                    break
    gone = set(product_of.values())
    found = []
    for value, (name, operands) in enumerate(steps):
        if name not in OPERATIONS or value in gone:
            continue
        product = product_of.get(value)
        reads = operands
        if product is not None:
            reads = *steps[product][1], *(operand for operand in operands if operand != product)
        found.append(Operation(value, name, operands, product, reads))
    return found


def fused_name(operation: Operation) -> str:
    """Name of a sum with its product ab and other operand c: mul_add (ab + c), mul_sub (ab - c), sub_mul (c - ab)."""
    if operation.name == "add":
        return "mul_add"
    return "mul_sub" if operation.operands[0] == operation.product else "sub_mul"

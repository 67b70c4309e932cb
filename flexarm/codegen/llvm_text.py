"""A program of numbered values written as LLVM assembly text, cut into pieces of bounded length."""

from __future__ import annotations

from flexarm.codegen.instructions import OPERATIONS, Program
from flexarm.codegen.llvm_operations import TEMPLATES, hexadecimal

#: Steps per LLVM function. LLVM needs more than linear time for one long function; pieces hand their values
#: on through a work array (measured by benchmarks/compile_time.py).
PIECE_LENGTH = 1000

_SIGNATURE = (
    "double %t, ptr noalias readonly %y, ptr noalias readonly %p, ptr noalias readonly %u, "
    "ptr noalias %out, ptr noalias %work"
)
_ARGUMENTS = ("%t", "%y", "%p", "%u", "%work")


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
            lines.append(TEMPLATES[name].format(r=register, a=a, b=b))
            if value in slots:
                lines.append(f"store double {register}, {address(register + 's', '%work', slots[value])}")
        for element in elements.get(value, ()):
            register = read(value)
            lines.append(f"store double {register}, {address(f'%o{element}', '%out', element)}")
    body = "\n".join(lines)
    return f"define internal void @piece_{number}({_SIGNATURE}) #1 {{\n{body}\nret void\n}}"

"""A program of numbered values written as LLVM assembly text, cut into pieces of bounded length."""

from __future__ import annotations

from flexarm.codegen.instructions import OPERATIONS, Program
from flexarm.codegen.llvm.multiply_add import Operation, fused_operations
from flexarm.codegen.llvm.operations import PAIRED, ValueType, value_type

#: Operations per LLVM function. LLVM needs more than linear time for one long function; pieces hand their values
#: on through a work array (measured by benchmarks/compile_time.py).
PIECE_LENGTH = 1000

#: Values at hand at any point of the text: of 16 registers, what LLVM does not need for intermediate results.
LIVE_REGISTERS = 12

_SIGNATURE = (
    "{v} %t, ptr noalias readonly %y, ptr noalias readonly %p, ptr noalias readonly %u, "
    "ptr noalias %out, ptr noalias %work"
)
_ARGUMENTS = ("%t", "%y", "%p", "%u")


def program_text(program: Program, lanes: int = 1, piece_length: int = PIECE_LENGTH) -> tuple[list[str], int]:
    """Write a program as LLVM functions ``@piece_0``, ``@piece_1``, ..., to be called in this order.

    Returns
    -------
    pieces : list of str
        The definition of each function: ``void (V t, y, p, u, out, work)``, where V is the type of as many numbers as
        there are lanes, and all but t are pointers to V.
    n_work : int
        Length of the work array, where values wait that are read much later or by another piece.

    Notes
    -----
    A value that has no place among those at hand goes to the work array and is loaded again where it is read. What
    is read last goes first: the fewest loads that are possible [Belady, IBM Systems Journal 5 (1966) 78]. Left to
    itself LLVM spends most of its time on finding worse ones.
    """
    operations = fused_operations(program)
    writer = _Writer(program, operations, value_type(lanes))
    for k, operation in enumerate(operations):
        if k and k % piece_length == 0:
            writer.end_piece()
        writer.write(operation)
    writer.end_piece()
    return writer.pieces, writer.n_work


class _Writer:
    """Writes operation after operation, and keeps account of where each value is."""

    def __init__(self, program: Program, operations: list[Operation], kind: ValueType):
        self._v, self._templates, self._constant = kind.name, kind.templates, kind.constant
        self._aligned = "" if kind.lanes == 1 else ", align 8"  # arrays of numbers, of any number of them
        self.pieces: list[str] = []
        self.n_work = 0
        self._steps = program.steps
        self._lines: list[str] = []
        self._written: set[str] = set()
        self._n_loads = 0
        self._readers: dict[
            int, list[int]
        ] = {}  # value -> places of the operations to come that read it, last first
        for k in range(len(operations) - 1, -1, -1):
            for value in set(operations[k].reads):
                self._readers.setdefault(value, []).append(k)
        self._register: dict[int, str] = {}  # values at hand
        self._next_reader: dict[int, int] = {}  # of the values at hand
        self._slots: dict[int, int] = {}  # places in the work array
        self._free: list[int] = []
        self._elements: dict[int, list[int]] = {}
        for _, element, value in program.outputs:
            self._elements.setdefault(value, []).append(element)
        for value in self._elements:
            if program.steps[value][0] not in OPERATIONS:
                self._put_out(value, self._read(value))

    def write(self, operation: Operation) -> None:
        """Write one operation, with what has to be loaded before and stored after it."""
        value, name, operands, product, reads = operation
        registers = [self._read(operand) for operand in reads]
        for operand in set(reads):
            self._has_been_read(operand)
        result = f"%v{value}"
        if product is not None:
            kind, factors = self._steps[product]
            a, b = registers[0], registers[len(factors) - 1]
            self._operate(kind, f"%v{product}", a, b)
            other = registers[-1]
            registers = [f"%v{product}" if operand == product else other for operand in operands]
        self._operate(name, result, registers[0], registers[-1])
        self._put_out(value, result)
        self._take(value, result)

    def _operate(self, name: str, result: str, a: str, b: str) -> None:
        """Write an operation; what it has in common with one that is there already, as sine with cosine, only once."""
        text = self._templates[name].format(r=result, a=a, b=b)
        if name in PAIRED:
            first, _, rest = text.rpartition("\n")
            text = rest if first in self._written else text
            self._written.add(first)
        self._lines.append(text)

    def end_piece(self) -> None:
        """Finish a function; what is still to be read waits in the work array."""
        for value in self._register:
            self._keep(value)
        self._register.clear()
        self._next_reader.clear()
        body = "\n".join(self._lines)
        self._lines.clear()
        self._written.clear()
        number = len(self.pieces)
        signature = _SIGNATURE.format(v=self._v)
        self.pieces.append(f"define internal void @piece_{number}({signature}) #1 {{\n{body}\nret void\n}}")

    def _read(self, value: int) -> str:
        """Register or constant that holds a value; loads it if it is not at hand."""
        if value in self._register:
            return self._register[value]
        name, operands = self._steps[value]
        if name == "constant":
            return self._constant(operands[0])
        if (name, *operands) == ("input", 0, 0):
            return "%t"
        pointer, element = (
            (_ARGUMENTS[operands[0]], operands[1]) if name == "input" else ("%work", self._slots[value])
        )
        self._n_loads += 1
        register = f"%l{self._n_loads}"
        self._lines.append(f"{register} = load {self._v}, {self._address(register, pointer, element)}")
        self._take(value, register)
        return register

    def _take(self, value: int, register: str) -> None:
        """Have a value at hand, in place of the one that is read last if there are too many."""
        readers = self._readers.get(value)
        if not readers:
            return
        self._register[value] = register
        self._next_reader[value] = readers[-1]
        if len(self._register) > LIVE_REGISTERS:
            last = max(self._next_reader, key=self._next_reader.__getitem__)
            self._keep(last)
            del self._register[last], self._next_reader[last]

    def _has_been_read(self, value: int) -> None:
        readers = self._readers[value]
        readers.pop()
        if readers:
            if value in self._next_reader:
                self._next_reader[value] = readers[-1]
        else:
            self._register.pop(value, None)
            self._next_reader.pop(value, None)
            if value in self._slots:
                self._free.append(self._slots.pop(value))

    def _keep(self, value: int) -> None:
        """Store a value that is at hand in the work array, unless memory holds it already."""
        if value in self._slots or self._steps[value][0] not in OPERATIONS:
            return
        if not self._free:
            self._free.append(self.n_work)
            self.n_work += 1
        slot = self._slots[value] = self._free.pop()
        address = self._address(f"%s{value}", "%work", slot)
        self._lines.append(f"store {self._v} {self._register[value]}, {address}")

    def _put_out(self, value: int, register: str) -> None:
        for element in self._elements.get(value, ()):
            self._lines.append(
                f"store {self._v} {register}, {self._address(f'%o{element}', '%out', element)}"
            )

    def _address(self, register: str, pointer: str, element: int) -> str:
        self._lines.append(f"{register}_at = getelementptr inbounds {self._v}, ptr {pointer}, i64 {element}")
        return f"ptr {register}_at{self._aligned}"

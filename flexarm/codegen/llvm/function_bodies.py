"""LLVM assembly text of a program of numbered values, cut into functions of bounded length."""

from __future__ import annotations

from flexarm.codegen.instructions import OPERATIONS, Program
from flexarm.codegen.llvm.multiply_add import Operation, fused_name, fused_operations
from flexarm.codegen.llvm.operations import PAIRED, ValueType, value_type

#: Operations per LLVM function. LLVM needs more than linear time for one long function; pieces pass their values
#: on through a work array (measured by benchmarks/compile_time.py).
PIECE_LENGTH = 1000

#: Values in registers at any point of the text: of 16 registers, what LLVM does not need for intermediate results.
LIVE_REGISTERS = 12

_SIGNATURE = (
    "{v} %t, ptr noalias readonly %y, ptr noalias readonly %p, ptr noalias readonly %u, "
    "ptr noalias %out, ptr noalias %work"
)
_ARGUMENTS = ("%t", "%y", "%p", "%u")
_RESULTS = ("%out", "%work")


def program_text(
    program: Program,
    lanes: int = 1,
    piece_length: int = PIECE_LENGTH,
    name: str = "piece",
    same_p: bool = False,
) -> tuple[list[str], int]:
    """Write a program as LLVM functions ``@piece_0``, ``@piece_1``, ..., to be called in this order.

    Parameters
    ----------
    program : Program
    lanes, piece_length : int
    name : str
        Of the functions.
    same_p : bool
        Whether p has one number for all lanes.

    Returns
    -------
    pieces : list of str
        The definition of each function: ``void (V t, y, p, u, out, work)``, where V is the type of as many numbers as
        there are lanes, and all but t are pointers to V.
    n_work : int
        Length of the work array, which takes the values that are read much later or by another piece, behind the second
        result of the program, if there is one.

    Notes
    -----
    Local register allocation: a value that finds no register is spilled to the work array and loaded again where it is
    read. Spilled is the value whose next reader is farthest: the fewest loads that are possible [Belady1966]. Left to
    itself LLVM spends most of its time on finding more of them.
    """
    operations = fused_operations(program)
    writer = _Writer(program, operations, value_type(lanes), name, same_p)
    for k, operation in enumerate(operations):
        if k and k % piece_length == 0:
            writer.end_piece()
        writer.write(operation)
    writer.end_piece()
    return writer.pieces, writer.n_work


class _Writer:
    """Writes operation after operation, and allocates registers and places in the work array."""

    def __init__(
        self, program: Program, operations: list[Operation], kind: ValueType, name: str, same_p: bool
    ):
        self._name, self._broadcasts_p, self._broadcast = name, same_p and kind.lanes > 1, kind.broadcast
        self._v, self._templates, self._constant = kind.name, kind.templates, kind.constant
        self._aligned = "" if kind.lanes == 1 else ", align 8"  # arrays of numbers, of any number of them
        self.pieces: list[str] = []
        self.n_work = 0
        self._steps = program.steps
        self._lines: list[str] = []
        self._written: set[str] = set()
        self._n_loads = 0
        # value -> places of the operations to come that read it, last first
        self._readers: dict[int, list[int]] = {}
        for k in range(len(operations) - 1, -1, -1):
            for value in set(operations[k].reads):
                self._readers.setdefault(value, []).append(k)
        self._register: dict[int, str] = {}  # of the live values that have one
        self._next_reader: dict[int, int] = {}  # of the values in registers
        self._slots: dict[int, int] = {}  # of the spilled values, in the work array
        self._free: list[int] = []
        self._elements: dict[int, list[tuple[str, int]]] = {}
        for result, element, value in program.outputs:
            self._elements.setdefault(value, []).append((_RESULTS[result], element))
            if result:
                self.n_work = max(self.n_work, element + 1)
        for value in self._elements:
            if program.steps[value][0] not in OPERATIONS:
                self._store_output(value, self._read(value))

    def write(self, operation: Operation) -> None:
        """Write one operation, with the loads before and the stores after it."""
        value, name, _, product, reads = operation
        registers = [self._read(operand) for operand in reads]
        for operand in set(reads):
            self._release(operand)
        result = f"%v{value}"
        if product is not None:
            first_factor, last_factor = registers[0], registers[len(self._steps[product][1]) - 1]
            self._operate(fused_name(operation), result, first_factor, last_factor, registers[-1])
        else:
            self._operate(name, result, registers[0], registers[-1])
        self._store_output(value, result)
        self._allocate(value, result)

    def _operate(self, name: str, result: str, a: str, b: str, c: str = "") -> None:
        """Write an operation; what it has in common with one that is there already, as sine with cosine, only once."""
        text = self._templates[name].format(r=result, a=a, b=b, c=c)
        if name in PAIRED:
            common, _, own = text.rpartition("\n")
            text = own if common in self._written else text
            self._written.add(common)
        self._lines.append(text)

    def end_piece(self) -> None:
        """Finish a function; what is still to be read goes to the work array."""
        for value in self._register:
            self._spill(value)
        self._register.clear()
        self._next_reader.clear()
        body = "\n".join(self._lines)
        self._lines.clear()
        self._written.clear()
        number = len(self.pieces)
        signature = _SIGNATURE.format(v=self._v)
        self.pieces.append(
            f"define internal void @{self._name}_{number}({signature}) #1 {{\n{body}\nret void\n}}"
        )

    def _read(self, value: int) -> str:
        """Register or constant that holds a value; loads it if it has no register."""
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
        if pointer == "%p" and self._broadcasts_p:
            self._lines.append(f"{register}_at = getelementptr inbounds double, ptr %p, i64 {element}")
            self._lines.append(f"{register}_one = load double, ptr {register}_at")
            self._lines.append(self._broadcast(register, f"{register}_one"))
        else:
            self._lines.append(f"{register} = load {self._v}, {self._address(register, pointer, element)}")
        self._allocate(value, register)
        return register

    def _allocate(self, value: int, register: str) -> None:
        """Give a value a register, that of the one whose next reader is farthest if all are taken."""
        readers = self._readers.get(value)
        if not readers:
            return
        self._register[value] = register
        self._next_reader[value] = readers[-1]
        if len(self._register) > LIVE_REGISTERS:
            farthest = max(self._next_reader, key=self._next_reader.__getitem__)
            self._spill(farthest)
            del self._register[farthest], self._next_reader[farthest]

    def _release(self, value: int) -> None:
        """Account for one reader less of a value; without readers it needs no place any more."""
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

    def _spill(self, value: int) -> None:
        """Store a value in the work array, unless memory holds it already."""
        if value in self._slots or self._steps[value][0] not in OPERATIONS:
            return
        if not self._free:
            self._free.append(self.n_work)
            self.n_work += 1
        slot = self._slots[value] = self._free.pop()
        address = self._address(f"%s{value}", "%work", slot)
        self._lines.append(f"store {self._v} {self._register[value]}, {address}")

    def _store_output(self, value: int, register: str) -> None:
        for pointer, element in self._elements.get(value, ()):
            address = self._address(f"%o{pointer[1:]}{element}", pointer, element)
            self._lines.append(f"store {self._v} {register}, {address}")

    def _address(self, register: str, pointer: str, element: int) -> str:
        self._lines.append(f"{register}_at = getelementptr inbounds {self._v}, ptr {pointer}, i64 {element}")
        return f"ptr {register}_at{self._aligned}"

"""The instruction list of a CasADi function as a straight-line program of numbered values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import casadi as ca

from flexarm.errors import ModelError

#: Operations of a program and the number of values each one takes. The names are CasADi's, in lower case:
#: ``sq`` is x*x, ``twice`` is x + x, ``inv`` is 1/x, ``if_else_zero`` is y where x holds and 0 elsewhere.
OPERATIONS: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(["add", "sub", "mul", "div", "pow", "constpow", "fmin", "fmax", "fmod", "remainder"], 2)
    | dict.fromkeys(["copysign", "atan2", "hypot", "lt", "le", "eq", "ne", "and", "or", "if_else_zero"], 2)
    | dict.fromkeys(["neg", "sq", "twice", "inv", "sqrt", "fabs", "sign", "floor", "ceil", "not", "erf"], 1)
    | dict.fromkeys(["sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "expm1", "log1p"], 1)
    | dict.fromkeys(["sinh", "cosh", "tanh", "asinh", "acosh", "atanh"], 1)
)

_NAMES = {getattr(ca, "OP_" + name.upper()): name for name in OPERATIONS}


@dataclass(frozen=True)
class Program:
    """A straight-line program of scalar operations in which every value is assigned once and has a number.

    Value k is what step k computes. Three kinds of step read no other value or are no operation on values:
    ``("constant", (number,))``, ``("input", (argument, element))`` and nothing else; every other step is
    ``(name, operands)`` with a name of :data:`OPERATIONS` and the numbers of earlier values.

    Attributes
    ----------
    steps : list of (str, tuple)
        Name and operands of every value, in order of evaluation.
    outputs : list of (int, int, int)
        (result, element, value number). Elements of inputs and outputs count down the columns of dense
        matrices.
    """

    steps: list[tuple[str, tuple]]
    outputs: list[tuple[int, int, int]]

    @property
    def n_operations(self) -> int:
        """Number of steps that compute something."""
        return sum(name in OPERATIONS for name, _ in self.steps)


def instructions(f: ca.Function) -> Program:
    """Read a CasADi function as a program of numbered values.

    Parameters
    ----------
    f : casadi.Function
        Any function that CasADi can expand to scalar instructions; sparse inputs and outputs are filled up
        with zeros.

    Raises
    ------
    ModelError
        If the function uses an operation that has no counterpart in :data:`OPERATIONS`.
    """
    f = _dense(f)
    steps: list[tuple[str, tuple]] = []
    outputs = []
    in_register: dict[int, int] = {}  # CasADi reuses registers: number of the value that each one holds
    for k in range(f.n_instructions()):
        code, written, read = f.instruction_id(k), f.instruction_output(k), f.instruction_input(k)
        name = _NAMES.get(code)
        if name is not None:
            # CasADi lists the operand of a unary operation only once, but allow for a padded list.
            step = (name, tuple([in_register[register] for register in read[: OPERATIONS[name]]]))
        elif code == ca.OP_INPUT:
            step = ("input", tuple(read))
        elif code == ca.OP_CONST:
            step = ("constant", (f.instruction_constant(k),))
        elif code == ca.OP_OUTPUT:
            outputs.append((written[0], written[1], in_register[read[0]]))
            continue
        elif code == ca.OP_ASSIGN:
            in_register[written[0]] = in_register[read[0]]
            continue
        else:
            raise ModelError(f"{f.name()}: operation {_operation_name(code)} cannot be compiled")
        in_register[written[0]] = len(steps)
        steps.append(step)
    return Program(steps, outputs)


_COMMUTATIVE = ("add", "mul")


def eliminate_common_subexpressions(program: Program) -> Program:
    """Give the same program with each value computed once, and read wherever it was computed again.

    Notes
    -----
    Value numbering [CockeSchwartz1970; Muchnick1997, section 12.4] of one basic block: steps of one name with operands
    of the same numbers have the same number. CasADi's own elimination finds the same in several times the time.
    """
    steps: list[tuple[str, tuple]] = []
    number_of: dict[tuple, int] = {}
    new: list[int] = []  # number of each old value
    for name, operands in program.steps:
        if name in OPERATIONS:
            operands = tuple([new[operand] for operand in operands])
            ordered = operands[::-1] if name in _COMMUTATIVE and operands[0] > operands[1] else operands
            key = name, ordered
        elif name == "constant":
            key = name, operands[0].hex()  # zero has two signs
        else:
            key = name, operands
        number = number_of.setdefault(key, len(steps))
        if number == len(steps):
            steps.append((name, operands))
        new.append(number)
    return Program(steps, [(result, element, new[value]) for result, element, value in program.outputs])


def share_reciprocals(program: Program) -> Program:
    """Give the same program with one division by each value: its reciprocal, which multiplies the numerators.

    CasADi writes a (1/b) as a/b, but a division takes as long as three to five multiplications.
    """
    divisions: Counter[int] = Counter()
    for name, operands in program.steps:
        if name in ("div", "inv"):
            divisions[operands[-1]] += 1
    steps: list[tuple[str, tuple]] = []
    reciprocal: dict[int, int] = {}  # old number of a divisor -> new number of its reciprocal
    new: list[int] = []
    for name, operands in program.steps:
        if name in OPERATIONS:
            divisor = operands[-1]
            operands = tuple([new[operand] for operand in operands])
            if name in ("div", "inv") and divisions[divisor] > 1:
                if divisor not in reciprocal:
                    reciprocal[divisor] = len(steps)
                    steps.append(("inv", (new[divisor],)))
                if name == "inv":
                    new.append(reciprocal[divisor])
                    continue
                name, operands = "mul", (operands[0], reciprocal[divisor])
        new.append(len(steps))
        steps.append((name, operands))
    return Program(steps, [(result, element, new[value]) for result, element, value in program.outputs])


def _dense(f: ca.Function) -> ca.Function:
    """Give the same function in scalar instructions, with dense inputs and outputs."""
    if not f.is_a("SXFunction"):
        f = f.expand()
    sparsities = [f.sparsity_in(i) for i in range(f.n_in())] + [f.sparsity_out(i) for i in range(f.n_out())]
    if all(sparsity.is_dense() for sparsity in sparsities):
        return f
    arguments = [ca.SX.sym(f.name_in(i), *f.size_in(i)) for i in range(f.n_in())]
    results = [ca.densify(result) for result in f.call(arguments)]
    return ca.Function(f.name(), arguments, results)


def _operation_name(code: int) -> str:
    names = [name for name in dir(ca) if name.startswith("OP_") and getattr(ca, name) == code]
    return names[0][3:].lower() if names else f"number {code}"

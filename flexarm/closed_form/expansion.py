"""Expansion of an instruction list of scalar operations into sums of products."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flexarm.closed_form.polynomials import Algebra, Sum, TooLong
from flexarm.codegen.instructions import Program
from flexarm.errors import ModelError
from flexarm.progress import Progress


def expand(
    program: Program, inputs: Sequence[Sequence[Sum]], algebra: Algebra, progress: Progress | None = None
) -> dict[tuple[int, int], Sum]:
    """Expand the results of a program into sums of products.

    Parameters
    ----------
    program : Program
        Sums, products, divisions by products, sines, cosines and hyperbolic tangents.
    inputs : sequence of sequences of Sum
        What stands for each element of each argument.
    algebra : Algebra
    progress : callable, optional
        Receives the fraction of the operations done.

    Returns
    -------
    dict
        (result, element) -> Sum.

    Raises
    ------
    ModelError
        If a sum gets longer than the algebra's limit, or the program contains another operation.
    """
    last_use: dict[int, int] = {}
    for k, (name, operands) in enumerate(program.steps):
        if name not in ("input", "constant"):
            last_use |= dict.fromkeys(operands, k)
    results = {value for _, _, value in program.outputs}
    values: dict[int, Sum] = {}
    circular: dict[int, tuple[Sum, Sum]] = {}  # cosine and sine of the same angle share their expansion
    for k, (name, operands) in enumerate(program.steps):
        try:
            values[k] = _value(name, operands, values, inputs, algebra, circular)
        except TooLong as too_long:
            raise ModelError(
                f"the closed form is too long: after {k} of {len(program.steps)} operations one sum has "
                f"{too_long.args[0]} terms, more than {algebra.limit}"
            ) from None
        if progress is not None:
            progress((k + 1) / len(program.steps), None)
        if name not in ("input", "constant"):
            for operand in set(operands):
                if last_use[operand] == k and operand not in results:
                    del values[operand]
    return {(result, element): values[value] for result, element, value in program.outputs}


def _value(
    name: str,
    operands: tuple,
    values: dict[int, Sum],
    inputs: Sequence[Sequence[Sum]],
    algebra: Algebra,
    circular: dict[int, tuple[Sum, Sum]],
) -> Sum:
    if name == "constant":
        return {0: operands[0]} if operands[0] else {}
    if name == "input":
        argument, element = operands
        return inputs[argument][element]
    if name in ("cos", "sin"):
        if operands[0] not in circular:
            circular[operands[0]] = algebra.cosine_and_sine(values[operands[0]])
        return circular[operands[0]][name == "sin"]
    if name not in RULES:
        raise ModelError(f"the operation '{name}' has no closed form as a sum of products")
    return RULES[name](algebra, *(values[operand] for operand in operands))


RULES: dict[str, Callable[..., Sum]] = {
    "add": lambda algebra, a, b: algebra.add(a, b),
    "sub": lambda algebra, a, b: algebra.add(a, b, -1.0),
    "neg": lambda algebra, a: algebra.add({}, a, -1.0),
    "twice": lambda algebra, a: algebra.add(a, a),
    "mul": lambda algebra, a, b: algebra.multiply(a, b),
    "sq": lambda algebra, a: algebra.multiply(a, a),
    "div": lambda algebra, a, b: algebra.multiply(a, algebra.inverse(b)),
    "inv": lambda algebra, a: algebra.inverse(a),
    "tanh": lambda algebra, a: algebra.tanh(a),
}
"""Operation -> how it acts on sums."""

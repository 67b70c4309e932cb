"""Closed-form equations as a Python module without dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable

from flexarm.closed_form.closed_form import ClosedForm, Term
from flexarm.closed_form.formats.layout import force_names, heading
from flexarm.closed_form.formats.sympy_expressions import (
    DOUBLE,
    whole_number,
)


def as_python(form: ClosedForm, digits: int = DOUBLE, shape: str = "inverse") -> str:
    """Python module without imports beyond math: inverse_dynamics, or mass_matrix and bias; with every digit."""
    head = '"""' + "\n".join(heading(form)) + '\n"""'
    parts = [head, "\nfrom math import cos, sin, tanh\n", f"COORDINATES = {list(form.coordinates)!r}"]
    parts.append(f"FORCES = {list(force_names(form))!r}")
    parts.append("PARAMETERS = {")
    parts += [f"    {p.name!r}: {p.value!r},  # {p.unit}: {p.meaning}" for p in form.parameters]
    parts.append("}\n")
    unpack = [f"    {name} = theta[{k}]" for k, name in enumerate(form.coordinates)]
    unpack_d = [f"    {name} = theta_d[{k}]" for k, name in enumerate(form.rates)]
    unpack_dd = [f"    {name} = theta_dd[{k}]" for k, name in enumerate(form.accelerations)]
    values = ["    p = {**PARAMETERS, **parameters}"] + [
        f"    {p.name} = p[{p.name!r}]" for p in form.parameters
    ]

    def function(signature: str, doc: str, body: list[str], result: list[str]) -> None:
        text = "\n".join([*values, *body, *result])
        used = set(re.findall(r"[A-Za-z_]\w*", "\n".join(result)))
        needed = [line for line in text.split("\n") if _needed(line, used)]
        parts.append("\n".join([f"\ndef {signature}:", f'    """{doc}"""', *needed, ""]))

    n = len(form.forces)
    if shape == "inverse":
        body = [line for i in range(n) for line in _code(f"F[{i}]", form.forces[i])]
        function(
            "inverse_dynamics(theta, theta_d, theta_dd, **parameters)",
            "Generalised forces that give theta_dd; keywords replace PARAMETERS.",
            [*unpack, *unpack_d, *unpack_dd],
            [f"    F = [0.0] * {n}", *body, "    return F"],
        )
        return "\n".join(parts)
    matrix = [form.mass_row(i) for i in range(n)]
    function(
        "mass_matrix(theta, **parameters)",
        "Mass matrix, a list of rows; keywords replace PARAMETERS.",
        unpack,
        [
            f"    M = [[0.0] * {n} for _ in range({n})]",
            *(line for i in range(n) for j in range(i, n) for line in _code(f"M[{i}][{j}]", matrix[i][j])),
            *(f"    M[{j}][{i}] = M[{i}][{j}]" for i in range(n) for j in range(i + 1, n)),
            "    return M",
        ],
    )
    function(
        "bias(theta, theta_d, **parameters)",
        "Forces that hold theta_dd at zero; keywords replace PARAMETERS.",
        [*unpack, *unpack_d],
        [
            f"    b = [0.0] * {n}",
            *(line for i in range(n) for line in _code(f"b[{i}]", form.bias_row(i))),
            "    return b",
        ],
    )
    return "\n".join(parts)


def _code(target: str, terms: Iterable[Term]) -> list[str]:
    """Statements that add up a sum, one product a line: Python's parser does not take sums of thousands."""
    return [f"    {target} += {_code_of(term)}" for term in terms]


def _code_of(term: Term) -> str:
    """One product in Python, its coefficient with every digit."""
    whole = whole_number(term.coefficient)
    code = repr(term.coefficient if whole is None else whole)
    factors = [*term.factors, *((f"tanh({_code_of_sum(argument)})", power) for argument, power in term.tanh)]
    for factor, power in factors:
        code += ("*" if power > 0 else "/") + factor + (f"**{abs(power)}" if abs(power) > 1 else "")
    return f"{code}*{term.function}({_code_of_sum(term.angle)})" if term.function else code


def _code_of_sum(terms: Iterable[Term]) -> str:
    return " + ".join(_code_of(term) for term in terms).replace("+ -", "- ")


def _needed(line: str, used: set[str]) -> bool:
    """True if a statement of a function defines something that is used."""
    name, equals, _ = line.strip().partition(" = ")
    return not equals or name == "p" or name in used or not name.isidentifier()

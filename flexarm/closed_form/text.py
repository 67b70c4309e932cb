"""Closed-form equations as text, LaTeX, a Python module or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache

import sympy as sp

from flexarm.closed_form.closed_form import ClosedForm, Term

DOUBLE = 17  # digits that keep a double as it is
WHOLE = 1e-12  # nearer to a whole number than this is one
SHAPES = ("inverse", "mass-matrix")


def force_names(form: ClosedForm) -> tuple[str, ...]:
    """Name of each generalised force: F_1 at joint 1, F_1_2 on mode 2 of link 1, F_X_1 on the base."""
    names = (rate.removesuffix("_d") for rate in form.rates)
    return tuple("F_" + re.sub("^(q|delta)_", "", name) for name in names)


def term_expression(term: Term, digits: int) -> sp.Expr:
    """One product as a SymPy expression."""
    factors = [_number(term.coefficient, digits)]
    factors += [symbol(name) ** power for name, power in term.factors]
    factors += [sp.tanh(expression(argument, digits)) ** power for argument, power in term.tanh]
    if term.function:
        factors.append({"cos": sp.cos, "sin": sp.sin}[term.function](expression(term.angle, digits)))
    return sp.Mul(*factors)


def expression(terms: Iterable[Term], digits: int = DOUBLE) -> sp.Expr:
    """Sum of products as a SymPy expression, coefficients rounded to a number of digits."""
    return sp.Add(*(term_expression(term, digits) for term in terms))


@cache
def symbol(name: str) -> sp.Symbol:
    """The SymPy symbol of a name."""
    return sp.Symbol(name, real=True)


def _number(value: float, digits: int) -> sp.Expr:
    nearest = round(value)
    if nearest and abs(value - nearest) < WHOLE * abs(value):
        return sp.Integer(nearest)
    return sp.Float(value, digits)


def as_text(form: ClosedForm, digits: int, shape: str) -> str:
    """Equations to read, one product a line."""
    lines = _heading(form)
    for left, groups in _equations(form, shape):
        lines += ["", f"{left} ="]
        for factor, terms in groups:
            shown = [sign_first(str(term_expression(term, digits))) for term in terms]
            if factor:
                shown = [f"+ {factor}*(", *(f"    {one}" for one in shown), "  )"]
            lines += [f"    {one}" for one in shown]
        if not any(terms for _, terms in groups):
            lines.append("    0")
    return "\n".join(lines) + "\n"


def sign_first(product: str) -> str:
    """Write the sign of a product apart from it."""
    return f"- {product[1:].lstrip()}" if product.startswith("-") else f"+ {product}"


def as_latex(form: ClosedForm, digits: int, shape: str) -> str:
    """Equations in LaTeX, one `align*` environment each, one product a line."""
    names = _latex_names(form)
    blocks = [f"% {line}".rstrip() for line in _heading(form)]
    for left, groups in _equations(form, shape):
        lines = []
        for factor, terms in groups:
            shown = [sp.latex(term_expression(term, digits), symbol_names=names) for term in terms]
            if factor:
                inner = " + ".join(shown).replace("+ -", "-")
                shown = [rf"{names[symbol(factor)]} \left({inner}\right)"]
            lines += shown
        first, *others = lines or ["0"]
        rows = [rf"{_latex_name(left)} ={{}}& {first}", *(rf"& {sign_first(one)}" for one in others)]
        blocks += ["", r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"]
    return "\n".join(blocks) + "\n"


def as_python(form: ClosedForm, digits: int = DOUBLE, shape: str = "inverse") -> str:
    """Importable module without dependencies: inverse_dynamics, and mass_matrix and bias; every digit is kept."""
    head = '"""' + "\n".join(_heading(form)) + '\n"""'
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
        kept = [line for line in text.split("\n") if _needed(line, used)]
        parts.append("\n".join([f"\ndef {signature}:", f'    """{doc}"""', *kept, ""]))

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


def as_json(form: ClosedForm, digits: int = DOUBLE, shape: str = "inverse") -> str:
    """Every product as data: coefficient (all digits), factors with powers, function and its argument."""
    equations = [
        {"name": left, "terms": [_as_data(term, factor) for factor, terms in groups for term in terms]}
        for left, groups in _equations(form, shape)
    ]
    data = {
        "arm": form.arm,
        "kept": form.kept,
        "coordinates": list(form.coordinates),
        "rates": list(form.rates),
        "accelerations": list(form.accelerations),
        "parameters": {
            p.name: {"value": p.value, "unit": p.unit, "meaning": p.meaning} for p in form.parameters
        },
        "equations": equations,
    }
    return json.dumps(data, indent=2) + "\n"


FORMATS: dict[str, Callable[[ClosedForm, int, str], str]] = {
    "text": as_text,
    "latex": as_latex,
    "python": as_python,
    "json": as_json,
}
"""Name of a format -> what writes it."""


def _equations(form: ClosedForm, shape: str) -> list[tuple[str, list[tuple[str, list[Term]]]]]:
    """Left-hand sides, and for each the groups (common acceleration or "", products)."""
    names = _left_names(form, shape)
    if shape == "inverse":
        rows = []
        for i, name in enumerate(names):
            groups = [pair for pair in zip(form.accelerations, form.mass_row(i), strict=True) if pair[1]]
            rows.append((name, [*groups, ("", form.bias_row(i))]))
        return rows
    n = len(form.forces)
    entries = [form.mass_row(i)[j] for i in range(n) for j in range(i, n)]
    biases = [form.bias_row(i) for i in range(n)]
    return [(name, [("", terms)]) for name, terms in zip(names, [*entries, *biases], strict=True)]


def _left_names(form: ClosedForm, shape: str) -> list[str]:
    if shape == "inverse":
        return list(force_names(form))
    n = len(form.forces)
    entries = [f"M[{i + 1},{j + 1}]" for i in range(n) for j in range(i, n)]
    return entries + [f"bias[{i + 1}]" for i in range(n)]


KEPT = {
    "all": "nothing is neglected",
    "first-order": "products of two modal amplitudes are neglected",
    "rigid": "the links are taken for rigid",
}


def _heading(form: ClosedForm) -> list[str]:
    floats = {"X_1", "e_0"} & set(form.coordinates)
    loaded = "modal amplitudes and on the base" if floats else "modal amplitudes"
    lines = [
        f"Equations of motion of {form.arm}: {KEPT[form.kept]}.",
        "",
        f"theta = [{', '.join(form.coordinates)}]; _d and _dd are time derivatives. Generalised forces "
        f"{', '.join(force_names(form))}:",
        f"joint torques, and what loads do on {loaded} (zero without loads). M theta_dd + bias = F, M symmetric.",
    ]
    if "e_0" in form.coordinates:
        lines.append(
            "Base: position, quaternion e of unit length, velocity v and angular velocity w, along the fixed axes."
        )
    lines.append("")
    lines += [f"{p.name} = {p.value:.6g} {p.unit}: {p.meaning}" for p in form.parameters]
    return lines


def _code(target: str, terms: Iterable[Term]) -> list[str]:
    """Statements that add up a sum, one product a line: Python's parser does not take sums of thousands."""
    return [f"    {target} += {_code_of(term)}" for term in terms]


def _code_of(term: Term) -> str:
    """One product in Python, its coefficient with every digit."""
    nearest = round(term.coefficient)
    whole = nearest and abs(term.coefficient - nearest) < WHOLE * abs(term.coefficient)
    code = repr(nearest if whole else term.coefficient)
    factors = [*term.factors, *((f"tanh({_code_of_sum(argument)})", power) for argument, power in term.tanh)]
    for factor, power in factors:
        code += ("*" if power > 0 else "/") + factor + (f"**{abs(power)}" if abs(power) > 1 else "")
    return f"{code}*{term.function}({_code_of_sum(term.angle)})" if term.function else code


def _code_of_sum(terms: Iterable[Term]) -> str:
    return " + ".join(_code_of(term) for term in terms).replace("+ -", "- ")


def _needed(line: str, used: set[str]) -> bool:
    """Whether a statement of a function defines something that is used."""
    name, equals, _ = line.strip().partition(" = ")
    return not equals or name == "p" or name in used or not name.isidentifier()


def _as_data(term: Term, acceleration: str = "") -> dict:
    factors = dict(term.factors) | ({acceleration: 1} if acceleration else {})
    data: dict = {"coefficient": term.coefficient, "factors": factors}
    if term.tanh:
        data["tanh"] = [{"power": power, "of": [_as_data(part) for part in of]} for of, power in term.tanh]
    if term.function:
        data |= {"function": term.function, "angle": [_as_data(part) for part in term.angle]}
    return data


def _latex_names(form: ClosedForm) -> dict[sp.Symbol, str]:
    names = [*(p.name for p in form.parameters), *form.coordinates, *form.rates, *form.accelerations]
    return {symbol(name): _latex_name(name) for name in names}


def _latex_name(name: str) -> str:
    """Write q_1_dd as \\ddot{q}_{1}."""
    if match := re.fullmatch(r"(M|bias)\[(\d+)(?:,(\d+))?\]", name):
        letter, i, j = match.groups()
        return f"{letter}_{{{i},{j}}}" if j else f"b_{{{i}}}"
    accent = ""
    for ending, command in (("_dd", r"\ddot"), ("_d", r"\dot")):
        if name.endswith(ending):
            name, accent = name[: -len(ending)], command
            break
    base, _, index = name.partition("_")
    base = {"delta": r"\delta", "mu": r"\mu"}.get(base, base)
    base = f"{accent}{{{base}}}" if accent else base
    return f"{base}_{{{index.replace('_', ',')}}}" if index else base

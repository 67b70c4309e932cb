"""Closed-form equations in LaTeX: a document to print, or to take parts of."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from flexarm.closed_form.closed_form import ClosedForm
from flexarm.closed_form.formats.abbreviations import Abbreviations, ShortTerm
from flexarm.closed_form.formats.latex_layout import (
    aligned,
    equation,
    latex_name,
    latex_unit,
    section,
)
from flexarm.closed_form.formats.layout import TRUNCATION_MEANINGS, equation_groups, force_names, heading
from flexarm.closed_form.formats.sympy_expressions import (
    expression,
    sign_first,
    symbol,
    term_expression,
    whole_number,
)
from flexarm.description.arm.joint.words import worded

COLUMNS = 4
"""Constants side by side."""
LARGEST_MATRIX = 10
"""Rows of a mass matrix up to which it is drawn."""

DOCUMENT = r"""\documentclass[a4paper]{article}
\usepackage{amsmath,longtable}
\usepackage[margin=20mm]{geometry}
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{20}
\begin{document}
"""


def as_latex(form: ClosedForm, digits: int, shape: str) -> str:
    """LaTeX document of the equations.

    Products with the same coordinates and functions are one, with a constant of the arm in front: a_1, a_2, .. are sums
    of parameters times integrals of the mode shapes. s_12 is sin(q_1 + q_2).
    """
    names = _latex_names(form)
    name = form.arm.replace("_", r"\_")
    short = Abbreviations(frozenset(p.name for p in form.parameters))
    equations = []
    for left, groups in equation_groups(form, shape):
        products: list[str] = []
        for factor, terms in groups:
            shown = [_product(term, short, names, digits) for term in short.shortened(terms)]
            if factor and len(shown) == 1:
                products.append(sign_first(f"{shown[0]} {names[symbol(factor)]}"))
            elif factor and shown:
                shown[0] = rf"{names[symbol(factor)]} \bigl({shown[0]}"
                shown[1:] = map(sign_first, shown[1:])
                shown[-1] += r"\bigr)"
                products += [sign_first(shown[0]), *shown[1:]]
            else:
                products += map(sign_first, shown)
        if products or shape == "inverse":
            equations.append(equation(latex_name(left), products))
    parts = [
        *(f"% {line}".rstrip() for line in heading(form)),
        DOCUMENT,
        rf"\section*{{Equations of motion of {name}}}",
        *_coordinates(form, names),
        *_parameters(form, names),
        *section("Constants of the arm", _constants(short, names, digits)),
        *section("Angles", _angles(short, names, digits)),
        *section("Equations", [*_matrix_form(form, shape), *aligned(equations)]),
        "",
        r"\end{document}",
    ]
    return "\n".join(parts) + "\n"


def _product(term: ShortTerm, short: Abbreviations, names: dict[sp.Symbol, str], digits: int) -> str:
    """One product, its number first."""
    factors = [names.get(symbol(term.constant)) or latex_name(term.constant)] if term.constant else []
    for name, power in term.term.factors:
        factors.append(names[symbol(name)] + (f"^{{{power}}}" if power != 1 else ""))
    for argument, power in term.term.tanh:
        factors.append(sp.latex(sp.tanh(expression(argument, digits)) ** power, symbol_names=names))
    if term.term.function:
        name, _ = short.angle(term.term.angle)
        kind = term.term.function
        factors.append(
            rf"\{kind} {latex_name(name)}" if name.startswith("alpha") else f"{kind[0]}_{{{name}}}"
        )
    number, part = whole_number(term.multiple), whole_number(1 / term.multiple)
    if number is not None:
        shown = str(number)
    elif part is not None:
        shown = rf"{'-' if part < 0 else ''}\tfrac{{1}}{{{abs(part)}}}"
    else:
        shown = sp.latex(sp.Float(term.multiple, digits))
    if factors and shown in ("1", "-1"):
        shown = shown[:-1]
    return " ".join([*([shown] if shown else []), *factors]).replace("- ", "-")


def _coordinates(form: ClosedForm, names: dict[sp.Symbol, str]) -> list[str]:
    def listed(entries: Iterable[str]) -> str:
        return ", ".join(rf"\({entry}\)" for entry in entries)

    angles = worded("Joint angles", form.joints)
    return [
        f"{TRUNCATION_MEANINGS[form.truncation].capitalize()}. {angles} and modal amplitudes, \\(\\theta\\), are",
        f"{listed(names[symbol(name)] for name in form.coordinates)}.",
        f"The generalised forces {listed(map(latex_name, force_names(form)))}",
        f"are {worded('joint torques', form.joints)} and what loads do on the others; without loads these are zero.",
    ]


def _parameters(form: ClosedForm, names: dict[sp.Symbol, str]) -> list[str]:
    rows = [
        rf"\({names[symbol(p.name)]}\) & {p.value:.6g} & \({latex_unit(p.unit)}\) & {p.meaning} \\"
        for p in form.parameters
    ]
    return section(
        "Parameters", [r"\begin{longtable}[l]{@{}llll@{}}", *rows, r"\end{longtable}"] if rows else []
    )


def _constants(short: Abbreviations, names: dict[sp.Symbol, str], digits: int) -> list[str]:
    """Definitions of the constants: single products side by side, sums below each other."""
    single, sums = [], []
    for name, terms in short.constants.items():
        products = [sp.latex(term_expression(term, digits), symbol_names=names) for term in terms]
        (single if len(terms) == 1 else sums).append(
            equation(latex_name(name), list(map(sign_first, products)))
        )
    rows = [" & ".join(single[k : k + COLUMNS]) for k in range(0, len(single), COLUMNS)]
    return [*aligned(rows), *aligned(sums)]


def _angles(short: Abbreviations, names: dict[sp.Symbol, str], digits: int) -> list[str]:
    """Definitions of the sines and cosines."""
    lines = []
    for name, terms in short.angles.items():
        argument = sp.latex(expression(terms, digits), symbol_names=names)
        if name.startswith("alpha"):
            lines.append(rf"{latex_name(name)} ={{}}& {argument}")
        else:
            lines.append(rf"s_{{{name}}} ={{}}& \sin({argument}), \quad c_{{{name}}} = \cos({argument})")
    return aligned(lines)


def _matrix_form(form: ClosedForm, shape: str) -> list[str]:
    """The equations as one of matrices, with the places of the entries that are not zero."""
    n = len(form.forces)
    if shape == "inverse":
        return []
    vectors = rf"M(\theta) \, {_stacked(form.accelerations)} + h(\theta, \dot\theta) = F"
    lines = ["\\[", vectors, "\\]"]
    if n <= LARGEST_MATRIX:
        rows = [[_entry(form, i, j) for j in range(n)] for i in range(n)]
        entries = " \\\\\n".join(" & ".join(row) for row in rows)
        lines += ["\\[", r"M = M^T = \begin{pmatrix}", entries, r"\end{pmatrix}", "\\]"]
    return lines


def _stacked(names: Iterable[str]) -> str:
    return r"\begin{pmatrix} " + r" \\ ".join(map(latex_name, names)) + r" \end{pmatrix}"


def _entry(form: ClosedForm, i: int, j: int) -> str:
    low, high = min(i, j), max(i, j)
    return f"M_{{{low + 1},{high + 1}}}" if form.mass_row(low)[high] else "0"


def _latex_names(form: ClosedForm) -> dict[sp.Symbol, str]:
    names = [*(p.name for p in form.parameters), *form.coordinates, *form.rates, *form.accelerations]
    return {symbol(name): latex_name(name) for name in names}

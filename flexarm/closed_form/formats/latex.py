"""Closed-form equations in LaTeX."""

from __future__ import annotations

import re

import sympy as sp

from flexarm.closed_form.closed_form import ClosedForm
from flexarm.closed_form.formats.layout import equation_groups, heading
from flexarm.closed_form.formats.sympy_expressions import (
    sign_first,
    symbol,
    term_expression,
)


def as_latex(form: ClosedForm, digits: int, shape: str) -> str:
    """LaTeX of the equations, one `align*` environment each, one product a line."""
    names = _latex_names(form)
    blocks = [f"% {line}".rstrip() for line in heading(form)]
    for left, groups in equation_groups(form, shape):
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


def _latex_names(form: ClosedForm) -> dict[sp.Symbol, str]:
    names = [*(p.name for p in form.parameters), *form.coordinates, *form.rates, *form.accelerations]
    return {symbol(name): _latex_name(name) for name in names}


def _latex_name(name: str) -> str:
    """LaTeX of a name: q_1_dd as \\ddot{q}_{1}."""
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

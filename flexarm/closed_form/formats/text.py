"""Closed-form equations as plain text."""

from __future__ import annotations

from flexarm.closed_form.closed_form import ClosedForm
from flexarm.closed_form.formats.layout import equation_groups, heading
from flexarm.closed_form.formats.sympy_expressions import (
    sign_first,
    term_expression,
)


def as_text(form: ClosedForm, digits: int, shape: str) -> str:
    """Plain text of the equations, one product a line."""
    lines = heading(form)
    for left, groups in equation_groups(form, shape):
        lines += ["", f"{left} ="]
        for factor, terms in groups:
            shown = [sign_first(str(term_expression(term, digits))) for term in terms]
            if factor:
                shown = [f"+ {factor}*(", *(f"    {one}" for one in shown), "  )"]
            lines += [f"    {one}" for one in shown]
        if not any(terms for _, terms in groups):
            lines.append("    0")
    return "\n".join(lines) + "\n"

"""Formats of closed-form equations by name."""

from __future__ import annotations

from collections.abc import Callable

from flexarm.closed_form.closed_form import ClosedForm
from flexarm.closed_form.formats.json_data import as_json
from flexarm.closed_form.formats.latex import as_latex
from flexarm.closed_form.formats.python_module import as_python
from flexarm.closed_form.formats.text import as_text

FORMATS: dict[str, Callable[[ClosedForm, int, str], str]] = {
    "text": as_text,
    "latex": as_latex,
    "python": as_python,
    "json": as_json,
}
"""Name of a format -> its writer."""

"""Faults of YAML syntax: what the parser says, its line, and what it usually means."""

from __future__ import annotations

import re

import yaml

from flexarm.errors import InputProblem

_HINTS = (
    ("\\t", "indent with spaces, not tabs"),
    ("tab character", "indent with spaces, not tabs"),
    ("cannot start any token", "text that begins with @, ` or % needs quotes"),
    ("did not find expected key", "keys of one block start in the same column"),
    ("node content", "a bracket or quote is not closed"),
    ("mapping values are not allowed", "check the indentation; text with ': ' in it needs quotes"),
    ("could not find expected ':'", "a key needs ': ' after it, with the blank"),
    ("expected <block end>", "keys of one block start in the same column"),
    ("found unexpected end of stream", "a quote or bracket is not closed"),
    ("expected ',' or", "a bracket is not closed, or a comma is missing"),
)


def syntax_problem(error: yaml.YAMLError, text: str, source: str) -> InputProblem:
    """Problem that the parser reports, with its line and, where known, what it usually means."""
    if isinstance(error, yaml.MarkedYAMLError):
        what = error.problem or error.context or "cannot be read"
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
    else:
        what = f"character that YAML does not allow: {getattr(error, 'reason', error)}"
        position = getattr(error, "position", None)
        line = None if position is None else text.count("\n", 0, position) + 1
    at_line = text.splitlines()[line - 1 : line] if line else []
    words = "\\t" if at_line and re.match(r" *\t", at_line[0]) else what
    hint = next((hint for part, hint in _HINTS if part in words), "")
    return InputProblem(source, line, "", f"not valid YAML: {what}", hint)

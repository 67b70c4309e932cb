"""The same description without shorthands: aliases, merge keys and repetitions written out in its text."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from flexarm.description.reading.yaml_files.yaml_document import Document, Shorthand
from flexarm.description.reading.yaml_files.yaml_reader import resolve_word
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import KeyPath

_PLAIN = re.compile(r"[A-Za-z0-9_.]([\w.+*/() -]*[\w.)])?", re.ASCII)
"""Texts that need no quotes in a mapping or list on one line."""


def written_out(text: str) -> str:
    """Return a description in which every value stands at its own path; what was written out stands on one line.

    Parameters
    ----------
    text : str
        YAML that :func:`~flexarm.description.reading.yaml_files.yaml_text.read_yaml` accepts.
    """
    document = read_yaml(text, "text")
    end, pieces = 0, []
    for part in sorted(document.shorthands, key=lambda one: (one.start, -one.end, -one.count)):
        if part.start >= end:
            pieces += [text[end : part.start], _instead(document, part)]
            end = part.end
            if part.path is None and text[end : end + 1] == " ":
                end += 1
    return "".join([*pieces, text[end:]])


def _instead(document: Document, part: Shorthand) -> str:
    """What a shorthand stands for, on one line for each value."""
    if part.path is None:
        return ""
    if part.count == 1:
        return flow_text(_value_at(document.data, part.path))
    *above, first = part.path
    entries = _value_at(document.data, tuple(above))[first:]
    return _between(document, part).join(map(flow_text, entries[: part.count]))


def _between(document: Document, part: Shorthand) -> str:
    """What separates the entries of the list in which a repeated entry stands."""
    if not part.on_lines:
        return ", "
    indent = re.findall(r"^( *)-", document.text[: part.start], re.MULTILINE)[-1]
    return f"\n{indent}- "


def _value_at(data: Any, path: KeyPath) -> Any:
    for part in path:
        data = data[part]
    return data


def flow_text(value: Any) -> str:
    """YAML of a plain value on one line, as :func:`read_yaml` reads it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if not math.isfinite(value):
            return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
        case int() | float():
            return repr(value)
        case dict():
            return f"{{{', '.join(f'{flow_text(key)}: {flow_text(entry)}' for key, entry in value.items())}}}"
        case list():
            return f"[{', '.join(map(flow_text, value))}]"
    is_plain = _PLAIN.fullmatch(value) is not None and isinstance(resolve_word(value), str)
    return value if is_plain else json.dumps(value, ensure_ascii=False)

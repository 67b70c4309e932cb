"""Edits of single values in the text of a description, which keeps its comments and its order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from flexarm.description.reading.yaml_files.written_out import written_out
from flexarm.description.reading.yaml_files.yaml_events import Loader
from flexarm.description.values.input_model import KeyPath


def with_values(text: str, changes: Mapping[KeyPath, str]) -> str:
    """Replace values of a description, or add keys that it lacks.

    Parameters
    ----------
    text : str
        YAML that :func:`~flexarm.description.reading.yaml_files.yaml_text.read_yaml` accepts.
    changes : mapping
        Path of a value -> what to write, as YAML on one line. Of a path that the text lacks, the last part is added as
        a key; what leads to it must be there.

    Notes
    -----
    Aliases, merge keys and repetitions are written out first: an edit concerns one path only.
    """
    text = written_out(text) if changes else text
    for path, value in changes.items():
        start, end, written = _edit(text, yaml.compose(text, Loader=Loader), path, value)
        text = text[:start] + written + text[end:]
    return text


def _edit(text: str, root: Any, path: KeyPath, value: str) -> tuple[int, int, str]:
    """Where the text changes, from and to, and what is written there."""
    node, key = root, None
    for depth, part in enumerate(path):
        if isinstance(node, yaml.SequenceNode):
            key, node = None, node.value[part]
            continue
        found = [pair for pair in node.value if pair[0].value == part]
        if not found:
            assert depth == len(path) - 1, f"{path[:depth]} has no {part}"
            return _addition(text, node, f"{part}: {value}")
        key, node = found[0]
    end = _end(text, node)
    if key is not None and (isinstance(node, yaml.ScalarNode) or not node.flow_style):
        return key.end_mark.index, end, f": {value}"  # a block may begin on a line of its own
    return node.start_mark.index, end, value


def _addition(text: str, mapping: yaml.MappingNode, entry: str) -> tuple[int, int, str]:
    """An entry at the end of a mapping."""
    end = _end(text, mapping.value[-1][1]) if mapping.value else mapping.start_mark.index + 1
    if mapping.flow_style:
        return end, end, f", {entry}" if mapping.value else entry
    line_end = text.find("\n", end)
    end = len(text) if line_end < 0 else line_end  # beyond a comment
    return end, end, "\n" + " " * mapping.value[0][0].start_mark.column + entry


def _end(text: str, node: Any) -> int:
    """Where the text of a node ends; that of a block as the parser has it reaches to the next token."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    start, end = node.start_mark.index, node.end_mark.index
    return start + len(text[start:end].rstrip())

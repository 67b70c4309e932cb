"""Strict YAML: text -> plain values with the line of every key.

Numbers follow the core schema of YAML 1.2 (``1e-9`` is a number, ``12:30``, ``yes`` and ``on`` are text).
Duplicate keys, anchors, aliases, tags and merge keys are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from flexarm.description.values.input_model import KeyPath, dotted
from flexarm.errors import InputProblem, SpecError

DEEPEST = 40  # mappings and lists inside one another

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **{sign + word: math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **{"-" + word: -math.inf for word in (".inf", ".Inf", ".INF")},
}


@dataclass
class Document:
    """YAML document: its text, its values, and where they stand.

    Attributes
    ----------
    data : dict
        Plain values.
    lines : dict
        Path of each key or list entry -> its line, from 1.
    texts : dict
        Path of each text value -> where it begins and ends in `text`, quotes included.
    formulas : dict
        Path of each expression in the place of a number -> its text; `data` has its value there.
    """

    text: str
    data: Any = None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    texts: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    formulas: dict[KeyPath, str] = field(default_factory=dict)


def read_yaml(text: str, source: str) -> Document:
    """Parse one YAML document whose root is a mapping.

    Raises
    ------
    SpecError
        With file and line: syntax errors, what is refused, an empty file, several documents.
    """
    reader = _Reader(text, source)
    try:
        reader.read()
    except yaml.YAMLError as error:
        raise SpecError([_syntax_problem(error, text, source), *reader.problems]) from None
    except UnicodeEncodeError:
        raise SpecError(
            [InputProblem(source, None, "", "not text: it has half characters (surrogates)")]
        ) from None
    if reader.problems:
        raise SpecError(reader.problems)
    return reader.document


class _Reader:
    """Values from the parser's events; goes on after what it refuses, to report all of it."""

    def __init__(self, text: str, source: str):
        self.document = Document(text)
        self.source = source
        self.problems: list[InputProblem] = []
        self.events: Iterator[Any] = iter(yaml.parse(text, Loader=Loader))

    def read(self) -> None:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if self.document.data is not None:
                    self._refuse(event, (), "got a second document ('---'), expected one", "split the file")
                    return
                self.document.data = self._value(next(self.events), ())
        if self.document.data is None:
            self.problems.append(
                InputProblem(self.source, None, "", "the file is empty, expected an arm description")
            )
        elif not isinstance(self.document.data, dict):
            kind = "a list" if isinstance(self.document.data, list) else "a single value"
            message = f"got {kind}, expected keys and values such as 'name: my-arm'"
            self.problems.append(InputProblem(self.source, 1, "", message))

    def _refuse(self, event: Any, path: KeyPath, message: str, hint: str) -> None:
        self.problems.append(
            InputProblem(self.source, event.start_mark.line + 1, dotted(path), message, hint)
        )

    def _value(self, event: Any, path: KeyPath) -> Any:
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, path, f"got the alias *{event.anchor}, which is not allowed", "write it out")
            return None
        if event.anchor is not None:
            self._refuse(event, path, f"got the anchor &{event.anchor}, which is not allowed", "remove it")
        if event.tag is not None:
            self._refuse(event, path, f"got the tag {event.tag}, which is not allowed", "remove it")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if len(path) >= DEEPEST:
            mark = event.start_mark
            raise yaml.MarkedYAMLError(problem=f"nested more than {DEEPEST} deep", problem_mark=mark)
        return self._mapping(path) if isinstance(event, yaml.MappingStartEvent) else self._list(path)

    def _scalar(self, event: yaml.ScalarEvent, path: KeyPath) -> Any:
        if event.implicit[0]:
            value = _resolve(event.value)
            if not isinstance(value, str):
                return value
        self.document.texts[path] = (event.start_mark.index, event.end_mark.index)
        return event.value

    def _list(self, path: KeyPath) -> list[Any]:
        values: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            item = (*path, len(values))
            self.document.lines[item] = event.start_mark.line + 1
            values.append(self._value(event, item))
        return values

    def _mapping(self, path: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            name = self._key(event, path)
            item, line = (*path, name), event.start_mark.line + 1
            if name in values:
                first = self.document.lines[item]
                self._refuse(event, item, "got this key twice", f"first on line {first}")
                self._value(next(self.events), item)
                continue
            self.document.lines[item] = line
            values[name] = self._value(next(self.events), item)
        return values

    def _key(self, event: Any, path: KeyPath) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            self._refuse(event, path, "got a key that is no word", "put quotes around text with { or [")
            self._value(event, (*path, ""))
            return ""
        if event.value == "<<" and event.implicit[0]:
            self._refuse(event, path, "got the merge key <<, which is not allowed", "write the keys out")
        if event.anchor is not None or event.tag is not None:
            self._refuse(event, path, "got an anchor or a tag at a key, which is not allowed", "remove it")
        return event.value


def has_entry(data: Any, part: str | int) -> bool:
    """True if `part` is a key of the mapping, or an index of the list, `data`."""
    if isinstance(data, dict):
        return part in data
    return isinstance(data, list) and isinstance(part, int) and part < len(data)


def _resolve(word: str) -> Any:
    """Value of an unquoted word."""
    if word in _WORDS:
        return _WORDS[word]
    if _INTEGER.fullmatch(word) and len(word) < 300:
        return int(word)
    return float(word) if _FLOAT.fullmatch(word) else word


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


def _syntax_problem(error: yaml.YAMLError, text: str, source: str) -> InputProblem:
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

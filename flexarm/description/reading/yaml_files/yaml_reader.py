"""Parser's events -> plain values; aliases, merge keys and repetitions are written out on the way."""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import Any

import yaml

from flexarm.description.reading.yaml_files.yaml_document import Document, Shorthand
from flexarm.description.reading.yaml_files.yaml_events import EventStream
from flexarm.description.values.expression import shorten
from flexarm.description.values.input_model import KeyPath, dotted
from flexarm.errors import InputProblem
from flexarm.hints import did_you_mean

DEEPEST = 40  # mappings and lists inside one another

NAMES = 100
"""Anchors among which the nearest is looked for when an alias is misspelt."""

REPEAT = "repeat"
REPEATED = (("links",), ("joints",), ("drive",))
"""Lists of which an entry may stand for several."""
MOST_REPETITIONS = 1000
REPEAT_TEXT = f"number of equal entries for which this one stands, up to {MOST_REPETITIONS}"

_MERGE = "<<"
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


class YamlReader:
    """Values from the parser's events; goes on after what it refuses, to report all of it."""

    def __init__(self, document: Document, source: str):
        self.document = document
        self.line = 1
        self._source = source
        self._problems: dict[tuple[int | None, str], InputProblem] = {}
        self._events = EventStream(document.text)
        self._repeats = REPEAT in document.text
        self._anchors: dict[str, list[Any]] = {}

    @property
    def problems(self) -> list[InputProblem]:
        """What was refused, each once, wherever it is used."""
        return list(self._problems.values())

    def read(self) -> None:
        """Read the document; :class:`TooManyCopies` and the parser's errors pass."""
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if self.document.data is not None:
                    message = "got a second document ('---'), expected one"
                    self._refuse(_line(event), (), message, "split the file")
                    return
                self.document.data = self._value(next(self._events), ())
        if self.document.data is None:
            self._refuse(None, (), "the file is empty, expected an arm description")
        elif not isinstance(self.document.data, dict):
            kind = "a list" if isinstance(self.document.data, list) else "a single value"
            self._refuse(1, (), f"got {kind}, expected keys and values such as 'name: my-arm'")

    def _refuse(self, line: int | None, path: KeyPath, message: str, hint: str = "") -> None:
        problem = InputProblem(self._source, line, dotted(path), message, hint)
        self._problems.setdefault((line, message), problem)

    def _value(self, event: Any, path: KeyPath) -> Any:
        if not self._events.is_replaying:
            self.line = _line(event)
        if isinstance(event, yaml.AliasEvent):
            return self._aliased(event, path)
        if event.tag is not None:
            message = f"got the tag {event.tag}, which is not allowed"
            self._refuse(_line(event), path, message, "remove it")
        if event.anchor is None or self._events.is_replaying:
            return self._node(event, path)
        if event.anchor in self._anchors:
            first = _line(self._anchors[event.anchor][0])
            self._refuse(
                _line(event), path, f"got the anchor &{event.anchor} twice", f"first on line {first}"
            )
        start = event.start_mark.index
        is_empty = isinstance(event, yaml.ScalarEvent) and event.implicit[0] and not event.value
        end = start + 1 + len(event.anchor)
        self.document.shorthands.append(Shorthand(start, end, path if is_empty else None))
        with self._events.recording(event) as events:
            value = self._node(event, path)
        self._anchors[event.anchor] = events
        return value

    def _node(self, event: Any, path: KeyPath) -> Any:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        self._check_depth(event, len(path))
        return (
            self._mapping(event, path)
            if isinstance(event, yaml.MappingStartEvent)
            else self._list(event, path)
        )

    def _check_depth(self, event: Any, depth: int) -> None:
        if depth >= DEEPEST:
            raise yaml.MarkedYAMLError(
                problem=f"nested more than {DEEPEST} deep", problem_mark=event.start_mark
            )

    def _scalar(self, event: yaml.ScalarEvent, path: KeyPath) -> Any:
        if event.implicit[0]:
            value = resolve_word(event.value)
            if not isinstance(value, str):
                return value
        self.document.texts[path] = (event.start_mark.index, event.end_mark.index)
        return event.value

    def _aliased(self, event: yaml.AliasEvent, path: KeyPath) -> Any:
        """Value to which an alias refers, read once more at the alias's own path."""
        events = self._named(event, path)
        if events is None:
            return None
        self._shorten(event.start_mark.index, path)
        self.document.aliased[path] = _line(events[0])
        with self._events.replaying(events):
            return self._value(next(self._events), path)

    def _named(self, event: yaml.AliasEvent, path: KeyPath) -> list[Any] | None:
        """Events of the node that an alias names."""
        name = event.anchor
        if name not in self._anchors:
            message = f"got the alias *{name}, but no value before it is marked &{name}"
            hint = did_you_mean(name, islice(self._anchors, NAMES), "")
            self._refuse(_line(event), path, message, hint)
        return self._anchors.get(name)

    def _shorten(self, start: int, path: KeyPath, count: int = 1, on_lines: bool = False) -> None:
        """Note that the text since `start` is a shorthand."""
        if not self._events.is_replaying:
            text = self.document.text[start : self._events.end]
            self.document.shorthands.append(
                Shorthand(start, start + len(text.rstrip()), path, count, on_lines)
            )

    def _list(self, opening: Any, path: KeyPath) -> list[Any]:
        values: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            if self._repeats and path in REPEATED:
                self._repeated(event, path, values, not opening.flow_style)
            else:
                values.append(self._item(event, (*path, len(values))))
        return values

    def _item(self, event: Any, path: KeyPath) -> Any:
        self._place(event, path)
        return self._value(event, path)

    def _place(self, event: Any, path: KeyPath) -> None:
        self.document.lines[path] = _line(event)
        if self._events.is_replaying:
            self.document.copied.add(path)

    def _repeated(self, event: Any, path: KeyPath, values: list[Any], on_lines: bool) -> None:
        """Append an entry, as often as it says."""
        first = (*path, len(values))
        with self._events.recording(event) as events:
            values.append(self._item(event, first))
        if not isinstance(values[-1], dict) or REPEAT not in values[-1]:
            return
        count = values[-1].pop(REPEAT)
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_REPETITIONS:
            line = self.document.lines[(*first, REPEAT)]
            got = repr(shorten(str(count))) if isinstance(count, int | float | str) else "something else"
            message = f"got {got}, expected a whole number from 1 to {MOST_REPETITIONS}"
            self._refuse(line, (*first, REPEAT), message, REPEAT_TEXT)
            return
        self._shorten(event.start_mark.index, first, count, on_lines)
        for k in range(1, count):
            with self._events.replaying(events):
                values.append(self._item(next(self._events), (*path, first[-1] + k)))
            del values[-1][REPEAT]

    def _mapping(self, event: Any, path: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        merged = self._entries(path, values, False)
        for events in merged:
            self._merge(events, path, values, 0)
        if merged:
            self._shorten(event.start_mark.index, path)
        return values

    def _entries(self, path: KeyPath, values: dict[str, Any], merged: bool) -> list[list[Any]]:
        """Read the entries of a mapping; return the events of what is to be merged into it.

        Parameters
        ----------
        merged : bool
            Whether the mapping is merged itself: keys that are there already are passed over.
        """
        merges: list[list[Any]] = []
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if isinstance(event, yaml.ScalarEvent) and event.value == _MERGE and event.implicit[0]:
                if merges:
                    self._refuse(_line(event), (*path, _MERGE), "got this key twice", "write <<: [*a, *b]")
                merges.append(self._events.whole())
                continue
            name = self._key(event, path)
            item = (*path, name)
            if name in values and merged:
                self._events.whole()
                continue
            if name in values:
                first = self.document.lines[item]
                self._refuse(_line(event), item, "got this key twice", f"first on line {first}")
                self._value(next(self._events), item)
                continue
            self._place(event, item)
            values[name] = self._value(next(self._events), item)
        return merges

    def _merge(self, events: list[Any], path: KeyPath, values: dict[str, Any], depth: int) -> None:
        """Add the entries of a mapping, or of the mappings of a list, whose keys are not there yet."""
        self._check_depth(events[0], len(path) + depth)
        if isinstance(events[0], yaml.AliasEvent):
            named = self._named(events[0], (*path, _MERGE))
            if named is not None:
                self._merge(named, path, values, depth + 1)
            return
        if isinstance(events[0], yaml.ScalarEvent):
            message = "got a merge key << without a mapping, expected <<: *name"
            self._refuse(_line(events[0]), (*path, _MERGE), message, "the name of an anchor, &name")
            return
        inner: list[list[Any]] = []
        with self._events.replaying(events):
            if isinstance(next(self._events), yaml.MappingStartEvent):
                inner = self._entries(path, values, True)
            else:
                while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                    inner.append(self._events.whole(event))
        for one in inner:
            self._merge(one, path, values, depth + 1)

    def _key(self, event: Any, path: KeyPath) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            self._refuse(
                _line(event), path, "got a key that is no word", "put quotes around text with { or ["
            )
            self._value(event, (*path, ""))
            return ""
        if event.anchor is not None or event.tag is not None:
            message = "got an anchor or a tag at a key, which is not allowed"
            self._refuse(_line(event), path, message, "remove it")
        return event.value


def _line(event: Any) -> int:
    return event.start_mark.line + 1


def resolve_word(word: str) -> Any:
    """Value of an unquoted word."""
    if word in _WORDS:
        return _WORDS[word]
    if _INTEGER.fullmatch(word) and len(word) < 300:
        return int(word)
    return float(word) if _FLOAT.fullmatch(word) else word

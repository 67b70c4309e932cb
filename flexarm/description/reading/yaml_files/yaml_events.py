"""Events of the YAML parser, with those of an aliased or repeated node once more where they are written out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MOST_COPIES = 200_000
"""Keys, entries and values of a document that aliases, merge keys and repetitions may write out."""


class TooManyCopies(Exception):
    """A short text that would write out a huge one."""


class EventStream:
    """Events of a text, in the order in which they would come if everything were written out.

    Attributes
    ----------
    end : int
        Where in the text the last value ends that was read there.
    """

    def __init__(self, text: str) -> None:
        self.end = 0
        self._sources: list[Iterator[Any]] = [iter(yaml.parse(text, Loader=Loader))]
        self._recordings: list[tuple[int, list[Any]]] = []
        self._copies = 0

    @property
    def is_replaying(self) -> bool:
        """True while events come that came before."""
        return len(self._sources) > 1

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        event = next(self._sources[-1])
        if self.is_replaying:
            self._count()
        elif isinstance(event, yaml.ScalarEvent) or event.end_mark.index > event.start_mark.index:
            self.end = event.end_mark.index
        for depth, events in self._recordings:
            if depth == len(self._sources) and len(events) <= MOST_COPIES:  # more could not be replayed
                events.append(event)
        return event

    def whole(self, first: Any = None) -> list[Any]:
        """Events of one node: of that which begins with `first`, or of the next; :class:`TooManyCopies`."""
        events, depth = [next(self) if first is None else first], 0
        while True:
            depth += isinstance(events[-1], yaml.CollectionStartEvent)
            depth -= isinstance(events[-1], yaml.CollectionEndEvent)
            if depth == 0:
                return events
            if len(events) > MOST_COPIES:
                raise TooManyCopies
            events.append(next(self))

    @contextmanager
    def recording(self, first: Any) -> Iterator[list[Any]]:
        """Record `first` and the events that follow it in the context; those of an alias are its own event."""
        self._recordings.append((len(self._sources), [first]))
        yield self._recordings[-1][1]
        self._recordings.pop()

    @contextmanager
    def replaying(self, events: list[Any]) -> Iterator[None]:
        """Let recorded events come once more, before the rest of the text.

        Raises
        ------
        TooManyCopies
            More than MOST_COPIES events have been replayed.
        """
        self._count()
        self._sources.append(iter(events))
        yield
        self._sources.pop()

    def _count(self) -> None:
        self._copies += 1
        if self._copies > MOST_COPIES:
            raise TooManyCopies

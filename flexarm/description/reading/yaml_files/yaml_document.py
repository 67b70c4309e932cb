"""What is read from a YAML text: plain values, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flexarm.description.values.input_model import KeyPath


class Shorthand(NamedTuple):
    """Part of a text that stands for more than it says.

    Attributes
    ----------
    start, end : int
        Where it stands in the text.
    path : KeyPath or None
        Of the value for which it stands; None: for nothing (an anchor).
    count : int
        For how many entries of a list it stands, that at `path` and those that follow.
    on_lines : bool
        Whether that list has its entries on lines of their own, after dashes.
    """

    start: int
    end: int
    path: KeyPath | None = None
    count: int = 1
    on_lines: bool = False


@dataclass
class Document:
    """YAML document: its text, its values, and where they stand.

    Attributes
    ----------
    data : dict
        Plain values, aliases, merge keys and repetitions written out.
    lines : dict
        Path of each key or list entry -> its line, from 1.
    texts : dict
        Path of each text value -> where it begins and ends in `text`, quotes included.
    formulas : dict
        Path of each expression in the place of a number -> its text; `data` has its value there.
    copied : set
        Paths of keys and entries that stand in `text` at another path too.
    aliased : dict
        Path of each alias -> line of the value that it names.
    shorthands : list of Shorthand
    """

    text: str
    data: Any = None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    texts: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    formulas: dict[KeyPath, str] = field(default_factory=dict)
    copied: set[KeyPath] = field(default_factory=set)
    aliased: dict[KeyPath, int] = field(default_factory=dict)
    shorthands: list[Shorthand] = field(default_factory=list)


def has_entry(data: Any, part: str | int) -> bool:
    """True if `part` is a key of the mapping, or an index of the list, `data`."""
    if isinstance(data, dict):
        return part in data
    return isinstance(data, list) and isinstance(part, int) and part < len(data)

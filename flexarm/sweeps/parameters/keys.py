"""Dotted keys of an arm's description, such as ``links[0].EI``: where they stand, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.reading.json_schema import SchemaGuide
from flexarm.description.reading.yaml_files.yaml_reader import REPEAT
from flexarm.description.values.input_model import InputModel, dotted
from flexarm.description.values.magnitudes import PRISMATIC
from flexarm.description.values.quantities import angle, angular_rate, is_number
from flexarm.hints import did_you_mean

ALL = "*"
"""Index that stands for every entry of a list."""

_NAME = r"[A-Za-z]\w*"
_KEY = re.compile(rf"{_NAME}(\[(\d+|\*)\])*(\.{_NAME}(\[(\d+|\*)\])*)*")
_PART = re.compile(rf"({_NAME})|\[(\d+|\*)\]")


class KeyFault(Exception):
    """Fault of a key that cannot be varied: its error message; `hint` may be empty."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__(message)
        self.message, self.hint = message, hint


@dataclass(frozen=True)
class Slot:
    """Slot of a value: entry `part` of a mapping or list of the description."""

    container: Any
    part: str | int
    path: tuple[str | int, ...]


def parse_key(text: str) -> tuple[str | int, ...]:
    """Parse a key: ``links[*].EI`` is ``("links", "*", "EI")``; indices count from 0.

    Raises
    ------
    KeyFault
        The text is no key.
    """
    if _KEY.fullmatch(text) is None:
        raise KeyFault(f"{text!r} is not a key", "keys look like payload.mass, links[0].EI or links[*].EI")
    parts = [name or index for name, index in _PART.findall(text)]
    return tuple(int(part) if part.isdigit() else part for part in parts)


def find_slots(data: Any, arm: Arm, text: str) -> list[Slot]:
    """Find where a key stands in the plain data of an arm's description.

    Mappings and lists that the description leaves to their defaults are filled in on the way: an optional mapping
    with the keys that it needs, a list with its default values.

    Parameters
    ----------
    data : dict
        As read from the description; it may gain entries.
    arm : Arm
        What the data describe.
    text : str
        The key.

    Returns
    -------
    list of Slot
        One, or one for every entry of a list if the key says ``[*]``.

    Raises
    ------
    KeyFault
        There is no such key, or it holds no number.
    """
    guide = SchemaGuide(data, Arm)
    slots = list(_walk(data, arm, parse_key(text), (), guide, text))
    for slot in slots:
        typed = slot.container.get(slot.part) if isinstance(slot.container, dict) else None
        signal = isinstance(typed, str) and guide.numeric_kind(slot.path, typed) == "signal"
        _check_numeric(slot, takes_expressions=signal)
    return slots


def meaning(data: Any, arm: Arm, slot: Slot) -> tuple[str, str]:
    """Return the meaning of a key and its unit, from the schema; "1" where it has none."""
    found = re.fullmatch(r"(.*?)(?: \[([^\]]*)\])?", SchemaGuide(data, Arm).description(slot.path), re.DOTALL)
    text, unit = found.groups() if found else ("", None)
    turning, _, sliding = (unit or "").partition(PRISMATIC)
    joint = _joint_of(data, arm, slot.path)
    unit = sliding if sliding and joint is not None and not joint.kind.is_angle else turning
    return text or dotted(slot.path), "1" if unit in ("", "-") else unit


def _joint_of(data: Any, arm: Arm, path: tuple[str | int, ...]) -> Joint | None:
    """Joint that a key is about, if it is about one."""
    match path:
        case ("joints" | "drive", int(i), *_):
            return arm.joints[i]
        case ("initial", "joints" | "joint_rates", int(k)):
            every = len(data["initial"][path[1]]) == len(arm.joints)
            return [joint for joint in arm.joints if every or joint.moves][k]
        case ("initial", "motors" | "motor_rates", int(k)):
            return [joint for joint in arm.joints if joint.is_elastic][k]
    return None


def _walk(
    data: Any, model: Any, remaining: tuple, path: tuple, guide: SchemaGuide, text: str
) -> Iterator[Slot]:
    named, remaining = remaining[0], remaining[1:]
    for part in _entries(data, named, path, guide, text):
        if not remaining:
            yield Slot(data, part, (*path, part))
            continue
        below = model[part] if isinstance(model, tuple) and isinstance(part, int) else _field(model, part)
        entry = data.get(part) if isinstance(data, dict) else data[part]
        if entry is None:
            entry = data[part] = _untyped(below) if below is not None else {}
        yield from _walk(entry, below, remaining, (*path, part), guide, text)


def _entries(data: Any, part: str | int, path: tuple, guide: SchemaGuide, text: str) -> list:
    """The entries of `data` that a part of a key names."""
    here = dotted(path)
    if isinstance(part, str) and part != ALL:
        if not isinstance(data, dict):
            kind = "a list" if isinstance(data, list) else "a single value"
            raise KeyFault(f"{here!r} is {kind}, so there is no {text!r}")
        known = [
            name for name in guide.keys(path) if name != REPEAT
        ]  # which is written out before anything varies
        if part not in known:
            hint = did_you_mean(
                part, known, f"known: {', '.join(known)}", lambda name: _replaced(text, part, name)
            )
            raise KeyFault(f"unknown key {text!r}", hint)
        return [part]
    if not isinstance(data, list):
        raise KeyFault(f"{here!r} is not a list, so there is no {text!r}")
    if part == ALL:
        return list(range(len(data)))
    if part not in range(len(data)):
        entries = f"{len(data)} entr{'y' if len(data) == 1 else 'ies'}"
        raise KeyFault(f"there is no {text!r}: {here} has {entries}", "indices count from 0")
    return [part]


def _replaced(text: str, wrong: str, right: str) -> str:
    return re.sub(rf"(?<!\w){wrong}(?!\w)", right, text, count=1)


def _field(model: Any, name: str | int) -> Any:
    return getattr(model, name, None) if isinstance(model, InputModel) and isinstance(name, str) else None


def _untyped(value: Any) -> Any:
    """Plain data for a part of the arm that its description leaves out."""
    if isinstance(value, InputModel):
        fields = type(value).model_fields
        return {name: _untyped(getattr(value, name)) for name in fields if fields[name].is_required()}
    return [_untyped(entry) for entry in value] if isinstance(value, tuple) else value


def _check_numeric(slot: Slot, takes_expressions: bool) -> None:
    value = slot.container.get(slot.part) if isinstance(slot.container, dict) else slot.container[slot.part]
    key = dotted(slot.path)
    if isinstance(value, dict):
        raise KeyFault(f"{key!r} is no number", f"it has {', '.join(f'{key}.{name}' for name in value)}")
    if isinstance(value, list):
        raise KeyFault(f"{key!r} is no number", f"it is a list: {key}[0], or {key}[*] for all entries")
    if isinstance(value, bool) or (isinstance(value, str) and not takes_expressions and not _is_angle(value)):
        raise KeyFault(f"{key!r} is no number", f"it is {value if isinstance(value, bool) else repr(value)}")


def _is_angle(text: str) -> bool:
    for read in (angle, angular_rate):
        try:
            return is_number(read(text))
        except ValueError:
            continue
    return False

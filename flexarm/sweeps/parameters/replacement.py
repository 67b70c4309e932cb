"""Arm with other values of some keys: the text of its description edited, validated as a sweep's point is."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from typing import Any

from flexarm.arguments import check_mapping, check_number, check_object
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.loader import parse_arm
from flexarm.description.reading.parameters import resolve
from flexarm.description.reading.yaml_files.text_edits import with_values
from flexarm.description.reading.yaml_files.yaml_document import has_entry
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import KeyPath
from flexarm.errors import InputProblem, SpecError
from flexarm.sweeps.parameters.keys import KeyFault, find_slots
from flexarm.sweeps.parameters.variation import Variation


def replace(arm: Arm, changes: Mapping[str, float | str]) -> Arm:
    """Return the arm with other values of some keys; its text has them, with its comments.

    Parameters
    ----------
    arm : Arm
        As read from text.
    changes : mapping
        Keys as sweeps have them, such as ``"payload.mass"``, ``"links[*].EI"`` or ``"parameters.T"``, and their new
        values: numbers, angles such as ``"30 deg"`` or expressions. An expression that stands there is replaced.

    Raises
    ------
    SpecError
        A key that the arm does not have, or values that make no valid arm.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> flexarm.replace(arm, {"payload.mass": 2.0, "links[*].EI": 900}).payload.mass
    2.0
    """
    check_object("arm", arm, Arm)
    check_mapping("changes", changes)
    for key, value in changes.items():
        if not isinstance(value, str):
            check_number(key, value)
    if not arm.text or parse_arm(arm.text) != arm:
        message = "this arm was changed after it was read, so its description is out of date"
        raise SpecError([InputProblem("replace", None, "", message, "change the text and use parse_arm")])
    values = {key: value if isinstance(value, str) else float(value) for key, value in changes.items()}
    try:
        texts = {key: (value,) for key, value in values.items() if isinstance(value, str)}
        variation = Variation(arm.text, tuple(values), texts)
        variation.arm(list(values.values()))
        edited = with_values(arm.description, _edits(arm, values))
    except KeyFault as fault:
        raise SpecError([InputProblem("replace", None, "", fault.message, fault.hint)]) from None
    return parse_arm(edited, source=arm.name)


def expressions_at(arm: Arm, keys: Iterable[str]) -> dict[str, str]:
    """Expressions that stand at some keys of an arm's description, which other values would replace."""
    typed = read_yaml(arm.description, arm.name).data
    resolved, found = copy.deepcopy(resolve(typed, Arm).data), {}
    for key in keys:
        for slot in find_slots(resolved, arm, key):
            if _first_missing(typed, slot.path) != slot.path:
                continue
            text = _at(typed, slot.path)
            if isinstance(text, str) and not isinstance(_at(resolved, slot.path), str):
                found[key] = text
    return found


def _edits(arm: Arm, values: Mapping[str, float | str]) -> dict[KeyPath, str]:
    """What to write where: a value, or what the description lacks on the way to it."""
    typed = read_yaml(arm.description, arm.name).data
    filled = copy.deepcopy(resolve(typed, Arm).data)  # where expressions stand there are numbers
    paths: list[KeyPath] = []
    for key, value in values.items():
        for slot in find_slots(filled, arm, key):
            slot.container[slot.part] = value
            paths.append(slot.path)
    return {
        place: json.dumps(_at(filled, place)) for place in (_first_missing(typed, path) for path in paths)
    }


def _first_missing(data: Any, path: KeyPath) -> KeyPath:
    """First part of a path that data do not have, or the whole path."""
    for depth, part in enumerate(path):
        if not has_entry(data, part) or data[part] is None:
            return path[: depth + 1]
        data = data[part]
    return path


def _at(data: Any, path: KeyPath) -> Any:
    for part in path:
        data = data[part]
    return data

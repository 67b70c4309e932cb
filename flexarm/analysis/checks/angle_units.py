"""Angles of a description that look as if degrees were meant: plain numbers beyond a full turn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from flexarm.description.arm.arm import Arm
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import KeyPath, dotted
from flexarm.errors import SpecError

BEYOND_A_TURN = 6.29
"""Angle [rad] from which on degrees may be meant: beyond 2 pi, however that was rounded."""


def angle_warnings(arm: Arm) -> list[str]:
    """Warnings of angles without a unit beyond 2 pi, each with what to write if they are degrees."""
    return [
        f"{key}: {value:g} is an angle in radians, {abs(value) / (2 * math.pi):.3g} turns; if degrees are meant, write "
        f'"{value:g} deg"'
        for key, value in _typed_angles(arm)
        if BEYOND_A_TURN < abs(value) < math.inf
    ]


def _typed_angles(arm: Arm) -> Iterator[tuple[str, float]]:
    """Keys of the angles that the text of a description gives as plain numbers, with these."""
    data: dict[str, Any] = {}
    with suppress(SpecError):  # an arm that was not read from text
        data = read_yaml(arm.text, arm.name).data
    typed = (data.get("initial") or {}).get("joints") or ()
    own = [joint for joint in arm.joints if joint.moves or len(typed) == len(arm.joints)]
    found: list[tuple[KeyPath, Any]] = [
        (("initial", "joints", i), value)
        for i, (joint, value) in enumerate(zip(own, typed, strict=False))
        if joint.kind.is_angle
    ]
    for i, joint in enumerate(data.get("joints") or ()):
        found += [
            (("joints", i, *path), value) for path, value in _of_joint(joint, arm.joints[i].kind.is_angle)
        ]
    for i, drive in enumerate(data.get("drive") or ()):
        if arm.joints[i].kind.is_angle:
            found += [(("drive", i, *path), value) for path, value in _of_drive(drive or {})]
    for path, value in found:
        with suppress(TypeError, ValueError):  # expressions, angles with a unit, tables
            yield dotted(path), float(value)


def _of_joint(joint: Any, turns: bool) -> Iterator[tuple[KeyPath, Any]]:
    """Angles of the entry of a joint, some only if it turns, by their paths below it."""
    for name in ("angle", "twist", "rest") if turns else ("angle", "twist"):
        yield (name,), _below(joint, name)
    yield from _entries(joint, "origin", "rpy")
    if turns:
        yield from _entries(joint, "limits")
        yield from _entries(joint, "limits", "range")


def _of_drive(drive: Any) -> Iterator[tuple[KeyPath, Any]]:
    """Angles of the entry of a drive, by their paths below it."""
    yield ("motion",), _below(drive, "motion")
    yield ("pd", "reference"), _below(drive, "pd", "reference")
    for path in (("move",), ("pd", "move")):
        one = ((path, _below(drive, *path)),)
        for place, move in (*one, *_entries(drive, *path)):
            for name in ("to", "from"):
                yield (*place, name), _below(move, name)


def _below(data: Any, *names: str) -> Any:
    """Value below some keys; None where something else or nothing stands there."""
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def _entries(data: Any, *names: str) -> Iterator[tuple[KeyPath, Any]]:
    """Entries of a list below some keys, by their paths; none where something else or nothing stands there."""
    listed = _below(data, *names)
    for k, value in enumerate(listed if isinstance(listed, list) else ()):
        yield (*names, k), value

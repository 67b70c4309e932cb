"""Angles of a description that look as if degrees were meant: plain numbers beyond a full turn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from flexarm.description.arm.arm import Arm
from flexarm.description.reading.yaml_text import read_yaml
from flexarm.description.values.input_model import dotted
from flexarm.errors import SpecError


def angle_warnings(arm: Arm) -> list[str]:
    """Warnings of angles without a unit beyond 2 pi, each with what to write if they are degrees."""
    return [
        f"{key}: {value:g} is an angle in radians, {abs(value) / (2 * math.pi):.3g} turns; if degrees are meant, write "
        f'"{value:g} deg"'
        for key, value in _typed_angles(arm)
        if abs(value) > 2 * math.pi
    ]


def _typed_angles(arm: Arm) -> Iterator[tuple[str, float]]:
    """Keys of the angles that the text of a description gives as plain numbers, with these."""
    data: dict[str, Any] = {}
    with suppress(SpecError):  # an arm that was not read from text
        data = read_yaml(arm.text, arm.name).data
    found: list[tuple[tuple[str | int, ...], Any]] = []
    typed = (data.get("initial") or {}).get("joints") or ()
    own = [joint for joint in arm.joints if joint.moves or len(typed) == len(arm.joints)]
    found += [
        (("initial", "joints", i), value)
        for i, (joint, value) in enumerate(zip(own, typed, strict=False))
        if joint.kind.is_angle
    ]
    for i, joint in enumerate(data.get("joints") or ()):
        found += [(("joints", i, name), (joint or {}).get(name)) for name in ("angle", "twist")]
    for i, drive in enumerate(data.get("drive") or ()):
        if not arm.joints[i].kind.is_angle:
            continue
        pd = (drive or {}).get("pd") or {}
        found += [
            (("drive", i, "pd", "reference"), pd.get("reference")),
            (("drive", i, "motion"), (drive or {}).get("motion")),
        ]
    for path, value in found:
        with suppress(TypeError, ValueError):  # expressions, angles with a unit, tables
            yield dotted(path), float(value)

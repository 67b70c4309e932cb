"""Difference of two plans of a sweep, in words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np


def plan_difference(name: str, old: Any, new: Any) -> str:
    """Describe how two plans differ in one of their entries."""
    if name in ("arm", "trajectory"):
        was, now = (str(text or "").splitlines() for text in (old, new))
        lines = list(difflib.unified_diff(was, now, lineterm="", n=0))[3:]
        changed = [line for line in lines if line[:1] in "+-"]
        return (
            f"the {name} has changed: {'; '.join(line[0] + ' ' + line[1:].strip() for line in changed[:4])}"
        )
    if name == "axes":
        try:
            was = {axis["name"]: axis for axis in old}
        except (TypeError, KeyError):
            return "its axes are damaged"
        now = {axis["name"]: axis for axis in new}
        if list(was) != list(now):
            return f"it varied {', '.join(map(str, was))}, now it is {', '.join(now)}"
        key = next(key for key in now if was[key] != now[key])
        return f"{key} has other values: {_extent(was[key])} then, {_extent(now[key])} now"
    return f"{name} was {_listed(old)}, now it is {_listed(new)}"


def _extent(axis: Mapping[str, Any]) -> str:
    try:
        values = np.array(axis["values"], float)
        return f"{len(values)} from {values.min():g} to {values.max():g}"
    except (KeyError, TypeError, ValueError):
        return "something damaged"


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)

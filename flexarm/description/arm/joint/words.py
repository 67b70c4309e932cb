"""Words about joints: angles and torques of what turns are positions and forces of what slides."""

from __future__ import annotations

import re
from collections.abc import Iterable

from flexarm.description.arm.joint.joint import Joint

_WORDS = {"angle": "coordinate", "torque": "force"}
"""Word for joints that turn -> the entry of a joint type that is meant."""
_WORD = re.compile(rf"\b({'|'.join(_WORDS)})(s?)\b")


def worded(text: str, joints: Iterable[Joint], between: str = "and") -> str:
    """Put a text about joints that turn into the words for some joints: "joint angles and positions"."""
    kinds = [joint.kind for joint in joints]

    def words(found: re.Match[str]) -> str:
        names = dict.fromkeys(getattr(kind, _WORDS[found[1]]) + found[2] for kind in kinds)
        return f" {between} ".join(names) or found[0]

    return _WORD.sub(words, text)

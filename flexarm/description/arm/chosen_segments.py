"""Numbers of segments that a description leaves open: how many are enough, and which were chosen."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from flexarm.description.arm.link.link import SMALL_ROTATION


def segments_for(turn: float) -> int:
    """Number of segments, none too far bent, of a link that would turn [rad] if bent all along as where it is most."""
    return max(ceil(turn / SMALL_ROTATION - 1e-9), 1)


class SegmentChoice(NamedTuple):
    """Number of segments of a link, from 0, whose description leaves it open, and the turn [rad] expected of it."""

    link: int
    segments: int
    turn: float

    def __str__(self) -> str:
        """Say what was chosen and why."""
        each, beyond = f"{SMALL_ROTATION}", ""
        if self.turn > self.segments * SMALL_ROTATION * (1 + 1e-9):
            each, beyond = (
                f"{self.turn / self.segments:.2g}",
                f", beyond the {each} rad that the model is meant for",
            )
        why = (
            f"statics and the first mode predict a turn of {self.turn:.2g} rad, {each} rad a segment{beyond}"
        )
        return f"link {self.link + 1}: segments: auto takes {self.segments}: {why}"

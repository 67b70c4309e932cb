"""Warnings about drives: results that are followed, and motors that a method of fixed step takes to their limits."""

from __future__ import annotations

from collections.abc import Iterator

from flexarm.catalogue import METHODS
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.followed_result import FollowedResult

APART = 1e-3
"""Distance of a joint from the motion that it follows, at the start [rad, m], that is worth a word."""
SHORTER = 1e-9
"""Part of the run by which a result may be shorter by round-off."""


def drive_warnings(arm: Arm) -> Iterator[str]:
    """Warnings about the drives of an arm."""
    for i, (drive, angle) in enumerate(zip(arm.drive, arm.initial.joints, strict=True), 1):
        if drive is None or drive.pd is None or not isinstance(drive.pd.reference, FollowedResult):
            continue
        followed = drive.pd.reference
        if followed.duration < arm.run.duration * (1 - SHORTER):
            yield (
                f"joint {i}: the result that it follows ends at {followed.duration:g} s, the run at "
                f"{arm.run.duration:g} s: its last values hold from there on"
            )
        begins = followed.motion.values[0]
        if abs(begins - angle) > APART:
            yield f"joint {i} starts at {angle:.4g}, the motion that it follows at {begins:.4g}: see initial.joints"
    if not METHODS[arm.run.method].adaptive and any(drive and drive.saturate for drive in arm.drive):
        yield (
            f"{arm.run.method} is of second order in a step in which a motor comes to its limit: an adaptive method "
            "such as dop853 keeps its tolerance there"
        )

"""Warnings about drives: results that are followed, and motors that a method of fixed step takes to their limits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.followed_result import FollowedResult
from flexarm.simulation.forces.break_points import late_shapers

APART = 1e-3
"""Distance of a joint from the motion that it follows, at the start [rad, m], that is worth a word."""
GROWTH = 1e-9
"""Real part of a pole, of the size of the fastest one, that is more than round-off."""
SHORTER = 1e-9
"""Part of the run by which a result may be shorter by round-off."""


def drive_warnings(arm: Arm) -> Iterator[str]:
    """Warnings about the drives of an arm, and the controllers that they take their torques from."""
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
    yield from _unstable_controllers(arm)
    yield from late_shapers(arm)
    if not METHODS[arm.run.method].adaptive and any(drive and drive.saturate for drive in arm.drive):
        yield (
            f"{arm.run.method} is of second order in a step in which a motor comes to its limit: an adaptive method "
            "such as dop853 keeps its tolerance there"
        )


def _unstable_controllers(arm: Arm) -> Iterator[str]:
    """Warnings about controllers that grow without bound by themselves."""
    for name, controller in arm.controllers:
        if controller.state_space is not None and controller.state_space.A:
            poles = np.linalg.eigvals(np.array(controller.state_space.A))
            if (fastest := poles[poles.real.argmax()]).real > GROWTH * np.abs(poles).max():
                yield (
                    f"controller {name} is unstable by itself: its fastest pole grows with {fastest.real:.4g}/s, so "
                    "that it needs its loop closed at any time"
                )

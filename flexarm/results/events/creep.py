"""Joints that creep where dry friction would hold them, since theirs is smoothed; by the samples of a run."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexarm.results.result import Result

LONG = 0.05
"""Part of the run from which on a slow motion in one direction is none of a joint that turns round."""
SLOW = 3.0
"""Rate in units of the smoothing at which 99.5 % of dry friction acts: below it dry friction would hold."""
STILL = 1e-6
"""Mean rate of a joint that hardly creeps, as a part of the smoothing."""


class CreepPhase(NamedTuple):
    """Time in which a joint, from 1, creeps: first and last sample [s], and how far it goes [rad, m]."""

    joint: int
    begin: float
    end: float
    way: float


def creep_phases(result: Result) -> list[CreepPhase]:
    """Phases in which joints with smoothed friction go slowly in one direction, held by nearly all of it or less."""
    time, found = result["time"], []
    name = "motor" if "motor_velocity" in result else "joint"
    for i, (joint, drive) in enumerate(zip(result.arm.joints, result.arm.drive, strict=True)):
        if not (joint.moves and joint.friction.smoothed) or (drive is not None and drive.motion is not None):
            continue
        rate, angle = result[f"{name}_velocity"][:, i], result[f"{name}_angle"][:, i]
        direction = np.where(np.abs(rate) < SLOW * joint.friction.smoothing, np.sign(rate), 0.0)
        starts = np.append(np.flatnonzero(np.diff(direction, prepend=np.nan) != 0), time.size)
        for first, beyond in pairwise(starts):
            span, way = time[beyond - 1] - time[first], abs(angle[beyond - 1] - angle[first])
            creeps = way > STILL * joint.friction.smoothing * span
            if direction[first] and creeps and span >= LONG * (time[-1] - time[0]) > 0:
                found.append(CreepPhase(i + 1, float(time[first]), float(time[beyond - 1]), float(way)))
    return found

"""Soft walls so stiff that an arm that rests on one vibrates there too quickly for a run."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.walls import HalfPlane

MANY_PERIODS = 1e5
"""Vibrations of an arm at rest on a wall within a run, of a few steps each, from which on these take minutes."""
FEW_PERIODS = 1e4
"""Vibrations that the stiffness advised leaves."""


def stiff_walls(arm: Arm) -> Iterator[str]:
    """Warnings of soft walls on which the arm could rest only with very many vibrations in the run.

    Notes
    -----
    Under its weight F a mass m lies at the depth ``d = (F / k)^(1/p)`` of the law ``F = k d^p``, where the wall is a
    spring of the stiffness ``p F / d``: it vibrates with the period ``2 pi sqrt(m d / (p F))``. Bounces that die out
    become as short, and the damping of Hunt and Crossley vanishes with the speed. Of the whole arm the period is the
    longest that there is.
    """
    if arm.contact is None:
        return
    for soft in arm.contact.soft:
        wall, mass = arm.contact.walls[soft.number], arm.mass
        fall = float(np.linalg.norm(arm.gravity))
        if isinstance(wall, HalfPlane):
            fall = -float(np.dot(wall.normal, arm.gravity))
        if not (mass > 0 and fall > 0):
            continue
        depth = (mass * fall / soft.stiffness) ** (1 / soft.exponent)
        period = 2 * math.pi * math.sqrt(depth / (soft.exponent * fall))
        if arm.run.duration < MANY_PERIODS * period:
            continue
        bearable = soft.exponent * fall * (arm.run.duration / FEW_PERIODS / (2 * math.pi)) ** 2
        yield (
            f"wall {soft.number + 1} is so stiff that the arm, at rest on it, is {depth:.1g} m deep in it and vibrates "
            f"with {period:.1g} s, {arm.run.duration / period:.0e} times in the run, which the steps have to follow "
            f"(stiffness: {mass * fall / bearable**soft.exponent:.0e}, or none: a rigid wall)"
        )

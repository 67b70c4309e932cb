"""Postures: joint angles as a user writes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.values.quantities import angle
from flexarm.errors import ModelError
from flexarm.model.chain import Chain

Posture = str | Sequence[float | str]
"""``"initial"``, ``"equilibrium"``, or joint angles: numbers [rad] or texts such as "30 deg", or all in one text."""


def joint_angles(arm: Arm, chain: Chain, at: Posture) -> np.ndarray:
    """Joint angles from numbers or texts.

    Parameters
    ----------
    arm : Arm
    chain : Chain
    at : str or sequence of (float or str)
        One angle for each joint, or for each revolute joint.

    Returns
    -------
    (moving joints,) [rad]

    Raises
    ------
    ModelError
        Not angles, the wrong number of them, or an angle of a fixed joint that is not its own.
    """
    parts = at.split(",") if isinstance(at, str) else list(at)
    angles = np.array([_angle(arm, part) for part in parts])
    moves = np.array([row is not None for row in chain.coordinates.joints])
    if len(angles) == moves.sum():
        return angles
    if len(angles) != len(moves):
        joints = f"{moves.sum()}, one for each revolute joint"
        raise ModelError(f"{arm.name}: joint angles: got {len(angles)}, expected {joints}")
    for i in np.flatnonzero(~moves):
        locked = arm.joints[i].angle
        if abs(angles[i] - locked) > 1e-12 * max(1.0, abs(locked)):
            raise ModelError(
                f"{arm.name}: got {angles[i]:.6g} rad for joint {i + 1}, but it is fixed at {locked:.6g} rad "
                "(leave fixed joints out of the list)"
            )
    return angles[moves]


def _angle(arm: Arm, part: float | str) -> float:
    message = f"{arm.name}: got {part!r} as a joint angle, expected a number of radians or '30 deg'"
    try:
        value = part.strip() if isinstance(part, str) else part
        value = float(angle(value) if isinstance(value, str) and value.endswith(("deg", "rad")) else value)
    except (TypeError, ValueError):  # a fault of the description's own types is a ValueError
        raise ModelError(f"{message} (or give 'initial' or 'equilibrium')") from None
    if not np.isfinite(value):
        raise ModelError(message)
    return value

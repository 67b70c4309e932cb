"""Postures: joint angles and positions as a user writes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.values.quantities import angle
from flexarm.errors import ModelError
from flexarm.model.chain import Chain

Posture = str | Sequence[float | str]
"""``"initial"``, ``"equilibrium"``, or joint angles: numbers [rad] or texts such as "30 deg", of prismatic
joints positions [m]; or all in one text."""


def joint_angles(arm: Arm, chain: Chain, at: Posture) -> np.ndarray:
    """Joint angles from numbers or texts.

    Parameters
    ----------
    arm : Arm
    chain : Chain
    at : str or sequence of (float or str)
        One angle or position for each joint, or for each that moves.

    Returns
    -------
    (moving joints,) [rad, m]

    Raises
    ------
    ModelError
        Not angles, the wrong number of them, or an angle of a fixed joint that is not its own.
    """
    parts = at.split(",") if isinstance(at, str) else list(at)
    moves = np.array([row is not None for row in chain.coordinates.joints])
    asked = range(len(moves)) if len(parts) == len(moves) else np.flatnonzero(moves).tolist()
    angles = np.array([_coordinate(arm, i, part) for i, part in zip(asked, parts, strict=False)])
    if len(parts) != len(asked):
        joints = f"{moves.sum()}, one for each joint that moves"
        raise ModelError(f"{arm.name}: joint angles: got {len(parts)}, expected {joints}")
    if len(angles) == moves.sum():
        return angles
    for i in np.flatnonzero(~moves):
        locked = arm.joints[i].angle
        if abs(angles[i] - locked) > 1e-12 * max(1.0, abs(locked)):
            raise ModelError(
                f"{arm.name}: got {angles[i]:.6g} rad for joint {i + 1}, but it is fixed at {locked:.6g} rad "
                "(leave fixed joints out of the list)"
            )
    return angles[moves]


def _coordinate(arm: Arm, i: int, part: float | str) -> float:
    """Read the coordinate of joint i, counted from 0, [rad, prismatic: m]."""
    kind = arm.joints[i].kind
    turns = kind.is_angle
    expected = "a number of radians or '30 deg'" if turns else "a number of metres"
    message = f"{arm.name}: got {part!r} as the {kind.coordinate} of joint {i + 1}, expected {expected}"
    try:
        value = part.strip() if isinstance(part, str) else part
        with_unit = turns and isinstance(value, str) and value.endswith(("deg", "rad"))
        value = float(angle(value) if with_unit else value)
    except (TypeError, ValueError):  # a fault of the description's own types is a ValueError
        raise ModelError(f"{message} (or give 'initial' or 'equilibrium')") from None
    if not np.isfinite(value):
        raise ModelError(message)
    return value

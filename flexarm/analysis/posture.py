"""Postures: joint angles and positions as a user writes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint_words import worded
from flexarm.description.values.quantities import angle
from flexarm.errors import ModelError
from flexarm.model.chain import Chain

Posture = str | Sequence[float | str]
"""``"initial"``, ``"equilibrium"``, or joint coordinates: numbers [rad, prismatic: m] or texts such as "30 deg", or all
in one text."""


def joint_angles(arm: Arm, chain: Chain, at: Posture) -> np.ndarray:
    """Joint coordinates from numbers or texts.

    Parameters
    ----------
    arm : Arm
    chain : Chain
    at : str or sequence of (float or str)
        One angle, or position, for each joint, or for each joint that moves.

    Returns
    -------
    (moving joints,) [rad, prismatic: m]

    Raises
    ------
    ModelError
        No such numbers, the wrong number of them, an angle of a joint that slides, or one of a fixed joint that is not
        its own.
    """
    parts = at.split(",") if isinstance(at, str) else list(at)
    moving = [i for i, row in enumerate(chain.coordinates.joints) if row is not None]
    numbers = moving if len(parts) == len(moving) else range(len(arm.joints))
    if len(parts) != len(numbers):
        for part in parts:  # what cannot be read at all is said first
            _coordinate(arm, 0, part)
        what = worded("joint angles", [arm.joints[i] for i in moving], "or")
        raise ModelError(
            f"{arm.name}: {what}: got {len(parts)}, expected {len(moving)}, one for each joint that moves"
        )
    values = {i: _coordinate(arm, i, part) for i, part in zip(numbers, parts, strict=True)}
    for i in values.keys() - set(moving):
        locked = arm.joints[i].angle
        if abs(values[i] - locked) > 1e-12 * max(1.0, abs(locked)):
            raise ModelError(
                f"{arm.name}: got {values[i]:.6g} rad for joint {i + 1}, but it is fixed at {locked:.6g} rad "
                "(leave fixed joints out of the list)"
            )
    return np.array([values[i] for i in moving])


def _coordinate(arm: Arm, i: int, part: float | str) -> float:
    """Read the coordinate of joint i, counted from 0, in SI units and radians."""
    kind = arm.joints[i].kind
    expected = "a number of radians or '30 deg'" if kind.is_angle else "a number of metres"
    message = f"{arm.name}: got {part!r} as the {kind.coordinate} of joint {i + 1}, expected {expected}"
    try:
        value = part.strip() if isinstance(part, str) else part
        typed = kind.is_angle and isinstance(value, str) and value.endswith(("deg", "rad"))
        value = float(angle(value) if typed else value)
    except (TypeError, ValueError):  # a fault of the description's own types is a ValueError
        raise ModelError(f"{message} (or give 'initial' or 'equilibrium')") from None
    if not np.isfinite(value):
        raise ModelError(message)
    return value

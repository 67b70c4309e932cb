"""Whether an inverse motion stays within the limits of the joints, whose stops inverse dynamics leaves out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.description.arm.joint.excursions import excursion
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.joint.limits import BEYOND
from flexarm.errors import ModelError

BENDING = 0.1
"""Angle [rad] or length [m] by which joints of a rigid arm may be beyond limits that the bent arm may keep."""


def check_joint_range(
    joints: Sequence[Joint], times: np.ndarray, angles: np.ndarray, allowed: float = BEYOND, *, where: str
) -> None:
    """Refuse a motion that leads a joint beyond its limits.

    Parameters
    ----------
    joints : sequence of Joint
        All n joints of the arm.
    times : (k,) [s]
    angles : (k, n) [rad, m]
    allowed : float [rad, m]
        How far beyond is not too far.
    where : str
        Beginning of the message: what asks for the motion.

    Raises
    ------
    ModelError
        The joint, its limits, when it leaves them, and how far it gets.
    """
    for i, joint in enumerate(joints):
        if message := excursion(joint, i + 1, times, angles[:, i], allowed):
            hint = "another posture by initial.joints, another path, or other limits"
            raise ModelError(f"{where}: it asks for {message}", hint=hint)

"""Whether an inverse motion stays within the limits of the joints, whose stops inverse dynamics leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.description.arm.joint.limits import BEYOND, excursion
from flexarm.errors import ModelError

if TYPE_CHECKING:
    from flexarm.simulation.inverse.problem import InverseProblem


BENDING = 0.1
"""Angle [rad] or length [m] by which joints of a rigid arm may be beyond limits that the bent arm may keep."""


def check_joint_range(
    problem: InverseProblem, times: np.ndarray, angles: np.ndarray, allowed: float = BEYOND
) -> None:
    """Refuse a motion with angles (k, n_joints) [rad, m] at times (k,) [s] that leads a joint beyond its limits
    by more than is allowed [rad, m].

    Raises
    ------
    ModelError
        The joint, its limits, when it leaves them, and how far it gets.
    """
    for i, joint in enumerate(problem.arm.joints):
        if message := excursion(joint, i + 1, times, angles[:, i], allowed):
            hint = "another posture by initial.joints, another path, or other limits"
            raise ModelError(f"{problem.where}: it asks for {message}", hint=hint)

"""Joints that dry friction holds, by the samples of a run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.results.result import Result

STUCK = 1e-9
"""Rate [rad/s, m/s] of a joint that sticks, but for round-off."""


class StickingPhase(NamedTuple):
    """Time in which a joint sticks.

    Attributes
    ----------
    joint : int
        Counted from 1.
    begin, end : float [s]
        First and last sample.
    torque : float [N m, N]
        Largest torque that held it.
    last : float [N m, N]
        Torque at the end.
    """

    joint: int
    begin: float
    end: float
    torque: float
    last: float


def sticks(result: Result, joint: int) -> np.ndarray:
    """Samples (k,) bool at which a joint, of an elastic one its motor, does not move; joints are counted from 0."""
    rates = result["motor_velocity"] if "motor_velocity" in result else result["joint_velocity"]
    return np.abs(rates[:, joint]) <= STUCK


def sticking_phases(result: Result) -> list[StickingPhase]:
    """Phases of at least two samples in which joints stick, joint by joint; of elastic ones their motors."""
    if "friction_torque" not in result or not result.arm.dry_joints:
        return []
    time, torques = result["time"], result["friction_torque"]
    found = []
    for i in result.arm.dry_joints:
        stuck = sticks(result, i)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], stuck, [False]]).astype(int)))
        for first, beyond in edges.reshape(-1, 2):
            if beyond - first > 1:
                held = torques[first:beyond, i]
                span = float(time[first]), float(time[beyond - 1])
                found.append(StickingPhase(i + 1, *span, float(np.abs(held).max()), float(held[-1])))
    return found

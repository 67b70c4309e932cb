"""Arms of the validation cases: those that come with flexarm, their runs changed where a case asks for it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import flexarm
from flexarm.shipped import shipped_arms, shipped_trajectories


def shipped(name: str, **run: Any) -> flexarm.Arm:
    """Load a shipped arm; `run` replaces keys of its run block."""
    arm = flexarm.load_arm(shipped_arms()[name])
    return arm.model_copy(update={"run": arm.run.model_copy(update=run)})


def shipped_task(name: str) -> flexarm.Trajectory:
    """Load a shipped trajectory."""
    return flexarm.load_trajectory(shipped_trajectories()[name])


@cache
def shipped_motion(name: str) -> flexarm.Result:
    """Simulate a shipped arm as it is; several cases may look at the same motion."""
    return flexarm.simulate(shipped(name))


def tip_at(result: flexarm.Result, times: tuple[float, ...]) -> list[float]:
    """Return x and y of the tip at the samples next to some times [s], in a row [m]."""
    rows = [int(np.abs(result.time - time).argmin()) for time in times]
    return result.point_position[rows, -1, :2].ravel().tolist()


def largest(values: np.ndarray) -> float:
    """Return the largest magnitude among numbers (..)."""
    return float(np.abs(values).max())

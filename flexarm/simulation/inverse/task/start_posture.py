"""Start posture: which of the solutions of inverse kinematics an arm starts in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.errors import ModelError
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.minimal_coordinates import initial_base

GUESSES = 60
"""Random postures from which a solution is sought, besides the one that is asked for."""


def start_posture(
    kinematics: InverseKinematics, arm: Arm, trajectory: Trajectory, target: np.ndarray
) -> np.ndarray:
    """Posture in which the arm starts, deflections zero: as the trajectory's near or elbow asks.

    Without them it is the posture next to the arm's own initial one.

    Parameters
    ----------
    target : (rows,) [m, rad]
        Prescribed coordinates at the start.

    Returns
    -------
    theta : (n_dof,) [rad, m]

    Raises
    ------
    ModelError
        No posture reaches the start, or none with the elbow asked for.
    """
    prescribed = _prescribed_joints(kinematics, target)
    turns = zip(kinematics.joints, kinematics.turning, strict=True)
    turning = [row for row, turning in turns if turning and row not in prescribed]
    reached, nearest = [], None
    for guess in _guesses(kinematics, arm, trajectory):
        guess[list(prescribed)] = list(prescribed.values())
        theta, missing = kinematics.solve(guess, target)
        if nearest is None or np.linalg.norm(missing) < np.linalg.norm(nearest):
            nearest = missing
        if kinematics.is_reached(missing):
            theta[turning] = guess[turning] + wrapped(theta[turning] - guess[turning])
            if trajectory.elbow is None or not turning:
                return theta
            reached.append(theta)
    if not reached:
        kinematics.check_reached(np.asarray(nearest), 0.0, trajectory.source)
    sign = 1.0 if trajectory.elbow == "positive" else -1.0
    for theta in reached:
        theta[turning] = wrapped(theta[turning])
        if sign * theta[turning[min(1, len(turning) - 1)]] > 0:
            return theta
    raise ModelError(
        f"{trajectory.source}: elbow: the start cannot be reached with a {trajectory.elbow} elbow"
    )


def _prescribed_joints(kinematics: InverseKinematics, target: np.ndarray) -> dict[int, float]:
    """Coordinates [rad or m] of the joints that are rows of the task themselves, by their row in theta."""
    rows = kinematics.chain.coordinates.joints
    return {
        rows[int(name[1:]) - 1]: float(value)  # type: ignore[misc]
        for name, value in zip(kinematics.task.names, target, strict=True)
        if name[1:].isdigit()
    }


def _guesses(kinematics: InverseKinematics, arm: Arm, trajectory: Trajectory) -> Iterator[np.ndarray]:
    """Postures from which the start is sought: the one asked for or the arm's own, then many.

    Passive joints and a floating base stay where the arm's initial state has them.
    """
    layout, joints = kinematics.chain.coordinates, kinematics.joints
    moving = [i for i, row in enumerate(layout.joints) if row is not None]
    theta = np.zeros(layout.n_dof)
    theta[list(layout.moving_joints)] = [arm.initial.joints[i] for i in moving]
    theta[list(layout.base)] = initial_base(arm, kinematics.chain)[0]
    first = theta.copy()
    if trajectory.near:
        asked = dict(zip(layout.moving_joints, trajectory.near, strict=True))
        first[joints] = [asked[row] for row in joints]
    yield first
    random, most = np.random.default_rng(1994), np.where(kinematics.turning, np.pi, kinematics.size)
    for _ in range(GUESSES):
        theta = theta.copy()
        theta[joints] = random.uniform(-most, most)
        yield theta


def wrapped(angle: np.ndarray) -> np.ndarray:
    """Angles (..) between -pi and pi [rad]."""
    return (angle + np.pi) % (2 * np.pi) - np.pi

"""Task: the prescribed coordinates of an arm, of its tip or of its joints, as expressions of theta."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.description.motion.trajectory import TIP_COORDINATES, Trajectory
from flexarm.errors import ModelError
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.formulations.kinematics.stations import station_position
from flexarm.model.chain import Chain

ANGLES = ("yaw", "pitch", "roll")


@dataclass(frozen=True)
class Task:
    """Prescribed coordinates; each is a row of the task.

    Attributes
    ----------
    names : tuple of str
        Prescribed coordinates, one per row.
    space : {"tip", "joint"}
    """

    names: tuple[str, ...]
    space: str

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.names)

    @property
    def angular(self) -> np.ndarray:
        """Rows that are angles of the tip, which count modulo a full turn, (size,) of bool."""
        return np.array([name in ANGLES for name in self.names])

    @property
    def positions(self) -> list[int]:
        """Rows that are positions of the tip."""
        return [k for k, name in enumerate(self.names) if name in ("x", "y", "z")]

    @property
    def axes(self) -> list[int]:
        """Cartesian axes of the position rows: 0, 1, 2 for x, y, z."""
        return ["xyz".index(self.names[k]) for k in self.positions]

    def rows(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Prescribed coordinates (size,) [m, rad] at theta (n_dof,)."""
        state = ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
        if self.space == "joint":
            return ca.vertcat(*(state.q[chain.joint_bodies[int(name[1:]) - 1]] for name in self.names))
        motions = chain_motion(chain, state)
        frames, last = poses(chain, motions), chain.arm_bodies[-1]
        tip = station_position(chain, frames, state, len(chain.links) - 1, 1.0)
        R = frames[last].R @ motions[last].end.rotation.E
        angles = (
            ca.atan2(R[1, 0], R[0, 0]),
            ca.atan2(-R[2, 0], ca.sqrt(R[2, 1] ** 2 + R[2, 2] ** 2)),
            ca.atan2(R[2, 1], R[2, 2]),
        )
        values: dict[str, ca.SX] = dict(zip(TIP_COORDINATES, (tip[0], tip[1], tip[2], *angles), strict=True))
        return ca.vertcat(*(values[name] for name in self.names))

    def error(self, desired: np.ndarray, found: np.ndarray) -> np.ndarray:
        """Task error ``desired - found``, angles by the shorter way; all (.., size) [m, rad]."""
        missing = desired - found
        return np.where(self.angular, (missing + np.pi) % (2 * np.pi) - np.pi, missing)


def task_of(trajectory: Trajectory, chain: Chain) -> Task:
    """The task of a trajectory for an arm.

    Raises
    ------
    ModelError
        More rows than joints that can move, a joint that is not there or locked, or a base that floats.
    """
    names, layout = trajectory.coordinates, chain.coordinates
    where = trajectory.source
    if layout.base:
        raise ModelError(f"{where}: inverse dynamics needs an arm on a fixed base")
    n_joints = len(layout.moving_joints)
    if len(names) > n_joints:
        raise ModelError(
            f"{where}: got {len(names)} task rows ({', '.join(names)}), expected at most {n_joints}, one for each "
            "joint that moves (prescribe fewer coordinates)"
        )
    for name in names if trajectory.space == "joint" else ():
        number = int(name[1:])
        if not 1 <= number <= len(layout.joints) or layout.joints[number - 1] is None:
            what = (
                "is locked"
                if 1 <= number <= len(layout.joints)
                else f"is not among the arm's {len(layout.joints)}"
            )
            raise ModelError(f"{where}: joint {number} {what}; it cannot follow {name}")
    if trajectory.near and len(trajectory.near) != n_joints:
        raise ModelError(
            f"{where}: near: got {len(trajectory.near)} angles, expected {n_joints}, one per moving joint"
        )
    return Task(names, trajectory.space)

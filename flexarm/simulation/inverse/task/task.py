"""Task: the prescribed coordinates of an arm, of its tip or of its joints, as expressions of theta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.words import worded
from flexarm.description.motion.trajectory import TIP_COORDINATES, Trajectory
from flexarm.description.values.quantities import TypedAngle
from flexarm.errors import ModelError
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.formulations.kinematics.stations import station_position
from flexarm.model.chain import Chain
from flexarm.simulation.inverse.task.minimal_coordinates import chain_theta
from flexarm.simulation.inverse.task.prescribed_motions import prescribed_joints

ANGLES = ("yaw", "pitch", "roll")


@dataclass(frozen=True)
class Task:
    """Prescribed coordinates; each is a row of the task.

    Attributes
    ----------
    names : tuple of str
        Prescribed coordinates, one per row: those of the trajectory, then the joints whose motion the arm prescribes.
    space : {"tip", "joint"}
    passive : tuple of int
        Rows in theta of joints without a drive, which follow the others' motion: the first joint of an arm on a base
        that floats in the plane, unless it is prescribed, is the turning of link 1 and not the work of a motor.
    """

    names: tuple[str, ...]
    space: str
    passive: tuple[int, ...] = ()

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

    def slides(self, chain: Chain) -> list[int]:
        """Rows that are positions of joints that slide."""
        motions = {
            f"q{i}": chain.bodies[body].joint.motion for i, body in enumerate(chain.joint_bodies, start=1)
        }
        return [k for k, name in enumerate(self.names) if name in motions and not motions[name].turn]

    @property
    def axes(self) -> list[int]:
        """Cartesian axes of the position rows: 0, 1, 2 for x, y, z."""
        return ["xyz".index(self.names[k]) for k in self.positions]

    def driven(self, chain: Chain) -> list[int]:
        """Rows in theta of the joints that are driven so that the task is fulfilled."""
        return [row for row in chain.coordinates.moving_joints if row not in self.passive]

    def internal(self, chain: Chain, *, rigid: bool = False) -> list[int]:
        """Rows in theta of the coordinates that no drive moves: modal amplitudes, passive joints, a floating base."""
        layout = chain.coordinates
        return [*(() if rigid else layout.all_modes), *self.passive, *layout.base]

    def rows(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Prescribed coordinates (size,) [m, rad] at minimal coordinates theta (n_dof,)."""
        theta = chain_theta(chain, theta)
        state = ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
        values = self._tip(chain, state) if self.space == "tip" else {}
        values |= {f"q{i}": state.q[body] for i, body in enumerate(chain.joint_bodies, start=1)}
        return ca.vertcat(*(values[name] for name in self.names))

    def _tip(self, chain: Chain, state: ChainState) -> dict[str, ca.SX]:
        """All coordinates of the tip."""
        motions = chain_motion(chain, state)
        frames, last = poses(motions), chain.arm_bodies[-1]
        tip = station_position(chain, frames, state, len(chain.links) - 1, 1.0)
        R = frames[last].R @ motions[last].end.rotation.E
        angles = (
            ca.atan2(R[1, 0], R[0, 0]),
            ca.atan2(-R[2, 0], ca.sqrt(R[2, 1] ** 2 + R[2, 2] ** 2)),
            ca.atan2(R[2, 1], R[2, 2]),
        )
        return dict(zip(TIP_COORDINATES, (tip[0], tip[1], tip[2], *angles), strict=True))

    def error(self, desired: np.ndarray, found: np.ndarray) -> np.ndarray:
        """Task error ``desired - found``, angles by the shorter way; all (.., size) [m, rad]."""
        missing = desired - found
        return np.where(self.angular, (missing + np.pi) % (2 * np.pi) - np.pi, missing)


def task_of(trajectory: Trajectory, arm: Arm, chain: Chain) -> Task:
    """The task of a trajectory for an arm.

    Raises
    ------
    ModelError
        More rows than driven joints, a joint that is not there or locked, or one that is prescribed twice.
    """
    layout, where = chain.coordinates, trajectory.source
    for name in trajectory.coordinates if trajectory.space == "joint" else ():
        _check_joint(int(name[1:]), arm, chain, where)
        _check_lengths(name, _typed_values(trajectory, name), arm, int(name[1:]) - 1, where)
    names = (*trajectory.coordinates, *(f"q{i + 1}" for i in prescribed_joints(arm)))
    first = layout.joints[0]
    passive = (first,) if arm.base_kind == "planar" and first is not None and "q1" not in names else ()
    task = Task(names, trajectory.space, passive)
    n_joints, moving = len(task.driven(chain)), len(layout.moving_joints)
    if len(names) > n_joints:
        free = ", joint 1 of an arm on a planar base is not driven" if passive else ""
        raise ModelError(
            f"{where}: got {len(names)} task rows ({', '.join(names)}), expected at most {n_joints}, one for each "
            f"joint that is driven{free} (prescribe fewer coordinates)"
        )
    if trajectory.near and len(trajectory.near) != moving:
        what = worded("angles", [joint for joint in arm.joints if joint.moves], "or")
        raise ModelError(
            f"{where}: near: got {len(trajectory.near)} {what}, expected {moving}, one per moving joint"
        )
    own = [i for i, row in enumerate(layout.joints) if row is not None]
    for i, value in zip(own, trajectory.near, strict=False):
        _check_lengths("near", (value,), arm, i, where)
    return task


def _typed_values(trajectory: Trajectory, name: str) -> Sequence[float]:
    """Values that a trajectory gives a coordinate by waypoints or as the ends of a line."""
    if trajectory.waypoints is not None:
        return trajectory.waypoints.coordinates[name]
    if trajectory.line is not None:
        k = trajectory.coordinates.index(name)
        return trajectory.line.start[k], trajectory.line.end[k]
    return ()


def _check_lengths(name: str, values: Sequence[float], arm: Arm, i: int, where: str) -> None:
    """Refuse values typed as angles of a joint, counted from 0, that slides."""
    if not arm.joints[i].kind.is_angle and any(isinstance(value, TypedAngle) for value in values):
        raise ModelError(f"{where}: {name}: got an angle, expected a number in m: joint {i + 1} slides")


def _check_joint(number: int, arm: Arm, chain: Chain, where: str) -> None:
    """Refuse a joint number, from 1, that the trajectory cannot prescribe."""
    joints = chain.coordinates.joints
    if not 1 <= number <= len(joints):
        raise ModelError(
            f"{where}: joint {number} is not among the arm's {len(joints)}; it cannot follow q{number}"
        )
    if joints[number - 1] is None:
        raise ModelError(f"{where}: joint {number} is locked; it cannot follow q{number}")
    if number - 1 in prescribed_joints(arm):
        raise ModelError(
            f"{where}: joint {number} is prescribed twice, as q{number} here and by drive[{number - 1}].motion of the "
            f"arm {arm.name} (remove one of them)"
        )

"""Joint model: a joint of the chain as numbers, with its placement and its motion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from flexarm.description.arm.joint.joint import Joint
from flexarm.links.integrals import skew
from flexarm.links.round_off import round_off_free

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class AxisTurn:
    """Fixed turn about a coordinate axis, 0 (x), 1 (y) or 2 (z); exact for multiples of 90 degrees."""

    axis: int
    cosine: float
    sine: float

    @classmethod
    def by(cls, axis: int, angle: float) -> AxisTurn:
        """Turn by an angle [rad]."""
        return cls(axis, round_off_free(math.cos(angle)), round_off_free(math.sin(angle)))

    @property
    def matrix(self) -> np.ndarray:
        """Rotation matrix (3, 3) [1]."""
        R, (j, k) = np.eye(3), ((self.axis + 1) % 3, (self.axis + 2) % 3)
        R[[j, k], [j, k]], R[j, k], R[k, j] = self.cosine, -self.sine, self.sine
        return R


@dataclass(frozen=True)
class ScrewMotion:
    """Motion of a joint with one coordinate q: it turns about its axis by turn q and slides along it by shift q.

    Attributes
    ----------
    turn, shift : int or float [1, m]
        See :class:`~flexarm.catalogue.JointType`.
    axis : (3,) [1]
        Unit vector in the joint's frame, and in that of the link, which the motion leaves in place.

    Notes
    -----
    The motion subspace S = (S_w; S_v) is (turn axis; shift axis): the angular velocity and the velocity of the link's
    frame against the end before, in its own axes, are S q_d, and a moment n and a force f have the generalised force
    S_w . n + S_v . f. It does not depend on q, so S q_dd is all that q adds to the relative acceleration.
    """

    turn: float = 1
    shift: float = 0
    axis: Vector = (0.0, 0.0, 1.0)

    @property
    def S_w(self) -> Vector:
        """Angular velocity of the link for a unit rate of the coordinate, (3,)."""
        return self._times(self.turn)

    @property
    def S_v(self) -> Vector:
        """Velocity of the link for a unit rate of the coordinate, (3,)."""
        return self._times(self.shift)

    def _times(self, factor: float) -> Vector:
        x, y, z = (factor * part if factor else 0.0 for part in self.axis)
        return x, y, z

    def rotation(self, q: float) -> np.ndarray:
        """Rotation matrix (3, 3) at the coordinate q, from the axes of the link to those of the joint."""
        a = skew(np.array(self.S_w))
        return np.eye(3) + math.sin(q) * a + (1 - math.cos(q)) * a @ a


@dataclass(frozen=True)
class JointModel:
    """Joint of a chain: its transform, friction and motor inertia; numbers may be symbols.

    Attributes
    ----------
    moves : bool
        False for a joint locked at ``locked_at``.
    motion : ScrewMotion
    locked_at : float [rad, m]
        Coordinate of a locked joint.
    turns : tuple of AxisTurn
        From the axes of the end before to those of the joint, one after the other.
    offset : (3,) [m]
        Where the joint's frame is, seen from the end before, in the axes of the joint; along z for
        Denavit-Hartenberg's d.
    viscous, coulomb, smoothing : float [N m s, N m, rad/s; N s/m, N, m/s]
        Friction ``viscous q_d + coulomb tanh(q_d / smoothing)``; dry friction that sticks is none of it.
    motor_inertia : float [kg m^2, kg]
        Rotor inertia as felt at the joint, gear^2 times its own.
    """

    moves: bool = True
    motion: ScrewMotion = ScrewMotion()
    locked_at: float = 0.0
    turns: tuple[AxisTurn, ...] = ()
    offset: Vector = (0.0, 0.0, 0.0)
    viscous: float = 0.0
    coulomb: float = 0.0
    smoothing: float = 1.0
    motor_inertia: float = 0.0

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, joint: Joint) -> JointModel:
        """Joint of a description."""
        turns, offset = _placement(joint)
        return cls(
            moves=joint.moves,
            motion=ScrewMotion(joint.kind.turn, joint.kind.shift, joint.axis),
            locked_at=joint.angle,
            turns=turns,
            offset=offset,
            viscous=joint.friction.viscous,
            coulomb=joint.friction.smoothed,
            smoothing=joint.friction.smoothing or 1.0,
            motor_inertia=joint.motor.reflected_inertia,
        )

    @property
    def placement(self) -> np.ndarray:
        """Fixed part of the joint's rotation, (3, 3) [1], from its axes to those of the end before."""
        R = np.eye(3)
        for turn in self.turns:
            R = R @ turn.matrix
        return R

    def transform(self, q: float) -> tuple[np.ndarray, np.ndarray]:
        """Rotation (3, 3) [1] and origin (3,) [m] of the link's frame in the axes of the end before, at q [rad, m]."""
        R = self.placement
        return R @ self.motion.rotation(q), R @ (np.array(self.offset) + q * np.array(self.motion.S_v))


def _placement(joint: Joint) -> tuple[tuple[AxisTurn, ...], Vector]:
    """Turns and offset of a joint's frame."""
    if joint.origin is None:
        return (AxisTurn.by(0, joint.twist),), (0.0, 0.0, joint.offset)
    roll, pitch, yaw = joint.origin.rpy
    turns = (AxisTurn.by(2, yaw), AxisTurn.by(1, pitch), AxisTurn.by(0, roll))
    shift = np.array(joint.origin.xyz)
    for turn in turns:
        shift = turn.matrix.T @ shift
    x, y, z = shift.tolist()
    return turns, (x, y, z)

"""Joint model: a joint of the chain as numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from flexarm.description.arm.joint import Joint
from flexarm.links.round_off import round_off_free


@dataclass(frozen=True)
class JointModel:
    """Joint of a chain: its transform, friction and motor inertia; numbers may be symbols.

    Attributes
    ----------
    moves : bool
        False for a joint locked at ``angle``.
    angle : float [rad]
        Where a locked joint is locked.
    cos_twist, sin_twist : float [1]
        Of the fixed turn about x before the joint's own; exact for multiples of 90 degrees.
    offset : float [m]
        Displacement along the joint's axis (Denavit-Hartenberg d).
    viscous, coulomb, smoothing : float [N m s, N m, rad/s]
        Friction torque ``viscous q_d + coulomb tanh(q_d / smoothing)``.
    motor_inertia : float [kg m^2]
        Rotor inertia as felt at the joint, gear^2 times its own.
    """

    moves: bool = True
    angle: float = 0.0
    cos_twist: float = 1.0
    sin_twist: float = 0.0
    offset: float = 0.0
    viscous: float = 0.0
    coulomb: float = 0.0
    smoothing: float = 1.0
    motor_inertia: float = 0.0

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, joint: Joint) -> JointModel:
        """Joint of a description."""
        return cls(
            moves=joint.type == "revolute",
            angle=joint.angle,
            cos_twist=round_off_free(math.cos(joint.twist)),
            sin_twist=round_off_free(math.sin(joint.twist)),
            offset=joint.offset,
            viscous=joint.friction.viscous,
            coulomb=joint.friction.coulomb,
            smoothing=joint.friction.smoothing,
            motor_inertia=joint.motor.gear**2 * joint.motor.inertia,
        )

    @property
    def rotation(self) -> np.ndarray:
        """Fixed part of the joint's rotation: the twist about x, (3, 3) [1]."""
        c, s = self.cos_twist, self.sin_twist
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])

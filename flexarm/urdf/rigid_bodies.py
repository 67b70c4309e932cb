"""Rigid bodies and frames: bodies seen from other frames, put together, turned into numbers of a description."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROUND_OFF = 1e-15
"""Sines, cosines and lengths below this are zero: what products of rotations leave."""


@dataclass(frozen=True)
class Body:
    """Rigid body in the axes of a frame.

    Attributes
    ----------
    mass : float [kg]
    center : (3,) [m]
    inertia : (3, 3) [kg m^2]
        About the mass centre.
    """

    mass: float
    center: Array
    inertia: Array

    def seen_from(self, pose: Array) -> Body:
        """Return the same body in another frame, in which its own frame has the pose (4, 4)."""
        turn = pose[:3, :3]
        return Body(self.mass, turn @ self.center + pose[:3, 3], turn @ self.inertia @ turn.T)


def combined(bodies: list[Body]) -> Body | None:
    """One rigid body of several in the same frame, by parallel axes; None of nothing that has mass."""
    bodies = [body for body in bodies if body.mass]
    if len(bodies) < 2:
        return bodies[0] if bodies else None
    mass = sum(body.mass for body in bodies)
    center = np.sum([body.mass * body.center for body in bodies], axis=0) / mass
    inertia = np.zeros((3, 3))
    for body in bodies:
        d = body.center - center
        inertia += body.inertia + body.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Body(mass, center, inertia)


def inertia_fault(inertia: Array) -> str:
    """What is wrong with an inertia tensor (3, 3) [kg m^2] about a mass centre; empty if a body can have it."""
    least, middle, largest = np.linalg.eigvalsh(inertia)
    moments = f"its principal moments are {least:.4g}, {middle:.4g}, {largest:.4g} kg m^2"
    if least < -1e-9 * max(abs(largest), abs(least)):
        return f"no body has this inertia: {moments}, one of them negative"
    if largest > (least + middle) * (1 + 1e-6):
        return f"no body has this inertia: {moments}, of which one exceeds the sum of the others"
    return ""


def pose_of(turn: Array, shift: Array) -> Array:
    """Homogeneous transform (4, 4) of a rotation (3, 3) and a shift (3,)."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, shift
    return pose


def roll_pitch_yaw(turn: Array) -> Array:
    """Angles (3,) [rad] with Rz(yaw) Ry(pitch) Rx(roll) = `turn` (3, 3), exact at a pitch of 90 degrees too."""
    yaw = np.arctan2(turn[1, 0], turn[0, 0]) if np.hypot(turn[0, 0], turn[1, 0]) > 1e-12 else 0.0
    c, s = np.cos(yaw), np.sin(yaw)
    pitch = np.arctan2(-turn[2, 0], c * turn[0, 0] + s * turn[1, 0])
    roll = np.arctan2(s * turn[0, 2] - c * turn[1, 2], c * turn[1, 1] - s * turn[0, 1])
    angles = np.array([roll, pitch, yaw])
    return np.where(abs(angles) < ROUND_OFF, 0.0, angles)

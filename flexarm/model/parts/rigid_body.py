"""Rigid bodies: mass properties, their sum, and their change of frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class RigidBody:
    """Rigid body: mass, first moment and inertia tensor about the origin of a frame, in that frame.

    Attributes
    ----------
    mass : float [kg]
    moment : (3,) [kg m]
        Mass times the position of the mass centre.
    inertia : (3, 3) [kg m^2]
    """

    mass: float
    moment: np.ndarray
    inertia: np.ndarray

    @classmethod
    def none(cls) -> RigidBody:
        """Body without mass."""
        return cls(0.0, np.zeros(3), np.zeros((3, 3)))

    @classmethod
    def about_mass_centre(cls, mass: float, inertia: np.ndarray, centre: np.ndarray) -> RigidBody:
        """Build a body of mass [kg] from its inertia (3, 3) [kg m^2] about its mass centre, which is at (3,) [m]."""
        P = _skew(centre)
        return cls(mass, mass * centre, inertia - mass * P @ P)  # parallel axes

    def moved(self, R: np.ndarray, p: np.ndarray) -> RigidBody:
        """Same body in a frame in which its own has the rotation R, (3, 3) [1], and the origin p, (3,) [m]."""
        s = R @ self.moment
        P, S = _skew(p), _skew(s)
        return RigidBody(
            self.mass,
            s + self.mass * p,
            R @ self.inertia @ R.T - P @ S - S @ P - self.mass * P @ P,  # parallel axes
        )

    def __add__(self, other: RigidBody) -> RigidBody:
        return RigidBody(self.mass + other.mass, self.moment + other.moment, self.inertia + other.inertia)


def _skew(v: np.ndarray) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])

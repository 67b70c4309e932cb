"""Joints with dry friction: where their rates are, and how large their torques may be.

Of an elastic joint it is the motor that rubs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.simulation.contact.equations.contact_functions import JointPlace


@dataclass(frozen=True)
class DryJoints:
    """Joints with dry friction, in the order of :attr:`~flexarm.description.arm.arm.Arm.dry_joints`.

    Attributes
    ----------
    kinetic, static : (d,) [N m, N]
        Torque of friction in sliding, and largest one at rest.
    rate : (d,) int
        Columns of the state y in which the rates are.
    row : (d,) int
        Rows among the coordinates that move freely.
    n_free : int
        Number of these.
    """

    kinetic: NDArray[np.float64]
    static: NDArray[np.float64]
    rate: NDArray[np.intp]
    row: NDArray[np.intp]
    n_free: int

    @classmethod
    def of(cls, arm: Arm, dry: Sequence[JointPlace], n_free: int) -> DryJoints:
        """Those of an arm, which are at some places among its `n_free` coordinates."""
        frictions = [arm.joints[i].friction for i in arm.dry_joints]
        return cls(
            kinetic=np.array([friction.coulomb for friction in frictions]),
            static=np.array([friction.at_rest for friction in frictions]),
            rate=np.array([place.rate for place in dry], dtype=np.intp),
            row=np.array([place.row for place in dry], dtype=np.intp),
            n_free=n_free,
        )

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.kinetic.size

    def rates(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rates [rad/s, m/s] at states (.., n_y): (.., d)."""
        return states[..., self.rate]

    @cached_property
    def J(self) -> NDArray[np.float64]:
        """Rates per rate of the coordinates that move freely, (d, n_free)."""
        J = np.zeros((self.n, self.n_free))
        J[np.arange(self.n), self.row] = 1.0
        return J

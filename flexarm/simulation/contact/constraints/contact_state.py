"""State of all unilateral contacts of an arm: gaps, their rates, and what impulses do to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.active_contacts import along_walls


@dataclass(frozen=True)
class ContactState:
    """Kinematics and inertia of all contacts at one state of the arm; m contacts, n coordinates that move freely.

    Units are those of points and walls. Of a joint that turns the gap to a stop is an angle, and an impulse is one of a
    torque.

    Attributes
    ----------
    gap : (m,) [m]
    speed : (m,) [m/s]
        Rate of the gap.
    free_gap_acceleration : (m,) [m/s^2]
        Second rate of the gap while nothing acts at it.
    J : (m, n)
        Rate of the gaps per rate of the coordinates: the normal rows of [FL17] eq. 58.
    M : (n, n)
        Mass matrix.
    kinetic_energy : float [J]
        That of the coordinates that move freely.
    slip, free_slip_acceleration, J_t : (s,), (s,), (s, n)
        Velocities along the walls, of all m contacts along one tangent, in space then along the other, then the rates
        of joints with dry friction; their rates while nothing acts, and their Jacobian; empty without friction.
    n_tangents : int
        2 in space, else 1.
    """

    gap: np.ndarray
    speed: np.ndarray
    free_gap_acceleration: np.ndarray
    J: np.ndarray
    M: np.ndarray
    kinetic_energy: float = 0.0
    slip: np.ndarray = field(default_factory=lambda: np.empty(0))
    free_slip_acceleration: np.ndarray = field(default_factory=lambda: np.empty(0))
    J_t: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    n_tangents: int = 1

    @property
    def first_joint(self) -> int:
        """Number of the first joint among the slips."""
        return self.n_tangents * self.gap.size

    def along_walls(self, contacts: np.ndarray) -> np.ndarray:
        """Numbers of the slips of contacts (k,) int, along one tangent, then along the other, (k n_tangents,) int."""
        return along_walls(contacts, self.gap.size, self.n_tangents)

    @cached_property
    def response(self) -> np.ndarray:
        """M^-1 J^T, (n, m) [1/kg]: change of the coordinates' rates per unit impulse at each contact.

        Raises
        ------
        SolverError
            The mass matrix is singular.
        """
        return self._response_to(self.J)

    @cached_property
    def response_t(self) -> np.ndarray:
        """M^-1 J_t^T, (n, m) [1/kg], likewise for impulses along the walls.

        Raises
        ------
        SolverError
            The mass matrix is singular.
        """
        return self._response_to(self.J_t)

    def _response_to(self, J: np.ndarray) -> np.ndarray:
        try:
            return np.linalg.solve(self.M, J.T)
        except np.linalg.LinAlgError:
            raise SolverError("the mass matrix is singular here") from None

    def delassus(self, contacts: np.ndarray) -> np.ndarray:
        """Delassus matrix J M^-1 J^T of contacts (k,) int, (k, k) [1/kg]: speed at one per unit impulse at another.

        Named after [Delassus1917]; see [PfeifferGlocker1996], [Brogliato2016].
        """
        A = self.J[contacts] @ self.response[:, contacts]
        return (A + A.T) / 2

    def delassus_with_friction(self, contacts: np.ndarray, rubbing: np.ndarray) -> np.ndarray:
        """The same of the normals of contacts (k,) int, then of some slips (k_t,) int: along walls, and of joints."""
        J = np.concatenate([self.J[contacts], self.J_t[rubbing]])
        A = J @ np.hstack([self.response[:, contacts], self.response_t[:, rubbing]])
        return (A + A.T) / 2

    def speed_after(self, contacts: np.ndarray, impulses: np.ndarray) -> np.ndarray:
        """Speeds (k,) [m/s] of contacts (k,) int after impulses (k,) [N s] on them."""
        return self.speed[contacts] + self.delassus(contacts) @ impulses

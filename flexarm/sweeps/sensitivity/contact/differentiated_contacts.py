"""Contacts of an arm with their directional derivatives: gaps, their rates and Jacobian, and the mass matrix."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.codegen.directional_function import DirectionalFunction
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.constraints.joint_stops import JointStops
from flexarm.simulation.contact.equations.contact_functions import ContactFunctions
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES, WallGap
from flexarm.sweeps.sensitivity.contact.contact_derivatives import ContactDerivatives
from flexarm.sweeps.sensitivity.directions.contact_numbers import ContactChanges
from flexarm.sweeps.sensitivity.directions.directions import Directions, parameters_of

NO_SLIPS = np.empty(0, dtype=np.intp)


class _Evaluated(NamedTuple):
    """Values, then derivatives, of all m pairs of a point and the wall: of the slips along each tangent, m_t.

    gap, speed (1 + k, m), J (1 + k, m, n), M (1 + k, n, n), slip (1 + k, m_t), J_t (1 + k, m_t, n).
    """

    gap: np.ndarray
    speed: np.ndarray
    J: np.ndarray
    M: np.ndarray
    slip: np.ndarray
    J_t: np.ndarray


class DifferentiatedContacts:
    """Contacts of one arm with their derivatives in k directions of its state, its numbers and time.

    A further direction is evaluated with them, that of the motion.

    Parameters
    ----------
    functions : ContactFunctions
    contacts : Contacts
    found : Directions
    """

    def __init__(self, functions: ContactFunctions, contacts: Contacts, found: Directions):
        arm, self._functions, self._contacts = found.instance.arm, functions, contacts
        walls = () if arm.contact is None else arm.contact.rigid_walls
        self._walls = np.array([WallGap.of(wall).entries() for wall in walls]).reshape(-1, ENTRIES)
        self.changes = ContactChanges.of(found.contact, arm, functions.n_points)
        self._count = len(found.scales) + 1
        none = np.zeros((1, *self._walls.shape))
        self._wall_changes = np.concatenate([self.changes.walls, none])
        self._stops = JointStops.of(arm, functions.limited, functions.n_free)
        self._bounds = np.vstack([self._stops.bound, self.changes.bounds, np.zeros(self._stops.bound.size)])
        self._model = found.model
        self._parameters = np.concatenate([parameters_of(found), np.zeros(functions.n_parameters)])

    def at(
        self,
        t: float,
        y: np.ndarray,
        changes: np.ndarray,
        times: np.ndarray,
        which: np.ndarray,
        slips: np.ndarray = NO_SLIPS,
    ) -> ContactDerivatives:
        """Contacts at t [s], y (n_y,), for changes of the state (k, n_y) and of time (k,) [s].

        Parameters
        ----------
        which : (c,) int
            Numbers of the contacts.
        slips : (s,) int
            Numbers of the slips, as of ContactState.
        """
        changes, times = np.vstack([changes, np.zeros(y.size)]), np.append(times, 0.0)
        found = self._at(t, y, changes, times, which, slips)
        return ContactDerivatives(found.gap[:-1], found.speed[:-1], found.J[:-1], found.M[:-1])

    def with_motion(
        self,
        t: float,
        y: np.ndarray,
        changes: np.ndarray,
        rate: np.ndarray,
        which: np.ndarray,
        slips: np.ndarray = NO_SLIPS,
    ) -> ContactDerivatives:
        """The same for changes of the state at this time; one direction more, the last: of its rate (n_y,)."""
        times = np.zeros(self._count)
        times[-1] = 1.0
        return self._at(t, y, np.vstack([changes, rate]), times, which, slips)

    def _at(
        self,
        t: float,
        y: np.ndarray,
        changes: np.ndarray,
        times: np.ndarray,
        which: np.ndarray,
        slips: np.ndarray,
    ) -> ContactDerivatives:
        n, k, own = self._functions.n_free, self._count, self._contacts
        c, n_walls, of_walls = which.size, len(self._walls), own.n_wall_contacts
        gap, speed = np.empty((1 + k, c)), np.zeros((1 + k, c + slips.size))
        J, M = np.zeros((1 + k, c + slips.size, n)), np.empty((1 + k, n, n))
        states, first_joint = np.vstack([y, changes]), own.n * max(own.n_tangents, 1)
        tangent, contact = np.divmod(slips, max(own.n, 1))
        along = (slips < first_joint) & (contact < of_walls)
        numbers = np.concatenate([which, np.where(along, contact, of_walls)])
        of_wall = np.where(numbers < of_walls, numbers % max(n_walls, 1), -1)
        for wall in np.unique(of_wall[of_wall >= 0]) if (of_wall >= 0).any() else [-1]:
            found = self._evaluate(t, y, changes, times, max(int(wall), 0))
            M[:] = found.M
            here = np.flatnonzero(of_wall == wall) if wall >= 0 else np.empty(0, dtype=int)
            row = numbers[here] // max(n_walls, 1) * self._functions.n_walls
            normal = here < c
            gap[:, here[normal]] = found.gap[:, row[normal]]
            speed[:, here[normal]], J[:, here[normal]] = (
                part[:, row[normal]] for part in (found.speed, found.J)
            )
            row = row[~normal] + tangent[here[~normal] - c] * found.gap.shape[1]
            speed[:, here[~normal]], J[:, here[~normal]] = found.slip[:, row], found.J_t[:, row]
        stops, here = self._stops, np.flatnonzero(which >= of_walls)
        of_stops = which[here] - of_walls
        direction = stops.direction[of_stops]
        gap[:, here] = direction * (states[:, stops.position[of_stops]] - self._bounds[:, of_stops])
        speed[:, here], J[0, here] = direction * states[:, stops.rate[of_stops]], stops.J[of_stops]
        here, dry = c + np.flatnonzero(slips >= first_joint), own.dry_joints
        joints = slips[here - c] - first_joint
        speed[:, here], J[0, here] = dry.rates(states)[:, joints], dry.J[joints]
        return ContactDerivatives(gap, speed, J, M)

    def _evaluate(
        self, t: float, y: np.ndarray, changes: np.ndarray, times: np.ndarray, wall: int
    ) -> _Evaluated:
        """What there is with one wall in all places, and its derivatives."""
        f, h = self._bound
        n = self._functions.n_walls
        entries = (
            [np.tile(self._walls[wall], n), self._contacts.soft.flags] if n else [self._contacts.soft.flags]
        )
        flags = np.zeros(self._contacts.soft.flags.size)
        for own in self._wall_changes:
            entries += [np.tile(own[wall], n), flags] if n else [flags]
        states = np.concatenate([y, changes.ravel()])
        parts = f(t, states, np.concatenate([*entries, times, h])).reshape(1 + self._count, -1)
        m, n_free = self._functions.n_points * n, self._functions.n_free
        gap, speed, J, M, slip, J_t = (parts[:, a:b] for a, b in pairwise(accumulate(self._sizes, initial=0)))
        J, J_t = (
            part.reshape(len(parts), n_free, count).swapaxes(1, 2)
            for part, count in ((J, m), (J_t, slip.shape[1]))
        )
        return _Evaluated(gap, speed, J, M.reshape(-1, n_free, n_free), slip, J_t)

    @property
    def _sizes(self) -> list[int]:
        """Numbers of gaps, of their rates, in their Jacobian, in the mass matrix, of slips, and in their Jacobian."""
        f = self._functions
        m, n = f.n_points * f.n_walls, f.n_free
        return [m, m, m * n, n * n, f.n_tangents * m, f.n_tangents * m * n]

    @cached_property
    def _of_impacts(self) -> ca.Function:
        """Of all that is known of contacts what impacts read."""
        f = self._functions
        symbols = f.state.sx_in()
        (out,) = f.state.call(symbols)
        m, n, joints, m_t = f.n_points * f.n_walls, f.n_free, len(f.limited) + len(f.dry), self._sizes[4]
        sizes = [m, m, m, joints, m * n, n * n, m_t, m_t, m_t * n]
        gap, speed, _, _, J, M, slip, _, J_t = ca.vertsplit(out, list(accumulate(sizes, initial=0)))
        return ca.Function("impact_terms", symbols, [ca.vertcat(gap, speed, J, M, slip, J_t)])

    @cached_property
    def _bound(self):
        f = self._functions
        derived = self._model.once(
            ("impact terms", self._count),
            lambda: DirectionalFunction(
                self._of_impacts, self._count, f.n_parameters, f.tables, in_time=True
            ),
        )
        return derived.at(self._parameters)

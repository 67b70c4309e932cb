"""Contacts of points with walls: their gaps, evaluated in groups of walls, and the slots of those that are active.

Contact c = point p against wall w has the number ``c = p n_walls + w``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from flexarm.codegen.native import NativeFunction
from flexarm.codegen.parameter_hoisting import BoundFunction
from flexarm.description.arm.walls import Wall
from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.soft_touch import SoftTouch
from flexarm.simulation.contact.equations.contact_functions import WALLS_AT_ONCE, ContactFunctions, slot_size
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES, WallGap
from flexarm.solvers.events.event_functions import NOWHERE, NativeSource


class WallState(NamedTuple):
    """What one evaluation finds: gaps, their rates and second rates (n,), Jacobian (n, n_free), and what else there is.

    Attributes
    ----------
    limited_dd, dry_dd : (joints with limits,), (joints with dry friction,) [rad/s^2, m/s^2]
        Accelerations of these joints.
    M : (n_free, n_free)
        Mass matrix.
    slip, slip_acceleration, J_t : (n_t, n), (n_t, n), (n_t, n, n_free)
        Velocity along each of the tangents of the walls, its rate and its Jacobian; n_t is 0 without friction.
    """

    gap: np.ndarray
    speed: np.ndarray
    acceleration: np.ndarray
    J: np.ndarray
    limited_dd: np.ndarray
    dry_dd: np.ndarray
    M: np.ndarray
    slip: np.ndarray
    slip_acceleration: np.ndarray
    J_t: np.ndarray


class WallContacts:
    """Contacts of an arm's points with its walls; there may be none of either.

    Attributes
    ----------
    n : int
        Number of contacts.
    """

    def __init__(
        self, functions: ContactFunctions, parameters: np.ndarray, walls: Sequence[Wall], soft: SoftTouch
    ):
        self._functions, self._parameters, self._soft = functions, parameters, soft
        self._walls = np.array([WallGap.of(wall).entries() for wall in walls]).reshape(-1, ENTRIES)
        self.n = functions.n_points * len(walls)
        groups = -(-len(walls) // functions.n_walls) if walls else 1
        # the last group with walls again
        filled = np.arange(groups * functions.n_walls) % max(len(walls), 1)
        self._groups = self._walls[filled].reshape(groups, -1)

    def state(self, t: float, y: np.ndarray) -> WallState:
        """Evaluate at the time t [s] and the state y (n_y,)."""
        f, inputs = self._for_groups(self._state)
        m, n = self._functions.n_points * self._functions.n_walls, self._functions.n_free
        limited, dry = len(self._functions.limited), len(self._functions.dry)
        n_t = self._functions.n_tangents
        m_t = n_t * m
        ends = list(accumulate([m, m, m, limited, dry, m * n, n * n, m_t, m_t, m_t * n], initial=0))
        found = [f(t, y, p) for p in inputs]
        *rates, limited_dd, dry_dd, J, M, slip, slip_dd, J_t = (
            [each[a:b] for each in found] for a, b in pairwise(ends)
        )
        gap, speed, acceleration = (self._of_all(each)[0] for each in rates)
        J = self._of_all([each.reshape(n, m) for each in J]).T
        normal = gap, speed, acceleration, J, limited_dd[0], dry_dd[0], M[0].reshape(n, n)
        if not n_t:
            return WallState(*normal, np.empty((0, self.n)), np.empty((0, self.n)), np.empty((0, self.n, n)))
        slip, slip_dd = (self._of_all([each.reshape(n_t, m) for each in part]) for part in (slip, slip_dd))
        J_t = self._of_all([each.reshape(n * n_t, m) for each in J_t])
        return WallState(*normal, slip, slip_dd, J_t.reshape(n, n_t, self.n).transpose(1, 2, 0))

    def gap_sources(self, is_open: np.ndarray, n: int) -> list[NativeSource]:
        """Gaps and their rates, in machine code, of the contacts that are open (n_contacts,) bool, of n in all."""
        if not self.n or not np.any(is_open):
            return []
        f, inputs = self._for_groups(self._gaps)
        n_points, n_walls = self._functions.n_points, self._functions.n_walls
        found = []
        for group, p in enumerate(inputs):
            wall = group * n_walls + np.arange(n_walls)
            contact = np.arange(n_points)[:, None] * len(self._walls) + wall
            known = (wall < len(self._walls)) & is_open[np.minimum(contact, self.n - 1)]
            gap = np.where(known, contact, NOWHERE).ravel()
            found.append(
                NativeSource(f, p, np.concatenate([gap, np.where(gap == NOWHERE, NOWHERE, n + gap)]))
            )
        return found

    def slots(self, active: np.ndarray, friction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Slot of each of the active contacts (k,) int, (k,) int, and the entries of all slots.

        `friction` (k, ..) says how they rub, see
        :meth:`~flexarm.simulation.contact.constraints.active_contacts.Rubbing.inputs`.

        Raises
        ------
        SolverError
            A point would rest on more walls than it has slots.
        """
        n_slots, (point, wall) = self._functions.n_slots, np.divmod(active, max(len(self._walls), 1))
        rank = [np.count_nonzero(point[:k] == p) for k, p in enumerate(point)]
        if max(rank, default=-1) >= n_slots:
            raise SolverError(f"a point rests on more than {WALLS_AT_ONCE} walls at once")
        taken = point * n_slots + np.array(rank, dtype=np.intp)
        entries = np.zeros((self._functions.n_points * n_slots, slot_size(self._functions.n_tangents)))
        entries[taken, 0], entries[taken, 1 : 1 + ENTRIES] = 1.0, self._walls[wall]
        if self._functions.n_tangents:
            entries[taken, 1 + ENTRIES :] = friction
        return taken, entries.ravel()

    def _of_all(self, groups: Sequence[np.ndarray]) -> np.ndarray:
        """Values of all contacts, (k, n), from those of each group of walls, (.., n_points n_walls)."""
        if len(groups) == 1:
            return groups[0].reshape(-1, self.n) if self.n else np.empty((max(groups[0].shape[0], 1), 0))
        points = self._functions.n_points
        walls = np.concatenate([each.reshape(-1, points, self._functions.n_walls) for each in groups], axis=2)
        return walls[:, :, : len(self._walls)].reshape(-1, self.n)

    @cached_property
    def _gaps(self) -> BoundFunction:
        return self._functions.native_gaps.at(self._parameters)

    @cached_property
    def _state(self) -> BoundFunction:
        return self._functions.native_state.at(self._parameters)

    def _for_groups(self, function: BoundFunction) -> tuple[NativeFunction, list[np.ndarray]]:
        """The function, and its third argument for every group of walls."""
        f, p = function
        return f, [np.concatenate([walls, self._soft.flags, p]) for walls in self._groups]

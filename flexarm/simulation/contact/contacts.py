"""Contacts of one arm, evaluated at its states: gaps, forces, and motion with active contacts as constraints.

Contact c = point p against wall w has the number ``c = p n_walls + w``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.codegen.native import NativeFunction
from flexarm.codegen.parameter_hoisting import BoundFunction, ParametricFunction
from flexarm.description.arm.walls import Wall
from flexarm.errors import SolverError
from flexarm.simulation.contact.contact_dynamics import WALLS_AT_ONCE, ContactFunctions
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.wall_gaps import ENTRIES, WallGap
from flexarm.solvers.base import InitialValueProblem


class _Slots(NamedTuple):
    """The active contacts (k,) int, the slot of each of them (k,) int, and the entries of all slots."""

    active: np.ndarray
    taken: np.ndarray
    entries: np.ndarray


class Contacts:
    """Contacts of one arm.

    Attributes
    ----------
    n, n_free : int
        Number of contacts, and of coordinates that move freely.
    """

    def __init__(self, functions: ContactFunctions, parameters: np.ndarray, walls: Sequence[Wall]):
        self._functions, self._parameters = functions, parameters
        self._walls = np.array([WallGap.of(wall).entries() for wall in walls])
        groups = -(-len(walls) // functions.n_walls)
        filled = self._walls[
            np.arange(groups * functions.n_walls) % len(walls)
        ]  # the last group with walls again
        self._groups = filled.reshape(groups, -1)
        self.n, self.n_free = functions.n_points * len(walls), functions.n_free
        self._slots: _Slots | None = None

    def state(self, t: float, y: np.ndarray) -> ContactState:
        """State of all contacts at the time t [s] and the state y (n_y,)."""
        f, inputs = self._state
        m, n = self._functions.n_points * self._functions.n_walls, self.n_free
        parts = [np.split(f(t, y, p), np.cumsum([m, m, m, m * n])) for p in inputs]
        *rates, J, M = zip(*parts, strict=True)
        gap, speed, acceleration = (self._of_all(each)[0] for each in rates)
        J = self._of_all([each.reshape(n, m) for each in J]).T
        return ContactState(gap, speed, acceleration, J, M[0].reshape(n, n))

    def gaps(self, times: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Gaps [m] and their rates [m/s] at times (k,) and states (k, n_y): (k, 2 n)."""
        f, inputs = self._gaps
        found = [f.map(times, states, p) for p in inputs]
        if len(found) == 1:
            return found[0]
        return self._of_all([each.reshape(2 * len(times), -1) for each in found]).reshape(len(times), -1)

    def constrained_events(self, times: np.ndarray, states: np.ndarray, active: np.ndarray) -> np.ndarray:
        """Forces [N] of the active contacts (k,) int and gaps [m] of the others, then the rates of these, (k, 2 n)."""
        f, p = self._constrained_forces
        slots = self._slots_of(active)
        values = self.gaps(times, states)
        values[:, active] = f.map(times, states, np.concatenate([slots.entries, p]))[:, slots.taken]
        values[:, self.n + active] = 0.0
        return values

    def constrained(self, problem: InitialValueProblem, active: np.ndarray) -> InitialValueProblem:
        """The same problem with the active contacts (k,) int as constraints.

        Raises
        ------
        SolverError
            A point would rest on more walls than it has slots.
        """
        slots = self._slots_of(active).entries
        f, p = self._constrained_rhs
        held = replace(problem, rhs=f, p=np.concatenate([slots, p]))
        if problem.jacobian is None:
            return held
        df, dp = self._constrained_jacobian
        return replace(held, jacobian=BoundFunction(df, np.concatenate([slots, dp])))

    def _of_all(self, groups: Sequence[np.ndarray]) -> np.ndarray:
        """Values of all contacts, (k, n), from those of each group of walls, (.., n_points n_walls)."""
        points = self._functions.n_points
        walls = np.concatenate([each.reshape(-1, points, self._functions.n_walls) for each in groups], axis=2)
        return walls[:, :, : len(self._walls)].reshape(-1, self.n)

    def _slots_of(self, active: np.ndarray) -> _Slots:
        """Slots of the active contacts (k,) int, kept until those of others are asked for."""
        if self._slots is None or not np.array_equal(active, self._slots.active):
            n_slots, (point, wall) = self._functions.n_slots, np.divmod(active, len(self._walls))
            rank = [np.count_nonzero(point[:k] == p) for k, p in enumerate(point)]
            if max(rank, default=0) >= n_slots:
                raise SolverError(f"a point rests on more than {WALLS_AT_ONCE} walls at once")
            taken = point * n_slots + np.array(rank, dtype=np.intp)
            entries = np.zeros((self._functions.n_points * n_slots, 1 + ENTRIES))
            entries[taken] = np.insert(self._walls[wall], 0, 1.0, axis=1)
            self._slots = _Slots(active, taken, entries.ravel())
        return self._slots

    @cached_property
    def _gaps(self) -> tuple[NativeFunction, list[np.ndarray]]:
        """The function, and its third argument for every group of walls."""
        return self._for_groups(self._functions.native_gaps)

    @cached_property
    def _state(self) -> tuple[NativeFunction, list[np.ndarray]]:
        return self._for_groups(self._functions.native_state)

    def _for_groups(self, function: ParametricFunction) -> tuple[NativeFunction, list[np.ndarray]]:
        f, p = function.at(self._parameters)
        return f, [np.concatenate([walls, p]) for walls in self._groups]

    @cached_property
    def _constrained_rhs(self) -> BoundFunction:
        return self._functions.native_constrained_rhs.at(self._parameters)

    @cached_property
    def _constrained_jacobian(self) -> BoundFunction:
        return self._functions.native_constrained_jacobian.at(self._parameters)

    @cached_property
    def _constrained_forces(self) -> BoundFunction:
        return self._functions.native_constrained_forces.at(self._parameters)

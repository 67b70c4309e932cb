"""All unilateral contacts of one arm, evaluated at its states: gaps, forces, motion with active ones as constraints.

Those of points with walls come first, see :mod:`~flexarm.simulation.contact.wall_contacts`; then the stops of joints,
see :mod:`~flexarm.simulation.contact.joint_stops`. Lengths stand for angles where
a joint turns, forces for its torques.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.codegen.parameter_hoisting import BoundFunction
from flexarm.description.arm.arm import Arm
from flexarm.errors import SolverError
from flexarm.simulation.contact.contact_dynamics import ContactFunctions
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.joint_stops import JointStops
from flexarm.simulation.contact.wall_contacts import WallContacts
from flexarm.solvers.base import DeferredJacobian, InitialValueProblem
from flexarm.solvers.events.event_functions import NOWHERE, EventFunctions, NativeSource

GAP_ROUND_OFF, FORCE_ROUND_OFF = 1e-13, 1e-10
"""Gap [m, rad] and force [N, N m] that may be round-off."""


class _Held(NamedTuple):
    """The active contacts (k,) int, where the force of each is (k,) int, and the inputs that say so."""

    active: np.ndarray
    place: np.ndarray
    inputs: np.ndarray


class Contacts:
    """Unilateral contacts of one arm.

    Attributes
    ----------
    n, n_theta, n_free : int
        Number of contacts, and of coordinates that move freely: the first entries of y, and their rates, the last ones.
    restitution : (n,)
        Coefficient of restitution of every contact.
    """

    def __init__(self, functions: ContactFunctions, parameters: np.ndarray, arm: Arm):
        self._functions, self._parameters = functions, parameters
        stops = self._stops = JointStops.of(arm, functions.limited, functions.n_free)
        walls, restitutions = (), ()
        if arm.contact is not None:
            walls, restitutions = arm.contact.walls, arm.contact.restitutions
        self._walls = WallContacts(functions, parameters, walls)
        self.n = self._walls.n + stops.n
        self.n_theta, self.n_free = functions.n_theta, functions.n_free
        self.restitution = np.concatenate([np.tile(restitutions, functions.n_points), stops.restitution])
        self._held: _Held | None = None

    def state(self, t: float, y: np.ndarray) -> ContactState:
        """State of all contacts at the time t [s] and the state y (n_y,).

        Raises
        ------
        SolverError
            Some of it is not finite.
        """
        walls, stops = self._walls.state(t, y), self._stops
        if not all(np.isfinite(part).all() for part in (y, *walls)):
            raise SolverError("the equations have no finite value here")
        rates = y[y.size - self.n_free :]
        return ContactState(
            np.concatenate([walls.gap, stops.gaps(y)]),
            np.concatenate([walls.speed, stops.speeds(y)]),
            np.concatenate([walls.acceleration, stops.direction * walls.limited_dd[stops.slot]]),
            np.concatenate([walls.J, stops.J]),
            walls.M,
            float(rates @ walls.M @ rates) / 2,
        )

    def event_functions(self, active: np.ndarray) -> EventFunctions:
        """Forces [N] of the active contacts (k,) int and gaps [m] of the others, in machine code: events at zero.

        Raises
        ------
        SolverError
            A point would rest on more walls than it has slots.
        """
        n, walls = self.n, self._walls.n
        is_active = np.zeros(n, dtype=bool)
        is_active[active] = True
        natives = self._walls.gap_sources(~is_active[:walls], n)
        if active.size:
            (f, p), held = self._constrained_forces, self._held_by(active)
            places = np.full(f.n_out, NOWHERE)
            places[held.place] = active
            natives.append(NativeSource(f, np.concatenate([held.inputs, p]), places))
        open_stops = np.flatnonzero(~is_active[walls:])
        return EventFunctions(
            natives,
            self._stops.linear(open_stops, walls + open_stops, n),
            np.where(is_active, FORCE_ROUND_OFF, GAP_ROUND_OFF),
            ~is_active,
        )

    def forces(self, times: np.ndarray, states: np.ndarray, active: np.ndarray) -> np.ndarray:
        """Forces [N] of the active contacts (k,) int at times (m,) and states (m, n_y): (m, k)."""
        (f, p), held = self._constrained_forces, self._held_by(active)
        return f.map(times, states, np.concatenate([held.inputs, p]))[:, held.place]

    def constrained(self, problem: InitialValueProblem, active: np.ndarray) -> InitialValueProblem:
        """The same problem with the active contacts (k,) int as constraints.

        Raises
        ------
        SolverError
            A point would rest on more walls than it has slots.
        """
        inputs = self._held_by(active).inputs
        f, p = self._constrained_rhs
        held = replace(problem, rhs=f, p=np.concatenate([inputs, p]))
        if problem.jacobian is None:
            return held

        def jacobian() -> BoundFunction:
            df, dp = self._constrained_jacobian
            return BoundFunction(df, np.concatenate([inputs, dp]))

        return replace(held, jacobian=DeferredJacobian(jacobian))

    def _held_by(self, active: np.ndarray) -> _Held:
        """What the active contacts (k,) int are to the equations, kept until others are asked for."""
        if self._held is None or not np.array_equal(active, self._held.active):
            stop = active >= self._walls.n
            taken, entries = self._walls.slots(active[~stop])
            own = active[stop] - self._walls.n
            directions = np.zeros(len(self._functions.limited))
            directions[self._stops.slot[own]] = self._stops.direction[own]
            place = np.empty(active.size, dtype=np.intp)
            place[~stop] = taken
            place[stop] = self._functions.n_points * self._functions.n_slots + self._stops.slot[own]
            self._held = _Held(active, place, np.concatenate([entries, directions]))
        return self._held

    @cached_property
    def _constrained_rhs(self) -> BoundFunction:
        return self._functions.native_constrained_rhs.at(self._parameters)

    @cached_property
    def _constrained_jacobian(self) -> BoundFunction:
        return self._functions.native_constrained_jacobian.at(self._parameters)

    @cached_property
    def _constrained_forces(self) -> BoundFunction:
        return self._functions.native_constrained_forces.at(self._parameters)

"""All unilateral contacts of one arm, evaluated at its states: gaps, forces, motion with active ones as constraints.

Those of points with walls come first, see :mod:`~flexarm.simulation.contact.wall_contacts`; then the stops of joints,
see :mod:`~flexarm.simulation.contact.joint_stops`. Joints with dry friction, see
:mod:`~flexarm.simulation.contact.dry_joints`, are counted behind them where it is said what rubs: the rate of
such a joint is its slip. Lengths stand for angles where a joint turns, forces for its torques.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.codegen.parameter_hoisting import BoundFunction
from flexarm.description.arm.arm import Arm
from flexarm.errors import SolverError
from flexarm.simulation.contact.active_contacts import SLIDING, ActiveContacts
from flexarm.simulation.contact.contact_dynamics import ContactFunctions
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.dry_joints import DryJoints
from flexarm.simulation.contact.force_places import ForcePlaces
from flexarm.simulation.contact.joint_stops import JointStops
from flexarm.simulation.contact.wall_contacts import WallContacts, WallState
from flexarm.solvers.base import DeferredJacobian, InitialValueProblem
from flexarm.solvers.events.event_functions import NOWHERE, EventFunctions, NativeSource

GAP_ROUND_OFF, FORCE_ROUND_OFF, SLIP_ROUND_OFF = 1e-13, 1e-10, 1e-12
"""Gap [m, rad], force [N, N m] and slip [m/s] that may be round-off."""


class FrictionEvent(NamedTuple):
    """Event function of friction.

    Attributes
    ----------
    kind : str
        "slip", which ends, or begins where something is saturated; "sticking": what is left of a force up to its limit;
        "determinant" of the equations.
    contact : int
        Number of the contact or, from the number of contacts on, of the joint; -1 of a determinant.
    """

    kind: str
    contact: int


class ContactSamples(NamedTuple):
    """Forces [N] along normals and walls, slips [m/s] of k contacts at m times: (m, k) and (m, tangents, k).

    Attributes
    ----------
    joints : (m, d) [N m, N]
        Torques of d joints with dry friction.
    """

    normal: np.ndarray
    tangential: np.ndarray
    slip: np.ndarray
    joints: np.ndarray


class _Held(NamedTuple):
    """The active contacts, where the force of each is (k,) int, and the inputs that say so."""

    key: tuple[bytes, ...]
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
    n_wall_contacts : int
        Contacts of points with walls, which come first.
    n_tangents : int
        Directions along the walls in which forces act: none without friction, two in space.
    dry_joints : DryJoints
        Joints with dry friction.
    kinetic_friction, static_friction : (n,)
        Coefficients of friction.
    """

    def __init__(self, functions: ContactFunctions, parameters: np.ndarray, arm: Arm):
        self._functions, self._parameters = functions, parameters
        stops = self._stops = JointStops.of(arm, functions.limited, functions.n_free)
        self._places = ForcePlaces.of(functions)
        self.dry_joints = DryJoints.of(arm, functions.dry, functions.n_free)
        walls, restitutions = (), ()
        if arm.contact is not None:
            walls, restitutions = arm.contact.walls, arm.contact.restitutions
        self._walls = WallContacts(functions, parameters, walls)
        self.n = self._walls.n + stops.n
        self.n_theta, self.n_free = functions.n_theta, functions.n_free
        self.restitution = np.concatenate([np.tile(restitutions, functions.n_points), stops.restitution])
        self.n_wall_contacts = self._walls.n
        self.n_tangents = functions.n_tangents
        frictions = () if arm.contact is None else arm.contact.frictions
        kinetic = [0.0 if each is None else each.kinetic for each in frictions]
        static = [0.0 if each is None else each.at_rest for each in frictions]
        none = np.zeros(stops.n)
        self.kinetic_friction = np.concatenate([np.tile(kinetic, functions.n_points), none])
        self.static_friction = np.concatenate([np.tile(static, functions.n_points), none])
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
            *self._slips(walls, y),
            max(self.n_tangents, 1),
        )

    def _slips(self, walls: WallState, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slips of all contacts, those of stops none, then of joints; rates and Jacobian. Empty if nothing rubs."""
        if not (self.has_friction or self.dry_joints.n):
            return np.empty(0), np.empty(0), np.empty((0, self.n_free))
        n_t = max(self.n_tangents, 1)
        slip, acceleration, J = (
            np.zeros((n_t, self.n)),
            np.zeros((n_t, self.n)),
            np.zeros((n_t, self.n, self.n_free)),
        )
        for whole, part in ((slip, walls.slip), (acceleration, walls.slip_acceleration), (J, walls.J_t)):
            whole[: self.n_tangents, : self.n_wall_contacts] = part
        joints = self.dry_joints
        return (
            np.concatenate([slip.ravel(), joints.rates(y)]),
            np.concatenate([acceleration.ravel(), walls.dry_dd]),
            np.concatenate([J.reshape(-1, self.n_free), joints.J]),
        )

    def event_functions(self, active: ActiveContacts) -> tuple[EventFunctions, list[FrictionEvent]]:
        """Forces [N] of the active contacts and gaps [m] of the others, in machine code: events at zero.

        Friction adds further ones behind these n: what they are is listed.

        Raises
        ------
        SolverError
            A point would rest on more walls than it has slots.
        """
        n, walls = self.n, self._walls.n
        is_active = np.zeros(n, dtype=bool)
        is_active[active.contacts] = True
        forces, friction = self._force_source(active) if self.acts(active) else (None, [])
        total = n + len(friction)
        natives = self._walls.gap_sources(~is_active[:walls], total)
        if forces is not None:
            natives.append(forces)
        open_stops = np.flatnonzero(~is_active[walls:])
        has_rate = np.append(~is_active, np.zeros(len(friction), dtype=bool))
        functions = EventFunctions(
            natives,
            self._stops.linear(open_stops, walls + open_stops, total),
            np.concatenate(
                [
                    np.where(is_active, FORCE_ROUND_OFF, GAP_ROUND_OFF),
                    [SLIP_ROUND_OFF if each.kind == "slip" else FORCE_ROUND_OFF for each in friction],
                ]
            ),
            has_rate,
        )
        return functions, friction

    def _force_source(self, active: ActiveContacts) -> tuple[NativeSource, list[FrictionEvent]]:
        """Forces of the active contacts as event functions, and those that friction adds."""
        (f, p), held = self._constrained_forces, self._held_by(active)
        events: list[FrictionEvent] = []
        places = np.full(f.n_out, NOWHERE)
        places[held.place] = active.contacts
        source = NativeSource(f, np.concatenate([held.inputs, p]), places)
        at, joints = self._places, np.arange(self.dry_joints.n)
        if not at.slips:
            return source, events
        first_joint = self.n * max(self.n_tangents, 1)
        for rubbing, numbers, own, n_t in (
            (active.friction, active.contacts, held.place, self.n_tangents),
            (active.joints, first_joint + joints, at.wall_margins + joints, 1),
        ):
            for k, number in enumerate(numbers):
                kind = "sticking" if rubbing.sticks[k] else "slip"
                if n_t == 2:  # of lengths: all sides at once
                    sides = int(rubbing.states[k] != SLIDING or rubbing.slips[k]) + int(rubbing.begins[k])
                else:
                    sides = 2 if rubbing.sticks[k] or rubbing.saturated[k] else int(rubbing.slips[k])
                for side in range(sides):
                    places[at.margins + side * at.n_margins + own[k]] = self.n + len(events)
                    events.append(FrictionEvent(kind, int(number)))
        if active.friction.coefficient.any():
            places[-1] = self.n + len(events)
            events.append(FrictionEvent("determinant", -1))
        return source, events

    def forces(self, times: np.ndarray, states: np.ndarray, active: ActiveContacts) -> ContactSamples:
        """Forces [N] of the active contacts at times (m,) and states (m, n_y), and their slips [m/s]: (m, k) each."""
        (f, p), held = self._constrained_forces, self._held_by(active)
        values = f.map(times, states, np.concatenate([held.inputs, p]))
        at, normal = self._places, values[:, held.place]
        joints = values[:, at.friction + at.wall_slips : at.friction + at.slips]
        on_wall = held.place < at.slots
        own = at.friction + np.where(on_wall, held.place, 0) + at.slots * np.arange(self.n_tangents)[:, None]
        return ContactSamples(normal, on_wall * values[:, own], on_wall * values[:, own + at.slips], joints)

    @property
    def has_friction(self) -> bool:
        """Whether there are forces along the walls."""
        return self.n_tangents > 0

    @property
    def accounts_for_impacts(self) -> bool:
        """Whether it is recorded what impacts take: with friction, so that the balance of energies closes."""
        return self.n > 0 and (self.has_friction or self.dry_joints.n > 0)

    def acts(self, active: ActiveContacts) -> bool:
        """Whether the arm moves otherwise than freely: under forces of contacts, or of joints' dry friction."""
        return bool(active.contacts.size) or self.dry_joints.n > 0

    def constrained(self, problem: InitialValueProblem, active: ActiveContacts) -> InitialValueProblem:
        """The same problem with the active contacts as constraints.

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

    def _held_by(self, active: ActiveContacts) -> _Held:
        """What the active contacts are to the equations, kept until others are asked for."""
        if self._held is None or active.key != self._held.key:
            contacts = active.contacts
            stop = contacts >= self._walls.n
            taken, entries = self._walls.slots(
                contacts[~stop], active.friction.inputs(self.n_tangents)[~stop]
            )
            own = contacts[stop] - self._walls.n
            directions = np.zeros(len(self._functions.limited))
            directions[self._stops.slot[own]] = self._stops.direction[own]
            place = np.empty(contacts.size, dtype=np.intp)
            place[~stop] = taken
            place[stop] = self._places.slots + self._stops.slot[own]
            joints = active.joints.inputs(1).ravel()
            self._held = _Held(active.key, place, np.concatenate([entries, directions, joints]))
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

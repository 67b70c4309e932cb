"""The equations of motion of one arm with its active contacts as constraints: motion, forces, events of friction."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.codegen.parameter_hoisting import BoundFunction
from flexarm.simulation.contact.constraints.active_contacts import SLIDING, ActiveContacts
from flexarm.simulation.contact.constraints.joint_stops import JointStops
from flexarm.simulation.contact.constraints.wall_contacts import WallContacts
from flexarm.simulation.contact.equations.contact_functions import ContactFunctions
from flexarm.simulation.contact.equations.force_places import ForcePlaces
from flexarm.solvers.base import DeferredJacobian, InitialValueProblem
from flexarm.solvers.events.event_functions import NOWHERE, NativeSource


class FurtherEvent(NamedTuple):
    """Event function of friction, or of a soft wall.

    Attributes
    ----------
    kind : str
        "slip", which ends, or begins where something is saturated; "sticking": what is left of a force up to its limit;
        "determinant" of the equations; or one of :mod:`~flexarm.simulation.contact.constraints.soft_touch`.
    contact : int
        Number of the contact or, from the number of contacts on, of the joint; -1 of a determinant. Of soft walls that
        among theirs.
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


class HeldContacts:
    """Active contacts of one arm, held by forces.

    Parameters
    ----------
    functions : ContactFunctions
    parameters : (n_parameters,)
    walls : WallContacts
    stops : JointStops
    """

    def __init__(
        self, functions: ContactFunctions, parameters: np.ndarray, walls: WallContacts, stops: JointStops
    ):
        self._functions, self._parameters = functions, parameters
        self._walls, self._stops = walls, stops
        self._places = ForcePlaces.of(functions)
        self._held: _Held | None = None

    def force_source(self, active: ActiveContacts) -> tuple[NativeSource, list[FurtherEvent]]:
        """Forces of the active contacts as event functions, and those that friction adds."""
        (f, p), held = self._constrained_forces, self._held_by(active)
        events: list[FurtherEvent] = []
        places = np.full(f.n_out, NOWHERE)
        places[held.place] = active.contacts
        source = NativeSource(f, np.concatenate([held.inputs, p]), places)
        at, joints = self._places, np.arange(len(self._functions.dry))
        if not at.slips:
            return source, events
        n, n_tangents = self._walls.n + self._stops.n, self._functions.n_tangents
        first_joint = n * max(n_tangents, 1)
        for rubbing, numbers, own, n_t in (
            (active.friction, active.contacts, held.place, n_tangents),
            (active.joints, first_joint + joints, at.wall_margins + joints, 1),
        ):
            for k, number in enumerate(numbers):
                kind = "sticking" if rubbing.sticks[k] else "slip"
                if n_t == 2:  # of lengths: all sides at once
                    sides = int(rubbing.states[k] != SLIDING or rubbing.slips[k]) + int(rubbing.begins[k])
                else:
                    sides = 2 if rubbing.sticks[k] or rubbing.saturated[k] else int(rubbing.slips[k])
                for side in range(sides):
                    places[at.margins + side * at.n_margins + own[k]] = n + len(events)
                    events.append(FurtherEvent(kind, int(number)))
        if active.friction.coefficient.any():
            places[-1] = n + len(events)
            events.append(FurtherEvent("determinant", -1))
        return source, events

    def forces(self, times: np.ndarray, states: np.ndarray, active: ActiveContacts) -> ContactSamples:
        """Forces [N] of the active contacts at times (m,) and states (m, n_y), and their slips [m/s]: (m, k) each."""
        (f, p), held = self._constrained_forces, self._held_by(active)
        return self.samples(f.map(times, states, np.concatenate([held.inputs, p])), active)

    def samples(self, values: np.ndarray, active: ActiveContacts) -> ContactSamples:
        """What is sampled of the active contacts among values (m, n_out) of the equations' forces."""
        at, place = self._places, self._held_by(active).place
        joints = values[:, at.friction + at.wall_slips : at.friction + at.slips]
        on_wall = place < at.slots
        own = (
            at.friction
            + np.where(on_wall, place, 0)
            + at.slots * np.arange(self._functions.n_tangents)[:, None]
        )
        return ContactSamples(
            values[:, place], on_wall * values[:, own], on_wall * values[:, own + at.slips], joints
        )

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

    def free(self, problem: InitialValueProblem, active: ActiveContacts) -> InitialValueProblem:
        """The same problem under the forces of soft walls alone, if there are any."""
        if not active.soft.size:
            return problem
        f, p = self._functions.native_free_rhs.at(self._parameters)
        moved = replace(problem, rhs=f, p=np.concatenate([active.soft, p]))
        if problem.jacobian is None:
            return moved

        def jacobian() -> BoundFunction:
            df, dp = self._functions.native_free_jacobian.at(self._parameters)
            return BoundFunction(df, np.concatenate([active.soft, dp]))

        return replace(moved, jacobian=DeferredJacobian(jacobian))

    def _held_by(self, active: ActiveContacts) -> _Held:
        """What the active contacts are to the equations, kept until others are asked for."""
        if self._held is None or active.key != self._held.key:
            contacts = active.contacts
            stop = contacts >= self._walls.n
            taken, entries = self._walls.slots(
                contacts[~stop], active.friction.inputs(self._functions.n_tangents)[~stop]
            )
            own = contacts[stop] - self._walls.n
            directions = np.zeros(len(self._functions.limited))
            directions[self._stops.slot[own]] = self._stops.direction[own]
            place = np.empty(contacts.size, dtype=np.intp)
            place[~stop] = taken
            place[stop] = self._places.slots + self._stops.slot[own]
            joints = active.joints.inputs(1).ravel()
            self._held = _Held(active.key, place, np.concatenate([entries, directions, joints, active.soft]))
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

"""Variational equations of an arm with contacts on a stretch of smooth motion, for any set of active ones."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.codegen.directional_function import DirectionalFunction
from flexarm.codegen.native import state_jacobian
from flexarm.codegen.parameter_hoisting import BoundFunction, ParametricFunction
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts, KeptForSets, Rubbing
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.equations.contact_functions import slot_size
from flexarm.simulation.contact.recorded_forces import RecordedForces
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES
from flexarm.solvers.events.event_functions import NOWHERE
from flexarm.sweeps.sensitivity.directional import with_derivatives
from flexarm.sweeps.sensitivity.directions.contact_numbers import ContactChanges, FrictionChanges
from flexarm.sweeps.sensitivity.directions.directions import Directions, parameters_of
from flexarm.sweeps.sensitivity.variational_equations import VariationalEquations


class Margin(NamedTuple):
    """An event function at its event: its rate along the motion, and its derivatives (k,) in directions."""

    rate: float
    changes: np.ndarray


class _Inputs(NamedTuple):
    """What says to the equations which contacts are held: values (n_inputs,), derivatives (k, n_inputs), event places.

    Places (n_out,) int are those of the events among the forces, see
    :meth:`~flexarm.simulation.contact.constraints.held_contacts.HeldContacts.force_source`.
    """

    values: np.ndarray
    changes: np.ndarray
    places: np.ndarray


class StretchEquations:
    """Equations of motion with their derivatives in k directions, between events.

    Of forces a further direction is evaluated with them, that of the motion.

    Parameters
    ----------
    found : Directions
    equations : VariationalEquations
        Of the free motion.
    contacts : Contacts
    changes : ContactChanges
    """

    def __init__(
        self, found: Directions, equations: VariationalEquations, contacts: Contacts, changes: ContactChanges
    ):
        self._model, self._functions = found.model, found.model.contacts
        self._equations, self._contacts, self._changes = equations, contacts, changes
        self._count, self._parameters = len(found.scales), parameters_of(found)
        self._recorded = RecordedForces(contacts)
        self._known: KeptForSets[_Inputs] = KeptForSets()

    @property
    def n_forces(self) -> int:
        """Numbers that are recorded of contacts."""
        return self._recorded.size

    def rhs(self, active: ActiveContacts) -> BoundFunction:
        """Variational equations, and what they read."""
        if self._contacts.acts(active):
            return self._with_inputs(self._constrained, active)
        if active.soft.size:
            return self._with_flags(self._free, active)
        return self._without_contacts

    def jacobian(self, active: ActiveContacts) -> BoundFunction:
        """Their Jacobian."""
        if self._contacts.acts(active):
            return self._with_inputs(self._constrained_jacobian.at(self._parameters), active)
        if active.soft.size:
            return self._with_flags(self._free_jacobian.at(self._parameters), active)
        return self._equations.jacobian.at(self._parameters)

    def rate(self, t: float, y: np.ndarray, active: ActiveContacts) -> np.ndarray:
        """Rate of the state (n_y,) at a time [s]."""
        f, p = self.rhs(active)
        return f(t, np.concatenate([y, np.zeros(self._count * y.size)]), p)[: y.size]

    def forces(self, times: np.ndarray, states: np.ndarray, active: ActiveContacts) -> np.ndarray:
        """Derivatives (m, k, n_forces) of what is recorded of contacts, at states with derivatives (m, n_y (1 + k))."""
        if not self._contacts.acts(active):
            return np.zeros((len(times), self._count, self.n_forces))
        f, p = self._forces(active)
        still = np.zeros((len(times), states.shape[1] // (self._count + 1)))
        values = np.split(f.map(times, np.hstack([states, still]), p), self._count + 2, axis=1)[1:-1]
        held = self._contacts.held
        return np.stack(
            [self._recorded.of_samples(held.samples(one, active), active) for one in values], axis=1
        )

    def margin(self, t: float, y: np.ndarray, S: np.ndarray, active: ActiveContacts, number: int) -> Margin:
        """Event function of friction with this number, at a state (n_y,) with derivatives (k, n_y)."""
        place = np.flatnonzero(self._inputs(active).places == number)[0]
        f, p = self._forces(active)
        found = f(t, np.concatenate([y, S.ravel(), self.rate(t, y, active)]), p)
        values = found.reshape(self._count + 2, -1)[:, place]
        return Margin(float(values[-1]), values[1:-1])

    def _forces(self, active: ActiveContacts) -> BoundFunction:
        """Forces with derivatives in k + 1 directions, the last of which has a part of 1 in time."""
        f, h = self._constrained_forces
        values, changes, _ = self._inputs(active)
        last = np.zeros(values.size + self._count + 1)
        last[-1] = 1.0
        return BoundFunction(f, np.concatenate([values, changes.ravel(), last, h]))

    # -- what the equations read --------------------------------------------------------------------------------

    def _with_inputs(self, bound: BoundFunction, active: ActiveContacts) -> BoundFunction:
        """A function of held contacts with what says which they are, and its derivatives."""
        values, changes, _ = self._inputs(active)
        return BoundFunction(bound.f, np.concatenate([values, changes.ravel(), bound.h]))

    def _inputs(self, active: ActiveContacts) -> _Inputs:
        """What says which contacts are held, kept for some sets of them."""
        known = self._known.get(active.key)
        if known is None:
            source = self._contacts.held.force_source(active)[0]
            n_inputs = self._functions.constrained_rhs.numel_in(2) - self._functions.n_parameters
            changes = self._input_changes(active, source.places, n_inputs)
            known = self._known[active.key] = _Inputs(source.p[:n_inputs], changes, source.places)
        return known

    def _input_changes(self, active: ActiveContacts, places: np.ndarray, n_inputs: int) -> np.ndarray:
        """Derivatives (k, n_inputs) of the inputs: of walls in the slots, of coefficients of friction.

        A coefficient is that of kinetic friction, with a sign, where something slips, and a bound that of static
        friction where something sticks; see
        :meth:`~flexarm.simulation.contact.constraints.active_contacts.Rubbing.inputs`.
        """
        own, changes = self._changes, np.zeros((self._count, n_inputs))
        n_slots, size = (
            self._functions.n_points * self._functions.n_slots,
            slot_size(self._functions.n_tangents),
        )
        order = {int(contact): k for k, contact in enumerate(active.contacts)}
        rubs = self._functions.n_tangents > 0
        for slot in np.flatnonzero(places[:n_slots] != NOWHERE):
            contact, first = int(places[slot]), slot * size + 1
            changes[:, first : first + ENTRIES] = own.walls[:, contact % own.walls.shape[1]]
            if rubs:
                own_friction = active.friction.of(np.array([order[contact]]))
                here = slice(first + ENTRIES + 1, first + ENTRIES + 3)
                changes[:, here] = _coefficients(own_friction, own.friction.of([contact]))
        first = n_slots * size + len(self._functions.limited)
        for k in range(active.joints.sticks.size):
            here = slice(first + 3 * k + 1, first + 3 * k + 3)
            changes[:, here] = _coefficients(active.joints.of(np.array([k])), own.joints.of([k]))
        return changes

    def _with_flags(self, bound: BoundFunction, active: ActiveContacts) -> BoundFunction:
        f, h = bound
        return BoundFunction(f, np.concatenate([active.soft, np.zeros(self._count * active.soft.size), h]))

    # -- machine code -------------------------------------------------------------------------------------------

    @cached_property
    def _without_contacts(self) -> BoundFunction:
        return self._equations.rhs.at(self._parameters)

    @cached_property
    def _constrained(self) -> BoundFunction:
        return self._derived(self._functions.constrained_rhs).at(self._parameters)

    @cached_property
    def _constrained_forces(self) -> BoundFunction:
        own, count = self._functions, self._count + 1
        derived = self._model.once(
            ("forces and their rates", count),
            lambda: DirectionalFunction(
                own.constrained_forces, count, own.n_parameters, own.tables, in_time=True
            ),
        )
        return derived.at(np.concatenate([self._parameters, np.zeros(own.n_parameters)]))

    @cached_property
    def _constrained_jacobian(self) -> ParametricFunction:
        return self._derived_by_state(self._functions.constrained_rhs)

    @cached_property
    def _free(self) -> BoundFunction:
        return self._derived(self._functions.free_rhs).at(self._parameters)

    @cached_property
    def _free_jacobian(self) -> ParametricFunction:
        return self._derived_by_state(self._functions.free_rhs)

    def _derived(self, f: ca.Function) -> DirectionalFunction:
        own = self._functions
        return self._model.once(
            (f.name(), self._count),
            lambda: DirectionalFunction(f, self._count, own.n_parameters, own.tables),
        )

    def _derived_by_state(self, f: ca.Function) -> ParametricFunction:
        own = self._functions

        def make() -> ParametricFunction:
            derived = state_jacobian(with_derivatives(f, self._count, own.n_parameters))
            return ParametricFunction(derived, own.n_parameters * (self._count + 1), own.tables)

        return self._model.once((f.name(), "by state", self._count), make)


def _coefficients(rubs: Rubbing, changes: FrictionChanges) -> np.ndarray:
    """Changes (k, 2) of the coefficient and the bound of one contact or joint."""
    coefficient = np.where(rubs.saturated, changes.static, changes.kinetic) * np.sign(rubs.coefficient)
    return np.hstack([np.where(rubs.sticks, 0.0, coefficient), rubs.sticks * changes.static])

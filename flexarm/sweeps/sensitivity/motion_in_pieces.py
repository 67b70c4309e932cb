"""Motion with contacts, with its derivatives: the variational equations between impacts, and jumps at these."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import casadi as ca
import numpy as np

from flexarm.catalogue import METHODS
from flexarm.codegen.directional_function import DirectionalFunction
from flexarm.codegen.native import state_jacobian
from flexarm.codegen.parameter_hoisting import BoundFunction, ParametricFunction
from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.contact.constraints.active_contacts import NONE_ACTIVE, ActiveContacts
from flexarm.simulation.contact.event_driven import SOFT_TOLERANCE
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES
from flexarm.simulation.forward.motion_with_contact import ContactRun, prepare_motion_with_contact
from flexarm.simulation.forward.run import sample_count, sample_times
from flexarm.solvers.base import DeferredJacobian, InitialValueProblem, start
from flexarm.solvers.events.event_functions import NOWHERE
from flexarm.sweeps.sensitivity.contact_derivatives import DifferentiatedContacts
from flexarm.sweeps.sensitivity.directional import with_derivatives
from flexarm.sweeps.sensitivity.directions import Directions, parameters_of
from flexarm.sweeps.sensitivity.event_log import LoggedIntegration, Stretch
from flexarm.sweeps.sensitivity.saltation import Saltation
from flexarm.sweeps.sensitivity.variational_equations import (
    Series,
    integrated,
    variational_equations,
)


class MotionInPieces:
    """The motion of an arm with contacts, simulated already, and its derivatives, stretch by stretch.

    Parameters
    ----------
    found : Directions
    """

    def __init__(self, found: Directions):
        arm, model = found.instance.arm, found.model
        self._found, self._count = found, len(found.scales)
        self.equations = variational_equations(found)
        self.run: ContactRun = prepare_motion_with_contact(arm, model=model, integration=LoggedIntegration)
        assert isinstance(self.run.integration, LoggedIntegration)
        self._log = self.run.integration
        self._functions, self._contacts = model.contacts, self._log.contacts
        self._differentiated = DifferentiatedContacts(self._functions, self._contacts, found)
        rhs = model.state_equation.native_rhs.at(found.instance.parameters)
        self._saltation = Saltation(arm, self._contacts, self._differentiated, self._rate, rhs)
        self._tolerances = arm.run.rtol, arm.run.atol

    def observed(self, times: np.ndarray, progress: Progress | None = None) -> list[Series]:
        """Datasets (m, ..) at times (m,) [s], then their derivatives, times the scales.

        Raises
        ------
        ModelError
            There is no derivative through some impact.
        SolverError
            The integration failed.
        """
        integration = self.run.integration
        states = integrated(integration, times, self._found.instance.arm.name, progress)
        within, whole = integration.problem.within(times), states[:, None]
        if self._count:
            beside = np.concatenate(self.derivatives(within), axis=2)
            whole = np.concatenate([whole, beside], axis=1)
        return self.equations.observe(self._found, within, whole.reshape(len(times), -1))

    def derivatives(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the states (m, k, n_y) at times (m,) [s], and of the contacts' forces, (m, k, n_forces).

        Raises
        ------
        ModelError
            There are none through some impact.
        SolverError
            The integration failed.
        """
        n, k = self._found.y0.size, self._count
        states = np.empty((times.size, k, n))
        forces = np.zeros((times.size, k, self._log.problem.y0.size - n))
        S, active, done = self._found.states, NONE_ACTIVE, 0
        stretches = [*self._log.stretches, None]
        for stretch, following in pairwise(stretches):
            assert stretch is not None
            if done == times.size:
                break
            S = self._saltation.across(stretch, active, S)
            active = stretch.active
            end = min(stretch.end, np.inf if following is None else following.t)
            stop = done + int(np.searchsorted(times[done:], end, side="right"))
            here = times[done:stop]
            to_end = stop < times.size
            asked = np.append(here, end) if to_end else here
            if end > stretch.t or here.size:
                found = self._integrated(stretch, S, asked, end)
                states[done:stop] = found[: here.size, n:].reshape(-1, k, n)
                if active.contacts.size and here.size:
                    forces[done:stop] = self._forces(here, found[: here.size], active)
                S = found[-1, n:].reshape(k, n)
            done = stop
        if done < times.size:
            raise SolverError(f"{self._found.instance.arm.name}: stopped at t = {times[done - 1]:.4g} s")
        return states, forces

    def _integrated(self, stretch: Stretch, S: np.ndarray, times: np.ndarray, end: float) -> np.ndarray:
        """States and their derivatives (m, n_y (1 + k)) at times (m,) [s] of a stretch."""
        y0 = np.concatenate([stretch.y, S.ravel()])
        if end <= stretch.t:
            return np.tile(y0, (times.size, 1))
        run = self._found.instance.arm.run
        f, p = self._equations(stretch.active)
        factor = SOFT_TOLERANCE if self._contacts.soft.n and stretch.active.soft.any() else 1.0
        rtol, atol = (factor * each for each in self._tolerances)
        problem = InitialValueProblem(
            f, stretch.t, y0, p, rtol=rtol, atol=atol, step=run.step, max_steps=run.max_steps,
            max_step=stretch.max_step, end=end,
        )  # fmt: skip
        if METHODS[run.method].needs_jacobian:
            problem = replace(problem, jacobian=DeferredJacobian(lambda: self._jacobian(stretch.active)))
        return integrated(start(run.method, problem), times, self._found.instance.arm.name)

    # -- the equations of a stretch ----------------------------------------------------------------------------

    def _rate(self, t: float, y: np.ndarray, active: ActiveContacts) -> np.ndarray:
        """Rate of the state (n_y,)."""
        f, p = self._equations(active)
        return f(t, np.concatenate([y, np.zeros(self._count * y.size)]), p)[: y.size]

    def _equations(self, active: ActiveContacts) -> BoundFunction:
        """Variational equations of a stretch, and what they read."""
        if active.contacts.size:
            return self._with_inputs(self._constrained.at(self._parameters), active)
        if active.soft.size:
            return self._with_flags(self._free.at(self._parameters), active)
        return self.equations.rhs.at(self._parameters)

    def _jacobian(self, active: ActiveContacts) -> BoundFunction:
        if active.contacts.size:
            return self._with_inputs(self._constrained_jacobian.at(self._parameters), active)
        if active.soft.size:
            return self._with_flags(self._free_jacobian.at(self._parameters), active)
        return self.equations.jacobian.at(self._parameters)

    def _forces(self, times: np.ndarray, states: np.ndarray, active: ActiveContacts) -> np.ndarray:
        """Derivatives (m, k, n_forces) of the forces of active contacts."""
        f, p = self._with_inputs(self._constrained_forces.at(self._parameters), active)
        values = f.map(times, states, p).reshape(len(times), self._count + 1, -1)[:, 1:]
        places = self._places(active)
        forces = np.zeros((len(times), self._count, self._log.problem.y0.size - self._found.y0.size))
        known = places != NOWHERE
        forces[:, :, places[known]] = values[:, :, known]
        return forces

    def _places(self, active: ActiveContacts) -> np.ndarray:
        """Contact of each output of the forces."""
        return self._contacts.held.force_source(active)[0].places

    def _with_inputs(self, bound: BoundFunction, active: ActiveContacts) -> BoundFunction:
        """A function of held contacts with what says which they are, and its derivatives."""
        f, h = bound
        source = self._contacts.held.force_source(active)[0]
        n_inputs = self._functions.constrained_rhs.numel_in(2) - self._functions.n_parameters
        inputs, walls = source.p[:n_inputs], self._differentiated.changes.walls
        changes = np.zeros((self._count, n_inputs))
        n_slots = self._functions.n_points * self._functions.n_slots
        size = n_inputs if not n_slots else self._slot_size
        for place, contact in enumerate(source.places[:n_slots]):
            if contact != NOWHERE:
                first = place * size + 1
                changes[:, first : first + ENTRIES] = walls[:, contact % walls.shape[1]]
        return BoundFunction(f, np.concatenate([inputs, changes.ravel(), h]))

    def _with_flags(self, bound: BoundFunction, active: ActiveContacts) -> BoundFunction:
        f, h = bound
        return BoundFunction(f, np.concatenate([active.soft, np.zeros(self._count * active.soft.size), h]))

    @property
    def _slot_size(self) -> int:
        return 1 + ENTRIES

    @cached_property
    def _parameters(self) -> np.ndarray:
        return parameters_of(self._found)

    @cached_property
    def _constrained(self) -> DirectionalFunction:
        return self._derived(self._functions.constrained_rhs)

    @cached_property
    def _constrained_forces(self) -> DirectionalFunction:
        return self._derived(self._functions.constrained_forces)

    @cached_property
    def _constrained_jacobian(self) -> ParametricFunction:
        return self._derived_by_state(self._functions.constrained_rhs)

    @cached_property
    def _free(self) -> DirectionalFunction:
        return self._derived(self._functions.free_rhs)

    @cached_property
    def _free_jacobian(self) -> ParametricFunction:
        return self._derived_by_state(self._functions.free_rhs)

    def _derived(self, f: ca.Function) -> DirectionalFunction:
        own = self._functions
        return self._found.model.once(
            (f.name(), self._count), lambda: DirectionalFunction(f, self._count, own.n_parameters, own.tables)
        )

    def _derived_by_state(self, f: ca.Function) -> ParametricFunction:
        own = self._functions

        def make() -> ParametricFunction:
            derived = state_jacobian(with_derivatives(f, self._count, own.n_parameters))
            return ParametricFunction(derived, own.n_parameters * (self._count + 1), own.tables)

        return self._found.model.once((f.name(), "by state", self._count), make)


def pieces_with_derivatives(
    found: Directions, progress: Progress | None = None
) -> tuple[np.ndarray, Series, list[Series], ContactRun]:
    """Simulate an arm with contacts, then its derivatives; see :func:`run_with_derivatives`.

    Raises
    ------
    ModelError
        There is no derivative through some impact.
    SolverError
        The integration failed.
    """
    motion, arm = MotionInPieces(found), found.instance.arm
    times = sample_times(arm, 0, sample_count(arm))
    values, *derivatives = motion.observed(times, progress)
    motion.run.status, motion.run.message = "complete", ""
    return times, values, derivatives, motion.run

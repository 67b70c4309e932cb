"""The integration of an arm with unilateral contacts: free motion, impacts and active contacts, one after the other."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.active_contacts import ActiveContacts
from flexarm.simulation.contact.active_set import (
    RESTING_SPEED,
    has_drifted,
    inelastic_jump,
    persistent_contacts,
    project_onto_constraints,
)
from flexarm.simulation.contact.contact_law import ContactLaw, Jammed
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.contacts import Contacts, FrictionEvent
from flexarm.simulation.contact.gap_functions import CONTACT_GAP
from flexarm.simulation.contact.impacts import Impact, resolve_impact
from flexarm.solvers.base import TIME_SLICE, ChangeOver, Failure, InitialValueProblem, Integration, Jump
from flexarm.solvers.compiled.time_slices import StepBudget
from flexarm.solvers.events.location import EventIntegration, start_to_events

STEPS_BETWEEN_PROJECTIONS = 64
"""Steps with active contacts after which the state is projected onto their walls."""
UNLIMITED = 2**62
MOST_SETS = 16
"""Sets of active contacts whose integrations are kept."""
MOST_AT_ONCE = 1000
"""Impacts in one instant after which the run gives up."""
MOST_EVENTS = 100_000
"""Impacts and releases after which the run gives up, some minutes; bursts of soft links take hundreds or thousands."""
LATER = tuple(10.0**k for k in range(-8, -3))
"""Times [s] behind a breakaway at which it is looked what follows, one after the other."""


class _Motion(NamedTuple):
    """Smooth motion with one set of active contacts: its integration, and the events that friction adds to others."""

    run: EventIntegration
    problem: InitialValueProblem
    friction: list[FrictionEvent]


class EventDrivenIntegration(Integration):
    """Event-driven integration of an arm with unilateral contacts; its states are followed by the contacts' forces.

    Attributes
    ----------
    impacts : list of Impact
        In the order of time; the last steps may have found some beyond the last sample.

    Notes
    -----
    Between events the arm is a smooth system with the active contacts as constraints. Events are gaps that close and
    forces that vanish, with friction also slips that end and forces that reach the limit of sticking; at each of them
    impacts are resolved and the active contacts are found anew [AcaryBrogliato2008].
    """

    def __init__(self, method: str, problem: InitialValueProblem, contacts: Contacts, law: ContactLaw):
        self._method, self._free, self._contacts, self._law = method, problem, contacts, law
        n_walls = contacts.n_wall_contacts if contacts.has_friction else 0
        forces = np.zeros(contacts.n + 3 * n_walls + contacts.has_friction)
        super().__init__(
            replace(problem, y0=np.append(problem.y0, forces), jump=_beside(problem.jump, forces.size))
        )
        self.impacts: list[Impact] = []
        self.steps = self.rejected = self.evaluations = 0
        self._energy_lost = 0.0
        self._active = ActiveContacts.frictionless(np.empty(0, dtype=np.intp))
        self._runs: dict[tuple[bytes, ...], _Motion] = {}
        self._motion: _Motion | None = None
        self._left, self._budget = 0, StepBudget()
        self._events = 0
        self._continue(problem.t0, problem.y0)

    @property
    def n_contacts(self) -> int:
        """Number of unilateral contacts."""
        return self._contacts.n

    @property
    def has_friction(self) -> bool:
        """Whether there are forces along the walls."""
        return self._contacts.has_friction

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return self._free.t0 if self._motion is None else self._motion.run.t

    # -- samples ---------------------------------------------------------------------------------------------

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        pieces, done, began = [np.empty((0, self.problem.y0.size))], 0, perf_counter()
        while done < times.size and self.failure is None and perf_counter() - began < TIME_SLICE:
            pieces.append(self._advance_to_event(times[done:]))
            done += len(pieces[-1])
        return np.concatenate(pieces)

    def _restart(self, problem: InitialValueProblem) -> None:
        n = self._free.y0.size
        self._free = replace(self._free, t0=problem.t0, y0=problem.y0[:n], end=problem.end)
        self._continue(self._free.t0, self._free.y0)

    # -- from event to event ---------------------------------------------------------------------------------

    def _advance_to_event(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Take some steps; return the states at the first of the sample times, and go on from an event beyond them."""
        assert self._motion is not None  # an integration that has not started has failed
        run, friction = self._motion.run, self._motion.friction
        steps, rejected, evaluations = run.steps, run.rejected, run.evaluations
        budget, began = min(self._left, self._budget.steps), perf_counter()
        y = run.advance(times, budget)
        taken = run.steps - steps
        if taken == budget == self._budget.steps:
            self._budget.adapt(perf_counter() - began)
        self.steps += taken
        self.rejected += run.rejected - rejected
        self.evaluations += run.evaluations - evaluations
        self._left -= taken
        if run.change_over is not None and self.change_over is None:
            self._change_over(run, run.change_over)
        self.failure, event = run.failure, run.event
        states = self._with_forces(times, y)
        if event is not None:
            self._events += 1
            beyond = event.index - self._contacts.n
            self._continue(event.time, run.y.copy(), event.index, friction[beyond] if beyond >= 0 else None)
        elif self._left <= 0 and self._active.contacts.size and self.failure is None:
            self._left = STEPS_BETWEEN_PROJECTIONS
            self._correct_drift(run)
        return states

    def _change_over(self, run: EventIntegration, found: ChangeOver) -> None:
        """Have the other sets of active contacts start with the method that has taken over."""
        self.change_over = found._replace(steps=self.steps)
        self._method = found.method
        self._runs = {key: each for key, each in self._runs.items() if each is run}

    def _with_forces(self, times: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """States (k, n) at the first of the times, followed by the forces of the contacts."""
        states = np.zeros((len(y), self.problem.y0.size))
        if len(y):
            n = y.shape[1]
            states[:, :n] = y
            if self._contacts.has_friction:
                states[:, -1] = self._energy_lost
            active = self._active
            if active.contacts.size:
                normal, tangential, slip = self._contacts.forces(times[: len(y)], y, active)
                states[:, n + active.contacts] = normal
                if self._contacts.has_friction:
                    of_walls = active.contacts < self._contacts.n_wall_contacts
                    first = n + self._contacts.n + active.contacts[of_walls]
                    for k, values in enumerate((tangential, slip, np.tile(active.states, (len(y), 1)))):
                        states[:, first + k * self._contacts.n_wall_contacts] = values[:, of_walls]
        return states

    def _correct_drift(self, run: EventIntegration) -> None:
        """Go on from a state on the walls of the active contacts, if this one is not."""
        t, y = run.t, run.y.copy()
        try:
            if has_drifted(self._contacts.state(t, y), self._active):
                run.move(self._projected(t, y, self._active.contacts, self._active.sticking))
        except (SolverError, np.linalg.LinAlgError) as error:
            self._fail(t, error)

    # -- at an event -----------------------------------------------------------------------------------------

    def _continue(
        self,
        t: float,
        y: NDArray[np.float64],
        index: int | None = None,
        friction: FrictionEvent | None = None,
    ) -> None:
        """Resolve impacts, find the active contacts, without one whose force has vanished, and go on from there."""
        released = index if index in self._active.contacts else None
        try:
            y, self._active = self._resolve_impacts(t, y, released, friction)
        except (SolverError, np.linalg.LinAlgError) as error:
            self._fail(t, error)
            return
        if self._events > MOST_EVENTS:
            self.failure = Failure(
                t,
                f"more than {MOST_EVENTS} impacts and releases",
                "lower the restitution or the duration; a joint that hardly has inertia bounces ever more often: "
                "give it that of a motor",
            )
            return
        self._start(t, y)

    def _fail(self, t: float, error: Exception) -> None:
        """Fail because of what the linear algebra of contacts cannot do."""
        reason = (
            str(error) if isinstance(error, SolverError) else "the equations of the contacts have no solution"
        )
        self.failure = Failure(t, reason, "check the walls, limits and drives at this time")

    def _start(self, t: float, y: NDArray[np.float64]) -> None:
        """Start steps at a time and a state, up to the end of the present interval."""
        left = self._free.max_steps - self.steps - self.rejected
        motion = self._runs.get(self._active.key)
        if motion is not None:
            motion.run.restart(t, y, self._free.end, left)
        else:
            problem = replace(self._free, t0=t, y0=y, max_steps=left)
            if self._active.contacts.size:
                problem = self._contacts.constrained(problem, self._active)
            if len(self._runs) == MOST_SETS:
                self._runs.clear()
            functions, friction = self._contacts.event_functions(self._active)
            run = start_to_events(self._method, problem, functions)
            motion = self._runs[self._active.key] = _Motion(run, problem, friction)
            self.evaluations += run.evaluations
        self._motion, self.failure = motion, motion.run.failure
        self._left = STEPS_BETWEEN_PROJECTIONS if self._active.contacts.size else UNLIMITED

    def _resolve_impacts(
        self, t: float, y: NDArray[np.float64], released: int | None, friction: FrictionEvent | None
    ) -> tuple[NDArray[np.float64], ActiveContacts]:
        """State after all impacts of this instant, and the contacts that are active from here on."""
        for _ in range(MOST_AT_ONCE):
            state = self._contacts.state(t, y)
            closed = np.flatnonzero(state.gap <= CONTACT_GAP)
            if not np.any(state.speed[closed] < -RESTING_SPEED):
                closed = persistent_contacts(state, closed)
                try:
                    return self._activate(t, y, state, closed, released, friction)
                except Jammed:
                    y = self._projected(t, y, closed, closed[:0])
                    state = self._contacts.state(t, y)
            released = friction = None
            impact, jump = resolve_impact(t, state, closed, self._law)
            self.impacts.append(impact)
            self._energy_lost += impact.energy_lost.sum()
            y = _with_jump(y, jump)
        raise SolverError(f"more than {MOST_AT_ONCE} impacts in one instant")

    def _activate(
        self,
        t: float,
        y: NDArray[np.float64],
        state: ContactState,
        persistent: NDArray[np.intp],
        released: int | None,
        friction: FrictionEvent | None,
    ) -> tuple[NDArray[np.float64], ActiveContacts]:
        """State with persistent contacts exactly closed, and those of them that are active."""
        if not persistent.size:
            return y, ActiveContacts.frictionless(persistent)
        y = _with_jump(y, inelastic_jump(state, persistent))
        y, before = self._projected(t, y, persistent, self._law.at_rest(state, persistent)), state
        state = self._contacts.state(t, y)
        self._energy_lost += before.kinetic_energy - state.kinetic_energy
        remaining = persistent[persistent != released]
        if friction is not None and friction.kind == "sticking":
            return y, self._broken_away(t, y, state, remaining, friction.contact)
        return y, self._law.active(state, remaining)

    def _broken_away(
        self,
        t: float,
        y: NDArray[np.float64],
        state: ContactState,
        persistent: NDArray[np.intp],
        contact: int,
    ) -> ActiveContacts:
        """Active contacts behind the instant in which a force reaches the limit of sticking.

        At the instant itself the slip has no acceleration yet, so that the contact might stick as well; what
        it does is decided by a state a little later, on the motion so far.
        """
        assert self._motion is not None
        problem = self._motion.problem
        rate = problem.rhs(t, y, problem.p)
        at_rest = self._law.at_rest(state, persistent)
        for later in LATER:
            beyond = self._contacts.state(t + later, y + later * rate)
            active = self._law.active(beyond, persistent, at_rest)
            if np.any(active.slips[active.contacts == contact]):
                break
        return active

    def _projected(
        self, t: float, y: NDArray[np.float64], closed: NDArray[np.intp], sticking: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        n_theta, n_before = self._contacts.n_theta, y.size - self._contacts.n_free

        def shift(y: NDArray[np.float64], change: NDArray[np.float64]) -> NDArray[np.float64]:
            moved = self._free.rhs(t, np.concatenate([y[:n_before], change]), self._free.p)
            return np.concatenate([y[:n_theta] + moved[:n_theta], y[n_theta:]])

        return project_onto_constraints(lambda y: self._contacts.state(t, y), shift, y, closed, sticking)


def _beside(jump: Jump | None, n_forces: int) -> Jump | None:
    """A jump of the state, for states that the contacts' forces follow."""
    if jump is None:
        return None
    return lambda k, y: np.append(jump(k, y[: y.size - n_forces]), y[y.size - n_forces :])


def _with_jump(y: NDArray[np.float64], jump: NDArray[np.float64]) -> NDArray[np.float64]:
    """The state with a jump of its rates, which are its last entries."""
    y = y.copy()
    y[y.size - jump.size :] += jump
    return y

"""The integration of an arm with unilateral contacts: free motion, impacts and active contacts, one after the other."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.catalogue import METHODS
from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.active_contacts import NONE_ACTIVE, ActiveContacts, KeptForSets
from flexarm.simulation.contact.constraints.active_set import has_drifted
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.constraints.held_contacts import FurtherEvent
from flexarm.simulation.contact.constraints.soft_touch import FACTOR, GAP
from flexarm.simulation.contact.contact_law import ContactLaw
from flexarm.simulation.contact.event_resolution import EventResolution, TornAway
from flexarm.simulation.contact.impacts import Impact
from flexarm.simulation.contact.recorded_forces import RecordedForces
from flexarm.simulation.contact.touches import TOUCH_REMEDY, Touch, TouchList
from flexarm.solvers.base import TIME_SLICE, ChangeOver, Failure, InitialValueProblem, Integration, Jump
from flexarm.solvers.compiled.time_slices import StepBudget
from flexarm.solvers.events.location import EventIntegration, start_to_events

STEPS_BETWEEN_PROJECTIONS = 64
"""Steps with active contacts after which the state is projected onto their walls."""
SOFT_TOLERANCE = 0.1
"""Part of the tolerances with which steps in soft walls are taken: at the surface the force bends, as d^1.5 does, where
steps of high order are no better than those of low order, and the estimates of their errors too small."""
UNLIMITED = 2**62
ADAPTIVE = "dop853"
"""Method that takes the place of one of fixed step where that cannot follow."""
MOST_EVENTS = 100_000
"""Impacts, releases and touches after which the run gives up, some minutes; soft links take hundreds or thousands."""
BOUNCING_REMEDY = (
    "lower the restitution or the duration; a joint that hardly has inertia bounces ever more often: give it that of a "
    "motor"
)


class _Motion(NamedTuple):
    """Smooth motion with one set of active contacts: its integration, and events besides gaps and normal forces."""

    run: EventIntegration
    problem: InitialValueProblem
    further: list[FurtherEvent]


class EventDrivenIntegration(Integration):
    """Event-driven integration of an arm with unilateral contacts; its states are followed by the contacts' forces.

    Notes
    -----
    Between events the arm is a smooth system with the active contacts as constraints, and the same points in soft
    walls. Events are gaps that close and forces that vanish, with friction also slips that end and forces that reach
    the limit of sticking, of walls and of joints; at each of them impacts are resolved and the active contacts are
    found anew [AcaryBrogliato2008]. Points that enter and leave soft walls are events too, so that no step jumps over
    one, nor over the bend of its force.
    """

    def __init__(self, method: str, problem: InitialValueProblem, contacts: Contacts, law: ContactLaw):
        self._method, self._free, self._contacts = method, problem, contacts
        self._recorded = RecordedForces(contacts)
        n_forces = self._recorded.size
        y0 = np.append(problem.y0, np.zeros(n_forces))
        super().__init__(replace(problem, y0=y0, jump=_beside(problem.jump, n_forces)))
        self.steps = self.rejected = self.evaluations = 0
        self._resolution = EventResolution(problem, contacts, law)
        self._active = NONE_ACTIVE
        self._touches = TouchList()
        self._runs: KeptForSets[_Motion] = KeptForSets()
        self._motion: _Motion | None = None
        self._left, self._budget = 0, StepBudget()
        self._events = 0
        self._continue(problem.t0, problem.y0)

    @property
    def impacts(self) -> list[Impact]:
        """Impacts in the order of time."""
        return self._resolution.impacts

    @property
    def touches(self) -> list[Touch]:
        """Touches of soft walls, in the order of time."""
        return self._touches.touches

    @property
    def n_contacts(self) -> int:
        """Number of unilateral contacts."""
        return self._contacts.n

    @property
    def n_tangents(self) -> int:
        """Directions along the walls in which these rub."""
        return self._contacts.n_tangents

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
        """Take some steps; return the states at the first of the sample times, and go on from an event."""
        assert self._motion is not None  # an integration that has not started has failed
        run, further = self._motion.run, self._motion.further
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
        states = self._recorded.states(times[: len(y)], y, self._active, self._resolution.energy_lost)
        if len(y) == times.size and run.t > times[-1]:
            return states  # samples asked for later may lie before what is reached
        if event is not None:
            self._events += 1
            beyond = event.index - self._contacts.n
            self._continue(event.time, run.y.copy(), event.index, further[beyond] if beyond >= 0 else None)
        elif self._left <= 0 and self._active.constrains and self.failure is None:
            self._left = STEPS_BETWEEN_PROJECTIONS
            self._correct_drift(run)
        return states

    def _change_over(self, run: EventIntegration, found: ChangeOver) -> None:
        """Have the other sets of active contacts start with the method that has taken over."""
        self.change_over = found._replace(steps=self.steps)
        self._method = found.method
        self._runs = KeptForSets({key: each for key, each in self._runs.items() if each is run})

    def _correct_drift(self, run: EventIntegration) -> None:
        """Go on from a state on the walls of the active contacts, if this one is not."""
        t, y = run.t, run.y.copy()
        sticking = self._active.sticking(self._contacts.n, self._contacts.n_tangents)
        try:
            if has_drifted(self._contacts.state(t, y), self._active):
                run.move(self._resolution.projected(t, y, self._active.contacts, sticking))
        except (SolverError, np.linalg.LinAlgError) as error:
            self._fail(t, error)

    # -- at an event -----------------------------------------------------------------------------------------

    def _continue(
        self,
        t: float,
        y: NDArray[np.float64],
        index: int | None = None,
        further: FurtherEvent | None = None,
    ) -> None:
        """Resolve impacts, find the active contacts, without one whose force has vanished, and go on from there."""
        released = index if index in self._active.contacts else None
        torn = None
        soft = self._contacts.soft
        if self._motion is not None and further is not None and further.kind == "sticking":
            torn = TornAway(further.contact, self._motion.problem)
        elif further is not None and further.kind in (GAP, FACTOR):
            soft.change(further.kind, further.contact)
        try:
            soft.update(t, y)
            y, active = self._resolution.resolve(t, y, released, torn)
            soft.update(t, y)
            self._touches.follow(t, soft)
            self._active = replace(active, soft=soft.flags)
        except (SolverError, np.linalg.LinAlgError) as error:
            self._fail(t, error)
            return
        if self._events > MOST_EVENTS:
            self.failure = self._too_many_events(t)
            return
        self._start(t, y)

    def _too_many_events(self, t: float) -> Failure:
        """What more than MOST_EVENTS events are, and what ends them."""
        if len(self.touches) > len(self.impacts):
            return Failure(t, f"{len(self.touches)} touches of soft walls", TOUCH_REMEDY)
        return Failure(t, f"more than {MOST_EVENTS} impacts and releases", BOUNCING_REMEDY)

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
            held = self._contacts.held
            acts = self._contacts.acts(self._active)
            problem = (held.constrained if acts else held.free)(problem, self._active)
            if self._contacts.soft.inside.any():
                problem = replace(
                    problem, rtol=SOFT_TOLERANCE * problem.rtol, atol=SOFT_TOLERANCE * problem.atol
                )
            functions, further = self._contacts.event_functions(self._active)
            run = start_to_events(self.method_for(self._active), problem, functions)
            motion = self._runs[self._active.key] = _Motion(run, problem, further)
            self.evaluations += run.evaluations
        self._motion, self.failure = motion, motion.run.failure
        self._left = STEPS_BETWEEN_PROJECTIONS if self._active.constrains else UNLIMITED

    def method_for(self, active: ActiveContacts) -> str:
        """Method by which the arm is integrated with these contacts.

        In space the direction of a slip that stops turns ever faster, which no fixed step follows.
        """
        slides_in_space = self._contacts.n_tangents == 2 and bool(active.friction.slips.any())
        return ADAPTIVE if slides_in_space and not METHODS[self._method].adaptive else self._method


def _beside(jump: Jump | None, n_forces: int) -> Jump | None:
    """A jump of the state, for states that the contacts' forces follow."""
    if jump is None:
        return None
    return lambda k, y: np.append(jump(k, y[: y.size - n_forces]), y[y.size - n_forces :])

"""The integration of an arm with unilateral contacts: free motion, impacts and active contacts, one after the other."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.active_set import (
    RESTING_SPEED,
    active_contacts,
    has_drifted,
    inelastic_jump,
    persistent_contacts,
    project_onto_constraints,
)
from flexarm.simulation.contact.contact_law import ContactLaw
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.contacts import Contacts
from flexarm.simulation.contact.gap_functions import CONTACT_GAP
from flexarm.simulation.contact.impacts import Impact, resolve_impact
from flexarm.solvers.base import TIME_SLICE, Failure, InitialValueProblem, Integration, Jump
from flexarm.solvers.dense_integration import start_stepping
from flexarm.solvers.events import DenseSteps, first_event, node_times

GAP_ROUND_OFF, FORCE_ROUND_OFF = 1e-13, 1e-10
"""Gap [m, rad] and force [N, N m] that may be round-off."""
LEAST_STEPS, MOST_STEPS = 8, 512
"""Steps taken between two searches for events, if contacts are near or far; what is beyond an event is taken back."""
STEPS_AT_ONCE = 64
"""Steps after which the clock is looked at: methods for stiff arms take milliseconds for each."""
MOST_GAPS = 100_000
"""Contacts times steps in a search, which bounds its memory."""
MOST_AT_ONCE = 1000
"""Impacts in one instant after which the run gives up."""
MOST_EVENTS = 100_000
"""Impacts and releases after which the run gives up, some minutes; bursts of soft links take hundreds or thousands."""


class EventDrivenIntegration(Integration):
    """Event-driven integration of an arm with unilateral contacts; its states are followed by the contacts' forces.

    Attributes
    ----------
    impacts : list of Impact
        In the order of time; the last steps may have found some beyond the last sample.

    Notes
    -----
    Between events the arm is a smooth system with the active contacts as constraints. Events are gaps that close and
    forces that vanish; at each of them impacts are resolved and the active contacts are found anew
    [AcaryBrogliato2008].
    """

    def __init__(self, method: str, problem: InitialValueProblem, contacts: Contacts, law: ContactLaw):
        self._method, self._free, self._contacts, self._law = method, problem, contacts, law
        forces = np.zeros(contacts.n)
        super().__init__(
            replace(problem, y0=np.append(problem.y0, forces), jump=_beside(problem.jump, forces.size))
        )
        self.impacts: list[Impact] = []
        self.steps = self.rejected = self.evaluations = 0
        self._active = np.empty(0, dtype=np.intp)
        self._dense: DenseSteps | None = None
        self._dense_active = self._active
        self._events = 0
        self._start_batch(LEAST_STEPS)
        self._continue(problem.t0, problem.y0)

    @property
    def n_contacts(self) -> int:
        """Number of unilateral contacts."""
        return self._contacts.n

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return self._free.t0 if self._dense is None else self._dense.end

    # -- samples ---------------------------------------------------------------------------------------------

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        pieces, done, began = [np.empty((0, self.problem.y0.size))], 0, perf_counter()
        while done < times.size:
            reached = 0 if self._dense is None else int(np.searchsorted(times, self._dense.end, side="right"))
            if reached > done:
                pieces.append(self._states(times[done:reached]))
                done = reached
            elif self.failure is not None or perf_counter() - began > TIME_SLICE:
                break
            else:
                self._advance_to_event(times[-1])
        return np.concatenate(pieces)

    def _states(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """States and the contacts' forces at times within the last dense steps."""
        assert self._dense is not None
        y, forces = self._dense.at(times), np.zeros((times.size, self._contacts.n))
        if self._dense_active.size:
            values = self._contacts.constrained_events(times, y, self._dense_active)
            forces[:, self._dense_active] = values[:, self._dense_active]
        return np.hstack([y, forces])

    def _restart(self, problem: InitialValueProblem) -> None:
        n = self._free.y0.size
        self._free = replace(self._free, t0=problem.t0, y0=problem.y0[:n], end=problem.end)
        self._continue(self._free.t0, self._free.y0)

    # -- from event to event ---------------------------------------------------------------------------------

    def _advance_to_event(self, horizon: float) -> None:
        """Take some of the batch's steps; of all of them, keep those up to the first event."""
        if not self._take_steps(horizon):
            return
        dense = DenseSteps.joined(self._taken)
        if not len(dense.times):
            return
        search = first_event(self._event_functions, dense, *self._noise())
        most = max(LEAST_STEPS, min(MOST_STEPS, MOST_GAPS // self._contacts.n))
        self._start_batch(int(np.clip(search.safe_steps, LEAST_STEPS, most)))
        self._dense, self._dense_active = dense, self._active
        if search.event is not None:
            t = search.event.time
            y = dense.at(np.array([t]))[0]
            self._dense = _until(dense, t, y)
            self._events += 1
            self.failure = None
            released = search.event.index if search.event.index in self._active else None
            self._continue(t, y, released)
        elif self._active.size:
            self._correct_drift(dense.end, dense.states[-1, -1])

    def _correct_drift(self, t: float, y: NDArray[np.float64]) -> None:
        """Go on from a state on the walls of the active contacts, if this one is not."""
        try:
            if has_drifted(self._contacts.state(t, y), self._active):
                self._start(t, self._projected(t, y, self._active))
        except (SolverError, np.linalg.LinAlgError) as error:
            self._fail(t, error)

    def _take_steps(self, horizon: float) -> bool:
        """Take some steps towards a time [s]; return whether the batch is complete, or ends there or by a failure.

        A batch is never cut where a time slice ends: constraints are projected onto after whole ones, so that the
        motion would depend on how quick the computer is.
        """
        run = self._run
        before = run.steps, run.rejected, run.evaluations
        dense = run.take_steps(min(self._left, STEPS_AT_ONCE), horizon)
        self.failure = run.failure
        steps = run.steps - before[0]
        self.steps += steps
        self.rejected += run.rejected - before[1]
        self.evaluations += run.evaluations - before[2]
        self._taken.append(dense)
        self._left -= steps
        return self.failure is not None or self._left <= 0 or dense.end >= min(horizon, self._free.end)

    def _event_functions(
        self, times: NDArray[np.float64], states: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        if self._active.size:
            return self._contacts.constrained_events(times, states, self._active)
        return self._contacts.gaps(times, states)

    def _noise(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Noise level of the event functions, and whether their rates are known: those of gaps, not of forces."""
        level, has_rate = np.full(self._contacts.n, GAP_ROUND_OFF), np.ones(self._contacts.n, dtype=bool)
        level[self._active], has_rate[self._active] = FORCE_ROUND_OFF, False
        return level, has_rate

    # -- at an event -----------------------------------------------------------------------------------------

    def _continue(self, t: float, y: NDArray[np.float64], released: int | None = None) -> None:
        """Resolve impacts, find the active contacts, without one whose force has vanished, and go on from there."""
        try:
            y, self._active = self._resolve_impacts(t, y, released)
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
        problem = replace(self._free, t0=t, y0=y, max_steps=left)
        if self._active.size:
            problem = self._contacts.constrained(problem, self._active)
        self._run = start_stepping(self._method, problem)
        self.evaluations += self._run.evaluations
        self._start_batch(LEAST_STEPS)

    def _start_batch(self, steps: int) -> None:
        """Start to collect some steps, which are then searched for events."""
        self._left = steps
        self._taken: list[DenseSteps] = []

    def _resolve_impacts(
        self, t: float, y: NDArray[np.float64], released: int | None
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """State after all impacts of this instant, and the contacts that are active from here on."""
        for _ in range(MOST_AT_ONCE):
            state = self._contacts.state(t, y)
            closed = np.flatnonzero(state.gap <= CONTACT_GAP)
            if not np.any(state.speed[closed] < -RESTING_SPEED):
                return self._activate(t, y, state, persistent_contacts(state, closed), released)
            released = None
            impact, jump = resolve_impact(t, state, closed, self._law)
            self.impacts.append(impact)
            y = _with_jump(y, jump)
        raise SolverError(f"more than {MOST_AT_ONCE} impacts in one instant")

    def _activate(
        self,
        t: float,
        y: NDArray[np.float64],
        state: ContactState,
        persistent: NDArray[np.intp],
        released: int | None,
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """State with persistent contacts exactly closed, and those of them that are active."""
        if not persistent.size:
            return y, persistent
        y = self._projected(t, _with_jump(y, inelastic_jump(state, persistent)), persistent)
        return y, active_contacts(self._contacts.state(t, y), persistent[persistent != released], self._law)

    def _projected(self, t: float, y: NDArray[np.float64], closed: NDArray[np.intp]) -> NDArray[np.float64]:
        n_theta, n_before = self._contacts.n_theta, y.size - self._contacts.n_free

        def shift(y: NDArray[np.float64], change: NDArray[np.float64]) -> NDArray[np.float64]:
            moved = self._free.rhs(t, np.concatenate([y[:n_before], change]), self._free.p)
            return np.concatenate([y[:n_theta] + moved[:n_theta], y[n_theta:]])

        return project_onto_constraints(lambda y: self._contacts.state(t, y), shift, y, closed)


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


def _until(dense: DenseSteps, t: float, y: NDArray[np.float64]) -> DenseSteps:
    """The dense steps up to a time within them."""
    last = min(int(np.searchsorted(dense.times[:, -1], t)), len(dense.times) - 1)
    start = dense.times[last, 0]
    if t <= start:
        times, states = np.full(dense.times.shape[1], t), np.tile(y, (dense.times.shape[1], 1))
    else:
        times = node_times(start, t)
        states = dense.at(times)
    return DenseSteps(
        np.vstack([dense.times[:last], times]), np.concatenate([dense.states[:last], states[None]])
    )

"""The integration of an arm among walls: free motion, impacts and held contacts, one after the other."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.active_set import (
    PROJECTION_TOLERANCE,
    RESTING_SPEED,
    held_contacts,
    project_onto_constraints,
    resting_contacts,
    stop_resting,
)
from flexarm.simulation.contact.contact_dynamics import Contacts, ContactState
from flexarm.simulation.contact.gap_functions import CONTACT_GAP
from flexarm.simulation.contact.impact_law import ImpactList, strike
from flexarm.solvers.base import TIME_SLICE, Failure, Integration, Problem
from flexarm.solvers.dop853.dense_steps import DenseDop853
from flexarm.solvers.events import DenseSteps, first_event, node_times

GAP_ROUND_OFF, FORCE_ROUND_OFF = 1e-13, 1e-10
"""Gap [m] and force [N] that may be round-off."""
LEAST_STEPS, MOST_STEPS = 8, 512
"""Steps taken between two looks at the walls, if these are near or far away; what is beyond an event is taken back."""
MOST_AT_ONCE = 1000
"""Impacts in one instant after which the run gives up."""
MOST_EVENTS = 1_000_000
"""Impacts and releases after which the run gives up."""


class EventDrivenIntegration(Integration):
    """An integration that strikes walls and rests on them; its states are followed by the walls' forces.

    Attributes
    ----------
    ledger : ImpactList
    """

    def __init__(self, problem: Problem, contacts: Contacts, restitution: NDArray[np.float64], n_walls: int):
        self._free, self._contacts, self._restitution = problem, contacts, restitution
        super().__init__(replace(problem, y0=np.append(problem.y0, np.zeros(contacts.n))))
        self.ledger = ImpactList(n_walls)
        self.steps = self.rejected = self.evaluations = 0
        self._held = np.empty(0, dtype=np.intp)
        self._trail: DenseSteps | None = None
        self._trail_held = self._held
        self._events = 0
        self._batch = LEAST_STEPS
        self._begin(problem.t0, problem.y0)

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return self._free.t0 if self._trail is None else self._trail.end

    # -- samples ---------------------------------------------------------------------------------------------

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        pieces, done, began = [np.empty((0, self.problem.y0.size))], 0, perf_counter()
        while done < times.size:
            reached = 0 if self._trail is None else int(np.searchsorted(times, self._trail.end, side="right"))
            if reached > done:
                pieces.append(self._states(times[done:reached]))
                done = reached
            elif self.failure is not None or perf_counter() - began > TIME_SLICE:
                break
            else:
                self._go_on(times[-1])
        return np.concatenate(pieces)

    def _states(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """States and the walls' forces at times within the trail."""
        assert self._trail is not None
        y, forces = self._trail.at(times), np.zeros((times.size, self._contacts.n))
        if self._trail_held.size:
            watched = self._contacts.held_gaps(times, y, self._trail_held)
            forces[:, self._trail_held] = watched[:, self._trail_held]
        return np.hstack([y, forces])

    # -- from event to event ---------------------------------------------------------------------------------

    def _go_on(self, horizon: float) -> None:
        """Take some steps, and whatever happens first in them."""
        trail = self._steps_towards(horizon)
        if not len(trail.times):
            return
        search = first_event(self._watch, trail, *self._watching())
        self._batch = int(np.clip(search.safe_steps, LEAST_STEPS, MOST_STEPS))
        self._trail, self._trail_held = trail, self._held
        if search.event is not None:
            t = search.event.time
            y = trail.at(np.array([t]))[0]
            self._trail = _until(trail, t, y)
            self._events += 1
            self.failure = None
            released = search.event.index if search.event.index in self._held else None
            self._begin(t, y, released)
        elif self._held.size and self._drifted(trail):
            self._restart(trail.end, self._on_walls(trail.end, trail.states[-1, -1], self._held))

    def _steps_towards(self, horizon: float) -> DenseSteps:
        """Up to the batch's number of steps; none after a failure."""
        run = self._run
        before = run.steps, run.rejected, run.evaluations
        trail = run.take_steps(self._batch, horizon)
        self.failure = run.failure
        self.steps += run.steps - before[0]
        self.rejected += run.rejected - before[1]
        self.evaluations += run.evaluations - before[2]
        return trail

    def _watch(self, times: NDArray[np.float64], states: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._held.size:
            return self._contacts.held_gaps(times, states, self._held)
        return self._contacts.gaps(times, states)

    def _watching(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Round-off of what is watched, and whether its rate is known: gaps, and forces of the held contacts."""
        floor, has_rate = np.full(self._contacts.n, GAP_ROUND_OFF), np.ones(self._contacts.n, dtype=bool)
        floor[self._held], has_rate[self._held] = FORCE_ROUND_OFF, False
        return floor, has_rate

    # -- at an event -----------------------------------------------------------------------------------------

    def _begin(self, t: float, y: NDArray[np.float64], released: int | None = None) -> None:
        """Strike what is struck, hold what rests but for a contact whose force has vanished, and go on from there."""
        try:
            y, self._held = self._settle(t, y, released)
        except SolverError as error:
            self.failure = Failure(t, str(error), "check the walls and drives at this time")
            return
        if self._events > MOST_EVENTS:
            self.failure = Failure(
                t, f"more than {MOST_EVENTS} impacts", "lower the restitution or the duration"
            )
            return
        self._restart(t, y)

    def _restart(self, t: float, y: NDArray[np.float64]) -> None:
        left = self._free.max_steps - self.steps - self.rejected
        problem = replace(self._free, t0=t, y0=y, max_steps=left)
        if self._held.size:
            problem = self._contacts.holding(problem, self._held)
        self._run = DenseDop853(problem)
        self.evaluations += self._run.evaluations
        self._batch = LEAST_STEPS

    def _settle(
        self, t: float, y: NDArray[np.float64], released: int | None
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """The state after all impacts of this instant, and the contacts that hold from here on."""
        for _ in range(MOST_AT_ONCE):
            touch = self._contacts.touch(t, y)
            near = np.flatnonzero(touch.gap <= CONTACT_GAP)
            if not np.any(touch.speed[near] < -RESTING_SPEED):
                return self._rest(t, y, touch, resting_contacts(touch, near), released)
            released = None
            impact, jump = strike(t, touch, near, self._restitution[near])
            self.ledger.impacts.append(impact)
            y = _faster(y, jump)
        raise SolverError(f"more than {MOST_AT_ONCE} impacts in one instant")

    def _rest(
        self,
        t: float,
        y: NDArray[np.float64],
        touch: ContactState,
        resting: NDArray[np.intp],
        released: int | None,
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Stop what rests, and find out which walls are pressed."""
        y = self._on_walls(t, _faster(y, stop_resting(touch, resting)), resting)
        return y, held_contacts(self._contacts.touch(t, y), resting[resting != released])

    def _drifted(self, trail: DenseSteps) -> bool:
        touch = self._contacts.touch(trail.end, trail.states[-1, -1])
        return bool(np.abs([touch.gap[self._held], touch.speed[self._held]]).max() > PROJECTION_TOLERANCE)

    def _on_walls(self, t: float, y: NDArray[np.float64], held: NDArray[np.intp]) -> NDArray[np.float64]:
        n_theta = y.size - self._contacts.n_free

        def shift(y: NDArray[np.float64], change: NDArray[np.float64]) -> NDArray[np.float64]:
            moved = self._free.rhs(t, np.concatenate([y[:n_theta], change]), self._free.p)
            return np.concatenate([y[:n_theta] + moved[:n_theta], y[n_theta:]])

        return project_onto_constraints(lambda y: self._contacts.touch(t, y), shift, y, held)


def _faster(y: NDArray[np.float64], jump: NDArray[np.float64]) -> NDArray[np.float64]:
    """The state with its rates, its last entries, changed."""
    y = y.copy()
    y[y.size - jump.size :] += jump
    return y


def _until(trail: DenseSteps, t: float, y: NDArray[np.float64]) -> DenseSteps:
    """The steps up to a time within them."""
    last = min(int(np.searchsorted(trail.times[:, -1], t)), len(trail.times) - 1)
    start = trail.times[last, 0]
    if t <= start:
        times, states = np.full(trail.times.shape[1], t), np.tile(y, (trail.times.shape[1], 1))
    else:
        times = node_times(start, t)
        states = trail.at(times)
    return DenseSteps(
        np.vstack([trail.times[:last], times]), np.concatenate([trail.states[:last], states[None]])
    )

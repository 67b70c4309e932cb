"""Integrations that are advanced to samples, or to the first event before them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.catalogue import METHODS, load_source
from flexarm.solvers.base import ChangeOver, Failure, InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.events.dense_integration import DenseIntegration, start_stepping
from flexarm.solvers.events.dense_steps import DenseSteps
from flexarm.solvers.events.event_functions import EventFunctions
from flexarm.solvers.events.search import EVENT_PARAMETERS

SEARCH_SIGNATURE = Signature(
    "int64 n, int64 n_steps, float64* times, float64* states, float64* found, " + EVENT_PARAMETERS
)
STEPS_AT_ONCE = 16
"""Steps taken before they are searched: what is beyond an event is taken back. However many are asked for: where a time
slice ends has no influence on what is counted."""


class Event(NamedTuple):
    """Zero crossing of an event function: its time [s], and the number of the function."""

    time: float
    index: int


class EventIntegration(ABC):
    """An integration that ends at events.

    Attributes
    ----------
    t, y : float [s], (n,)
        Time and state that are reached: those of the event, if there is one.
    event : Event or None
        Where the last call has ended: nothing goes on before a restart.
    failure : Failure or None
    change_over : ChangeOver or None
        Where another method has taken over, if the method is one that changes.
    steps, rejected, evaluations : int
        Of all restarts.
    """

    t: float
    y: NDArray[np.float64]
    event: Event | None
    failure: Failure | None
    change_over: ChangeOver | None = None
    steps: int
    rejected: int
    evaluations: int

    @abstractmethod
    def advance(self, times: NDArray[np.float64], max_steps: int) -> NDArray[np.float64]:
        """Integrate to some sample times, the end of the problem, an event or a failure.

        Parameters
        ----------
        times : (m,) [s]
            Increasing, from the last sample on.
        max_steps : int
            About so many steps are taken, at most.

        Returns
        -------
        (k, n)
            States at times[:k], up to the event if there is one.
        """

    @abstractmethod
    def restart(self, t: float, y: NDArray[np.float64], end: float, max_steps: int) -> None:
        """Start anew from a time [s] and a state (n,), with so many steps up to an end [s] of the same equations."""

    @abstractmethod
    def move(self, y: NDArray[np.float64]) -> None:
        """Go on from a state that hardly differs from the present one."""


def start_to_events(method: str, problem: InitialValueProblem, functions: EventFunctions) -> EventIntegration:
    """Start an integration by the method of this name in :data:`~flexarm.catalogue.METHODS` that ends at events."""
    own = METHODS[method].locating
    return load_source(own)(problem, functions) if own else SearchedSteps(method, problem, functions)


class SearchedSteps(EventIntegration):
    """Steps of any method, searched for events by their dense output once they are taken."""

    def __init__(self, method: str, problem: InitialValueProblem, functions: EventFunctions):
        self._method, self._finished = method, np.zeros(3, dtype=np.int64)
        self._found = np.zeros(2)
        self._search = Kernel(
            "solvers.events.steps_kernel.search_steps", SEARCH_SIGNATURE,
            n=problem.y0.size, found=self._found, **functions.arguments(problem.y0.size),
        )  # fmt: skip
        self._start(problem)

    def _start(self, problem: InitialValueProblem) -> None:
        self._problem, self.event = problem, None
        self._run: DenseIntegration = start_stepping(self._method, problem)
        self._dense: DenseSteps | None = None
        self.t, self.y = problem.t0, problem.y0
        self.failure = self._run.failure

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return int(self._finished[0]) + self._run.steps

    @property
    def rejected(self) -> int:
        """Rejected steps."""
        return int(self._finished[1]) + self._run.rejected

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return int(self._finished[2]) + self._run.evaluations

    def restart(self, t: float, y: NDArray[np.float64], end: float, max_steps: int) -> None:
        """Start a new integration from there, at first order if the method has several."""
        self._finished += self._run.steps, self._run.rejected, self._run.evaluations
        self._start(replace(self._problem, t0=t, y0=y, end=end, max_steps=max_steps, first_step=None))

    def move(self, y: NDArray[np.float64]) -> None:
        """Start a new integration from there."""
        left = self._problem.max_steps - self._run.steps - self._run.rejected
        self.restart(self.t, y, self._problem.end, left)

    def advance(self, times: NDArray[np.float64], max_steps: int) -> NDArray[np.float64]:
        """Take steps and search them; see :meth:`EventIntegration.advance`."""
        pieces, done, last = [np.empty((0, self.y.size))], 0, self._run.steps + max_steps
        while done < times.size:
            reached = int(np.searchsorted(times, self.t, side="right"))
            if reached > done:
                here = times[done:reached]
                pieces.append(
                    np.tile(self.y, (here.size, 1)) if self._dense is None else self._dense.at(here)
                )
                done = reached
            elif self.event or self.failure or self._run.steps >= last or self.t >= self._problem.end:
                break
            else:
                self._take_steps(times[-1])
        return np.concatenate(pieces)

    def _take_steps(self, horizon: float) -> None:
        dense = self._run.take_steps(STEPS_AT_ONCE, horizon)
        self.failure = self._run.failure
        n_steps = len(dense.times)
        if not n_steps:
            return
        first = self._search(n_steps=n_steps, times=dense.times, states=dense.states)
        self._dense = dense
        if first == n_steps:
            self.t, self.y = dense.end, dense.states[-1, -1]
        else:
            self.event, self.failure = Event(float(self._found[0]), int(self._found[1])), None
            self.t = self.event.time
            self.y = dense.at(np.array([self.t]))[0]

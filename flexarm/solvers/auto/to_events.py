"""DOP853 until stability bounds its steps, then Radau IIA, up to the next event."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.auto.method import IMPLICIT
from flexarm.solvers.auto.watched import WatchedDop853ToEvents
from flexarm.solvers.base import ChangeOver, Failure, InitialValueProblem
from flexarm.solvers.events.event_functions import EventFunctions
from flexarm.solvers.events.location import Event, EventIntegration, SearchedSteps


class AutoToEvents(EventIntegration):
    """An integration that ends at events, see :class:`~flexarm.solvers.auto.method.Auto`."""

    def __init__(self, problem: InitialValueProblem, functions: EventFunctions):
        self._problem, self._functions = problem, functions
        self._run = self._explicit = WatchedDop853ToEvents(problem, functions)

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return self._run.t

    @property
    def y(self) -> NDArray[np.float64]:
        """State reached (n,)."""
        return self._run.y

    @property
    def event(self) -> Event | None:
        """Event at which it has ended, if any."""
        return self._run.event

    @property
    def failure(self) -> Failure | None:
        """Why nothing goes on."""
        return self._run.failure

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return sum(run.steps for run in self._runs)

    @property
    def rejected(self) -> int:
        """Rejected steps."""
        return sum(run.rejected for run in self._runs)

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return sum(run.evaluations for run in self._runs)

    @property
    def _runs(self) -> tuple[EventIntegration, ...]:
        return (self._run,) if self.change_over is None else (self._explicit, self._run)

    def restart(self, t: float, y: NDArray[np.float64], end: float, max_steps: int) -> None:
        """Start anew, by the method that is in charge."""
        self._problem = replace(
            self._problem, t0=t, y0=y, end=end, max_steps=self.steps + self.rejected + max_steps
        )
        self._run.restart(t, y, end, max_steps)

    def move(self, y: NDArray[np.float64]) -> None:
        """Go on from a state that hardly differs."""
        self._run.move(y)

    def advance(self, times: NDArray[np.float64], max_steps: int) -> NDArray[np.float64]:
        """Advance, and change the method if it pays; see :meth:`EventIntegration.advance`."""
        states = self._run.advance(times, max_steps)
        waits = len(states) < times.size and self.event is None and self.failure is None
        if waits and self.change_over is None and self._explicit.is_alarmed and self.t < self._problem.end:
            self._change_over()
        return states

    def _change_over(self) -> None:
        """Have Radau IIA go on if it pays."""
        rest = self._explicit.handed_over(self._problem)
        if rest is not None:
            left = rest.max_steps - self.steps - self.rejected
            run = SearchedSteps(IMPLICIT, replace(rest, max_steps=left), self._functions)
            self._run, self.change_over = run, ChangeOver(IMPLICIT, rest.t0, self.steps)

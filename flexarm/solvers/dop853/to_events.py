"""DOP853 up to the next event."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import Failure, InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.compiled.status import CONTINUING, REJECTED, RUNNING, STATUS, STEPS
from flexarm.solvers.compiled.time_slices import StepStatistics, kernel_failure
from flexarm.solvers.dop853.kernels.events_kernel import KNOWN_ROWS
from flexarm.solvers.dop853.layout import END, EVENT, EVENTS_KNOWN, FILLED, MAX_TRIALS, T
from flexarm.solvers.dop853.method import SIGNATURE, Dop853Arrays
from flexarm.solvers.events.event_functions import EventFunctions
from flexarm.solvers.events.interpolation import N_NODES
from flexarm.solvers.events.location import Event, EventIntegration
from flexarm.solvers.events.search import EVENT_PARAMETERS, NO_EVENT

EVENTS_SIGNATURE = Signature(
    f"{SIGNATURE.text}, float64* known, float64* node_times, float64* node_states, {EVENT_PARAMETERS}"
)


class Dop853ToEvents(StepStatistics, EventIntegration):
    """An integration by DOP853 that ends at events; its steps are searched in machine code."""

    kernel_name: ClassVar[str] = "solvers.dop853.kernels.events_kernel.advance_to_event"

    def __init__(self, problem: InitialValueProblem, functions: EventFunctions):
        self._state, n = Dop853Arrays([problem]), problem.y0.size
        self._step_times, self._counters = self._state.step_times[:, 0], self._state.counters[:, 0]
        self.y = self._state.y[:, 0]
        self._max_steps = problem.max_steps
        self._kernel = Kernel(
            self.kernel_name, EVENTS_SIGNATURE,
            **self._state.arguments, **functions.arguments(n),
            known=np.zeros((KNOWN_ROWS, 2 * functions.n)),
            node_times=np.zeros(N_NODES), node_states=np.zeros((N_NODES, n)),
        )  # fmt: skip
        self._counters[EVENT] = NO_EVENT
        self.failure: Failure | None = None
        self.advance(np.empty(0), 0)  # the first slope, no step

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return float(self._step_times[T])

    @property
    def event(self) -> Event | None:
        """Event at which it has ended, if any."""
        index = int(self._counters[EVENT])
        return None if index == NO_EVENT else Event(self.t, index)

    def restart(self, t: float, y: NDArray[np.float64], end: float, max_steps: int) -> None:
        """Start anew with a first step as at the very start."""
        trials = self._counters[STEPS] + self._counters[REJECTED]
        self._state.limits[[MAX_TRIALS, END], 0] = trials + max_steps, end
        self._state.set_start(0, t, y)
        self._begin()

    def move(self, y: NDArray[np.float64]) -> None:
        """Evaluate the slope anew, and go on with the step that there is."""
        self.y[:] = y
        self._counters[STATUS] = CONTINUING
        self._begin()

    def _begin(self) -> None:
        self._counters[EVENT], self._counters[EVENTS_KNOWN], self.failure = NO_EVENT, 0, None

    def advance(self, times: NDArray[np.float64], max_steps: int) -> NDArray[np.float64]:
        """Call the kernel; see :meth:`EventIntegration.advance`."""
        if self.event is not None:
            times = times[times <= self.t]
        states = np.empty((times.size, self.y.size))
        self._counters[FILLED] = 0
        filled = self._kernel(step_budget=max_steps, m=times.size, times=times, states=states)
        if (status := int(self._counters[STATUS])) != RUNNING:
            self.failure = kernel_failure(status, self.t, self._max_steps)
        return states[:filled]

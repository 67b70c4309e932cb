"""DOP853 whose steps are watched: where stability bounds them, an alarm is raised."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import ModelError
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.compiled.status import EVALUATIONS, STEPS
from flexarm.solvers.dop853.kernels.stiffness import ENOUGH, near_limit
from flexarm.solvers.dop853.layout import (
    BOUNDED_STEPS,
    END,
    H_NEXT,
    INTERVAL,
    MAX_STEP,
    OTHER_STEPS,
    WATCHED_FROM,
    H,
    T,
)
from flexarm.solvers.dop853.method import Dop853, Dop853Arrays
from flexarm.solvers.dop853.to_events import Dop853ToEvents
from flexarm.solvers.stability import fastest_ringing, least_stiffness, linearised_eigenvalues

LOG = logging.getLogger(__name__)

BOUNDED = 0.75
"""Step times fastest eigenvalue from which stability may bound a step, in units of :func:`near_limit`."""
UNWATCHED = 1000
"""Steps after a false alarm that are not watched, at least; otherwise three times as many as there were before."""
NEVER = 2**62
"""Number of steps that no integration takes."""


class Watched:
    """What both integrations have in common, a mixin."""

    _state: Dop853Arrays
    _counters: NDArray[np.int64]
    _step_times: NDArray[np.float64]

    @property
    def is_alarmed(self) -> bool:
        """Whether enough steps were found bounded by stability."""
        return bool(self._counters[BOUNDED_STEPS] >= ENOUGH)

    def _dismiss(self) -> None:
        """Go on, and watch again later."""
        steps = self._counters[STEPS]
        later = steps + max(UNWATCHED, 3 * steps)
        self._counters[WATCHED_FROM] = max(self._counters[WATCHED_FROM], later)
        self._counters[[BOUNDED_STEPS, OTHER_STEPS]] = 0

    def is_stiff(self, problem: InitialValueProblem) -> bool:
        """Whether an implicit method pays from here on, by the eigenvalues of the equations as they are here.

        Vibrations that ring on, and motions that grow, have to be followed by any method; what is faster need not be.
        """
        t, y = float(self._step_times[T]), self._state.y[:, 0].copy()
        found = linearised_eigenvalues(problem.rhs, t, y, problem.p)
        self._counters[EVALUATIONS] += 2 * y.size
        fastest = np.abs(found).max(initial=0.0)
        step = self._step_times[[H, H_NEXT]].max()
        return bool(
            step * fastest > BOUNDED * near_limit(problem.rtol)
            and fastest > least_stiffness(problem.rtol) * fastest_ringing(found)
        )

    def handed_over(self, problem: InitialValueProblem) -> InitialValueProblem | None:
        """What an implicit method is to go on with after an alarm; None if this one goes on itself."""
        if not self.is_stiff(problem):
            self._dismiss()
            return None
        rest, jacobian = self._rest(problem), problem.jacobian
        assert jacobian is not None  # `start` sees to it
        try:
            is_defined = np.isfinite(jacobian(rest.t0, rest.y0)).all()
        except ModelError as error:
            LOG.warning("steps are bounded by stability, but dop853 goes on: %s", error)
            self._counters[WATCHED_FROM] = NEVER
            is_defined = False
        if is_defined:
            return rest
        self._dismiss()
        return None

    def _rest(self, problem: InitialValueProblem) -> InitialValueProblem:
        """The rest of a problem, from the time and state reached on."""
        state, rest = self._state, problem.crossed_intervals
        if rest is not None:
            rest = rest.rest(int(self._counters[INTERVAL]))
        return replace(
            problem,
            t0=float(self._step_times[T]),
            y0=state.y[:, 0].copy(),
            max_step=float(state.limits[MAX_STEP, 0]),
            first_step=float(self._step_times[H_NEXT]),
            end=float(state.limits[END, 0]),
            intervals=rest,
            jump=None,
        )


class WatchedDop853(Watched, Dop853):
    """An integration by DOP853 that ends before samples that are left where an alarm is raised."""

    makes_jumps = False  # what takes over starts anew at each
    kernel_name = "solvers.dop853.kernels.kernel.advance_watching"


class WatchedDop853ToEvents(Watched, Dop853ToEvents):
    """One that ends at events."""

    kernel_name = "solvers.dop853.kernels.events_kernel.advance_to_event_watching"

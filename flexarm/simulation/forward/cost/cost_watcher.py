"""Watcher over the cost of a run under way, which says that it will take long."""

from __future__ import annotations

import logging
import math
from time import perf_counter

from flexarm.progress import Progress
from flexarm.simulation.forward.cost.run_cost import START, TRIAL, RunMark
from flexarm.simulation.forward.single_run import SingleRun

LOG = logging.getLogger(__name__)

NOTEWORTHY = 60.0  # s: longer runs are announced


class CostWatcher:
    """Progress of a run that says in the log, once, that it will take long; it may pass progress on.

    It looks after TRIAL seconds, and whenever as much time has passed again: contacts may come late.

    Parameters
    ----------
    run : SingleRun
    progress : Progress or None
    """

    def __init__(self, run: SingleRun, progress: Progress | None):
        self._run, self._progress = run, progress
        self._began: float | None = None
        self._mark = START
        self._said = False

    def __call__(self, fraction: float, t: float | None) -> None:
        """Take note of the progress."""
        if not self._said:
            self._watch()
        if self._progress is not None:
            self._progress(fraction, t)

    def _watch(self) -> None:
        now = perf_counter()
        if self._began is None:
            self._began = now - self._run.solve_seconds
        elapsed = now - self._began
        if elapsed < max(TRIAL / 2, 2 * self._mark.elapsed):
            return
        before, self._mark = self._mark, RunMark.of(self._run, elapsed, self._run.solve_seconds)
        cost = self._mark.projected(before)
        if elapsed >= TRIAL and NOTEWORTHY < cost.seconds < math.inf:
            from flexarm.simulation.forward.cost.cost_note import cost_note  # most runs do without

            self._said = True
            LOG.info(cost_note(self._run, cost))

"""Expected cost of a run that has begun, from what its beginning took."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from flexarm.simulation.forward.run import BLOCK, sample_times
from flexarm.simulation.forward.single_run import SingleRun

TRIAL = 1.0  # s of a run after which its cost is estimated


@dataclass(frozen=True)
class RunCost:
    """Expected cost of a whole run.

    Attributes
    ----------
    seconds : float [s]
        Wall time.
    steps : float
        Of the integrator, rejected ones included.
    recording : float
        Part of the time that goes not into the integration but into what is recorded.
    """

    seconds: float
    steps: float
    recording: float = 0.0


class RunMark(NamedTuple):
    """How far a run is after some time [s]: fraction of its duration, steps, time [s] of its integrator."""

    elapsed: float
    done: float
    steps: int
    integrating: float

    @classmethod
    def of(cls, run: SingleRun, elapsed: float, integrating: float) -> RunMark:
        """Where a run is after `elapsed` [s]."""
        integration = run.integration
        done = min(integration.t / run.instance.arm.run.duration, 1.0)
        return cls(elapsed, done, integration.steps + integration.rejected, integrating)

    def projected(self, before: RunMark) -> RunCost:
        """Cost of the whole, if the rest is like all that happened, or like what happened since an earlier mark.

        The cheaper one counts: implicit methods start with short steps, and impacts come in bursts.
        """
        return min((self._projected(mark) for mark in (START, before)), key=lambda cost: cost.seconds)

    def _projected(self, before: RunMark) -> RunCost:
        elapsed, done, steps, integrating = (now - then for now, then in zip(self, before, strict=True))
        if not done:
            return RunCost(math.inf, math.inf)
        left = (1.0 - self.done) / done
        return RunCost(self.elapsed + left * elapsed, self.steps + left * steps, 1.0 - integrating / elapsed)


START = RunMark(0.0, 0.0, 0, 0.0)


def run_cost(run: SingleRun, trial: float = TRIAL) -> RunCost:
    """Expected cost of a run, by integrating the first part of it for `trial` [s]; the run is then used up.

    Nothing is recorded meanwhile. A run that ends within the trial gives what it took, and one that fails what it would
    have taken, which is infinite if it has not even started.
    """
    began, mark, elapsed = perf_counter(), START, 0.0
    for first in range(0, run.n_samples, BLOCK):
        for _ in run.integration.pieces(
            sample_times(run.instance.arm, first, min(first + BLOCK, run.n_samples))
        ):
            elapsed = perf_counter() - began
            if elapsed >= trial:
                return RunMark.of(run, elapsed, elapsed).projected(mark)
            if elapsed < trial / 2:
                mark = RunMark.of(run, elapsed, elapsed)
    return RunMark.of(run, elapsed, elapsed).projected(START)

"""Study of a run: trials in many resolutions, none of them twice, within a limit of time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from flexarm.analysis.convergence.refined_arm import refined_arm
from flexarm.analysis.convergence.resolution import Resolution
from flexarm.analysis.convergence.trial import Trial, run_trial, top_frequency
from flexarm.description.arm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.progress import Progress

PATIENCE = 5.0
"""Times as long as foreseen, and LEAST_ALLOWED seconds, a run may take."""
LEAST_ALLOWED = 5.0


class Study:
    """Trials of an arm.

    Parameters
    ----------
    arm : Arm
    limit : float [s]
        Time for all trials but the first one, whose cost the user has chosen.
    progress : callable, optional

    Attributes
    ----------
    trials : list of Trial
        Those that ran to their end, in their order; the first one is the arm as described.
    failures : list of Trial
        Those that did not, and those that would take too long.
    """

    def __init__(self, arm: Arm, limit: float, progress: Progress | None):
        self.arm, self.limit = arm, limit
        self.trials: list[Trial] = []
        self.failures: list[Trial] = []
        self._found: dict[Resolution, Trial] = {}
        self._report = progress or (lambda fraction, t: None)
        self._began = time.monotonic()

    def first(self) -> Trial:
        """Run the arm as described."""
        resolution = Resolution.of(self.arm)
        trial = self._keep(run_trial("as described", resolution, self.arm, self._report))
        self._began = time.monotonic()
        return trial

    def trial(self, label: str, resolution: Resolution | None) -> Trial | None:
        """Run in another resolution; None if there is none, if it fails, or if it would take too long."""
        if resolution is None:
            return None
        if (known := self._found.get(resolution)) is None:
            known = self._keep(self._run(label, resolution))
        return None if known.failure else known

    def refined(self, label: str, parent: Trial, resolution: Resolution | None) -> Trial | None:
        """Run in a finer resolution than a trial; a fixed step becomes smaller as the highest frequency grows."""
        if (
            resolution is not None
            and resolution.step is not None
            and resolution.links != parent.resolution.links
        ):
            plain = self._arm(resolution)
            ratio = top_frequency(parent.arm) / top_frequency(plain) if plain is not None else 1.0
            resolution = replace(resolution, step=float(f"{resolution.step * min(ratio, 1.0):.3g}"))
        return self.trial(label, resolution)

    @property
    def remaining(self) -> float:
        """Time that is left [s]."""
        return self.limit - (time.monotonic() - self._began)

    def _run(self, label: str, resolution: Resolution) -> Trial:
        try:
            arm = refined_arm(self.arm, resolution)
            expected = self._expected(resolution, arm)
        except FlexarmError as fault:
            return Trial(label, resolution, self.arm, failure=str(fault).splitlines()[0])
        if expected > self.remaining:
            reason = (
                f"not tried, it would take about {expected:.2g} s and {max(self.remaining, 0):.2g} s are left"
            )
            return Trial(label, resolution, arm, failure=reason)
        allowed = min(max(PATIENCE * expected, LEAST_ALLOWED), max(self.remaining, LEAST_ALLOWED))
        return run_trial(label, resolution, arm, self._within(), allowed)

    def _arm(self, resolution: Resolution) -> Arm | None:
        try:
            return refined_arm(self.arm, resolution)
        except FlexarmError:
            return None

    def _within(self) -> Callable[[float, float | None], None]:
        """Progress of the whole study, of which one knows how long it takes at most."""
        return lambda fraction, t: self._report(min(max(1 - self.remaining / self.limit, 0.0), 0.99), t)

    def _expected(self, resolution: Resolution, arm: Arm) -> float:
        """Time of a run [s], from that of the nearest one: operations grow with the modes, steps with frequencies."""
        nearest = min(
            self.trials, key=lambda one: (abs(one.resolution.n_modes - resolution.n_modes), one.seconds)
        )
        size = max(resolution.n_modes, 1) / max(nearest.resolution.n_modes, 1)
        own, its = top_frequency(arm), top_frequency(nearest.arm)
        pace = max(own / its if its else 1.0, 1.0)
        if resolution.step is not None:
            pace = (nearest.resolution.step or resolution.step) / resolution.step
        return size * (nearest.preparation + pace * nearest.seconds)

    def _keep(self, trial: Trial) -> Trial:
        self._found[trial.resolution] = trial
        (self.failures if trial.failure else self.trials).append(trial)
        return trial

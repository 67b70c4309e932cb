"""Reference trajectory extended by pre- and post-actuation: the task rests, gets under way, follows, comes to rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexarm.simulation.forces.piecewise_polynomials import even_mesh
from flexarm.simulation.inverse.task.reference_trajectory import (
    ReferenceSamples,
    ReferenceTrajectory,
    tabled_trajectory,
)

STANDSTILL = 1e-9
"""Rates at an end, of the largest over the trajectory, that count as none."""
RUN = 0.25
"""Time of a run-up or run-out, of the trajectory's duration."""


@dataclass(frozen=True)
class ExtendedTrajectory:
    """Desired values over [-pre, duration + post].

    Where the trajectory begins or ends at rest, they stay there. Where it does not, a polynomial of degree five
    leads from rest to the rates and accelerations of that end (and the other way round), over a distance of half the
    rate times the run's time, which is what a constant acceleration needs.

    Attributes
    ----------
    reference : ReferenceTrajectory
    pre, post : float [s]
        Pre- and post-actuation, run-up and run-out included.
    run : float [s]
        Time of a run-up or run-out.
    """

    reference: ReferenceTrajectory
    pre: float = 0.0
    post: float = 0.0
    run: float = 0.0

    @cached_property
    def _ends(self) -> tuple[ReferenceSamples, ReferenceSamples]:
        return _single(self.reference([0.0])), _single(self.reference([self.reference.duration]))

    @cached_property
    def _moving(self) -> tuple[bool, bool]:
        desired = self.reference(np.linspace(0.0, self.reference.duration, 101))
        scale = STANDSTILL * (np.abs(desired.p_d).max() + np.abs(desired.p).max() / self.reference.duration)
        return tuple(bool(np.abs(end.p_d).max() > scale) for end in self._ends)  # type: ignore[return-value]

    @property
    def runs(self) -> tuple[float, float]:
        """Time of the run-up and of the run-out, 0 where there is none [s]."""
        return tuple(self.run * moving for moving in self._moving)  # type: ignore[return-value]

    @property
    def start(self) -> float:
        """Begin of the pre-actuation [s]."""
        return -self.pre

    @property
    def end(self) -> float:
        """End of the post-actuation [s]."""
        return self.reference.duration + self.post

    @property
    def breaks(self) -> np.ndarray:
        """Times at which accelerations may jump, both ends included, ascending (k,) [s]."""
        up, out = self.runs
        duration = self.reference.duration
        inside = [-up, 0.0, *self.reference.breaks, duration, duration + out]
        times = np.unique(np.concatenate([[self.start, self.end], inside]))
        times = times[(times >= self.start) & (times <= self.end)]
        return times[np.concatenate([[True], np.diff(times) > 1e-9 * duration])]

    def tabled(self, start: float, end: float, step: float) -> ReferenceTrajectory:
        """The same from start to end [s] as tables, with intervals no longer than a step [s]."""
        inside = self.breaks[(self.breaks > start) & (self.breaks < end)]
        mesh = even_mesh(np.concatenate([[start], inside, [end]]), step)
        return tabled_trajectory(self, mesh, inside)

    def __call__(self, times: ArrayLike) -> ReferenceSamples:
        """Desired values at times (k,) [s]."""
        times = np.asarray(times, dtype=float)
        duration, (first, last), (up, out) = self.reference.duration, self._ends, self.runs
        inside = self.reference(np.clip(times, 0.0, duration))
        before, after = _run_out(first, -times, up, backwards=True), _run_out(last, times - duration, out)
        early, late = (times < 0)[:, None], (times > duration)[:, None]
        return ReferenceSamples(
            *(np.where(early, b, np.where(late, a, i)) for b, i, a in zip(before, inside, after, strict=True))
        )


def _single(samples: ReferenceSamples) -> ReferenceSamples:
    return ReferenceSamples(*(values[0] for values in samples))


def _run_out(
    end: ReferenceSamples, elapsed: np.ndarray, run: float, backwards: bool = False
) -> ReferenceSamples:
    """Desired values a time after an end (or, backwards, before it): quintic to rest."""
    n = end.p.size
    if run == 0.0:
        return ReferenceSamples(np.broadcast_to(end.p, (elapsed.size, n)), *np.zeros((2, elapsed.size, n)))
    v = -end.p_d if backwards else end.p_d
    target = end.p + 0.5 * run * v
    x = np.clip(elapsed / run, 0.0, 1.0)[:, None]
    moving = (elapsed < run)[:, None]
    # quintic in x with value, rate and second rate given at 0, and the target at rest at 1
    c0, c1, c2 = end.p, v * run, 0.5 * end.p_dd * run**2
    d = target - c0 - c1 - c2
    e, f = -c1 - 2 * c2, -2 * c2
    c3, c4, c5 = 10 * d - 4 * e + f / 2, -15 * d + 7 * e - f, 6 * d - 3 * e + f / 2
    p = c0 + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))))
    p_d = (c1 + x * (2 * c2 + x * (3 * c3 + x * (4 * c4 + x * 5 * c5)))) / run
    p_dd = (2 * c2 + x * (6 * c3 + x * (12 * c4 + x * 20 * c5))) / run**2
    return ReferenceSamples(p, (-p_d if backwards else p_d) * moving, p_dd * moving)

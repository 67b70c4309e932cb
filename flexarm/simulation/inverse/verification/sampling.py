"""Samples of an inverse motion: fine enough that no peak of a torque is lost between them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexarm.simulation.inverse.solution import Solution

LOST = 0.01
"""Part of a peak that may be lost between two samples."""
JUMP = 0.01
"""Jump, of a peak, that no sampling shows: the torque falls off on one side of it as fast as the fastest zero says."""
HALVINGS = 4
"""How often the time between two samples is halved for the peaks, where the trajectory does not specify it."""
MOST_SAMPLES = 50_000
"""Samples of the finest sampling that is tried to show a peak."""
WITHIN = np.linspace(0.0, 1.0, 17)
"""Fractions of an interval at which a torque is looked at."""


@dataclass(frozen=True)
class LostPeak:
    """Peak of a torque that lies between two samples.

    Attributes
    ----------
    joint : int
        From 1.
    time : float [s]
    torque, sampled : float [N m, prismatic: N]
        At that time; the largest one (of a negative peak the least) at the samples.
    jump : float [N m, prismatic: N]
        By how much the torque jumps at that time.
    """

    joint: int
    time: float
    torque: float
    sampled: float
    jump: float

    @property
    def loss(self) -> float:
        """Part of the peak that the samples do not show."""
        return abs(self.torque - self.sampled) / abs(self.torque)


def lost_peak(solution: Solution, sample: float) -> LostPeak | None:
    """Find the peak of which samples at multiples of a time [s] lose most, if any loses more than :data:`LOST`.

    A peak is the largest or least torque of a joint, if none of the other sign is larger.
    """
    times, lost = solution.sample_times(sample), []
    for joint, curve in zip(solution.joints, solution.torques, strict=True):
        elapsed = np.diff(curve.breaks)[:, None] * WITHIN
        values = np.zeros_like(elapsed)
        for coefficient in curve.coefficients:  # both limits of every break
            values = values * elapsed + coefficient[:, None]
        sampled = curve(times)
        for sign in (1, -1):
            k, i = np.unravel_index((sign * values).argmax(), values.shape)
            if sign * values[k, i] >= np.abs(values).max() * (1 - LOST) > 0:
                time = float(curve.breaks[k] + elapsed[k, i])
                shown = sign * float((sign * sampled).max())
                beside = values[max(k - 1, 0), -1] if i == 0 else values[min(k + 1, len(values) - 1), 0]
                jump = abs(values[k, i] - beside) if i in (0, WITHIN.size - 1) else 0.0
                lost.append(LostPeak(joint + 1, time, float(values[k, i]), shown, float(jump)))
    worst = max(lost, key=lambda peak: peak.loss, default=None)
    return worst if worst is not None and worst.loss > LOST else None


def resampled(solution: Solution) -> Solution:
    """The solution with samples that show the peaks of all torques, unless the trajectory specifies the samples.

    The time between two of them is halved, :data:`HALVINGS` times at most, so that they stay evenly spaced.
    """
    if solution.message or solution.problem.trajectory.sample is not None:
        return solution
    sample = solution.problem.sample
    for halvings in range(HALVINGS + 1):
        if lost_peak(solution, sample / 2**halvings) is None:
            break
    else:
        halvings = 0
    if not halvings:
        return solution
    times = solution.sample_times(sample / 2**halvings)
    return replace(solution, times=times, motion=solution.at(times))


def lost_peak_warning(solution: Solution) -> str:
    """Warning of a peak that the samples lose, with the sampling that shows it; empty if they lose none."""
    sample = float(np.diff(solution.times).max())
    peak = lost_peak(solution, sample)
    if peak is None:
        return ""
    kind = solution.problem.arm.joints[peak.joint - 1].kind
    words = (
        f"joint {peak.joint}: the {kind.force} reaches {peak.torque:.4g} {kind.force_unit} at t = {peak.time:.6g} s, "
        f"between the samples, which show {peak.sampled:.4g} {kind.force_unit} at most"
    )
    if peak.jump > JUMP * abs(peak.torque):
        return f"{words}; it jumps there with the acceleration of the path (which should be continuous)"
    span = solution.times[-1] - solution.times[0]
    while span / sample < MOST_SAMPLES:
        sample = float(f"{sample / 2:.2g}")
        if lost_peak(solution, sample) is None:
            return f"{words} (sample: {sample:g} in the trajectory shows it)"
    return words

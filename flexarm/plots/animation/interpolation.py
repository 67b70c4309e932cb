"""Interpolation of the coordinates of an arm between the samples of its result."""

from __future__ import annotations

import numpy as np

from flexarm.results.result import Result

NYQUIST = 2 / np.pi
"""Change from sample to sample over rate times interval, root mean squares, of a sine sampled twice a period."""


def frame_times(
    result: Result, speed: float, fps: float, part: tuple[float, float] | None = None
) -> np.ndarray:
    """Return the instants of a film's frames, (k,) [s]: evenly spaced from the first sample on, and the last sample.

    Parameters
    ----------
    result : Result
    speed : float
        Time that passes in the result for each second of the film.
    fps : float [1/s]
    part : (float, float), optional
        Begin and end of what is shown of the run [s]; all of it unless given.
    """
    first, last = part or end_times(result)
    step = speed / fps
    times = first + step * np.arange(int((last - first) / step) + 1)
    return np.append(times, last) if last - times[-1] > 1e-6 * step else times


def end_times(result: Result) -> tuple[float, float]:
    """Return the times of the first and the last sample [s]."""
    first, last = (result.rows("time", part)[0] for part in (slice(0, 1), slice(result.n_samples - 1, None)))
    return float(first), float(last)


def postures(result: Result, times: np.ndarray) -> np.ndarray:
    """Interpolate the coordinates of an arm between the samples of its result.

    Cubic Hermite polynomials go through the recorded coordinates with their recorded rates, but for three cases.
    In an impact the rates jump: the coordinates then run straight from the sample before to the impact and from there
    to the sample after. A vibration that is sampled less than twice a period would swing far beyond its amplitude:
    it is interpolated linearly. So is the unit quaternion that turns a free base, normalised afterwards.

    Parameters
    ----------
    result : Result
    times : (k,) [s]
        Ascending, within the run.

    Returns
    -------
    (k, n_theta) [rad, m or rad]
    """
    from scipy.interpolate import CubicHermiteSpline  # slow to import

    if result.n_samples == 1:
        return np.repeat(result.theta(), len(times), axis=0)
    sampled = result.rows("time", slice(None))
    before = np.clip(np.searchsorted(sampled, times, side="right") - 1, 0, sampled.size - 2)
    rows = np.union1d(before, before + 1)
    t, theta, rates = sampled[rows], result.theta(rows), _rates(result, rows)
    at = np.searchsorted(rows, before)
    corners = _at_impacts(result, np.unique(at), t, theta, rates)
    straight, moving = _linear(times, t, theta), CubicHermiteSpline(t, theta, rates)(times)
    for interval, (knots, values) in corners.items():
        moving[at == interval] = _linear(times[at == interval], knots, values)
    smooth = at[~np.isin(at, list(corners))]
    found = np.where(_too_fast(smooth, t, theta, rates), straight, moving)
    if result.arm.base == "free":
        found[:, -4:] = straight[:, -4:] / np.linalg.norm(straight[:, -4:], axis=1, keepdims=True)
    return found


def _rates(result: Result, rows: np.ndarray) -> np.ndarray:
    """Rates of theta at some samples, (k, n_theta); zero for a quaternion, whose rates theta_d does not hold."""
    rates = result.theta_d(rows)
    if result.arm.base == "free":
        return np.hstack([rates[:, :-3], np.zeros((len(rates), 4))])
    return rates


def _too_fast(at: np.ndarray, t: np.ndarray, theta: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Find which coordinates (n_theta,) change too fast for their samples, judged by the intervals from rows `at`."""
    if not at.size:
        return np.zeros(theta.shape[1], dtype=bool)
    change = theta[at + 1] - theta[at]
    expected = (t[at + 1] - t[at])[:, None] * np.stack([rates[at], rates[at + 1]])
    return np.mean(change**2, axis=0) < NYQUIST**2 * np.mean(expected**2, axis=(0, 1))


def _at_impacts(
    result: Result, intervals: np.ndarray, t: np.ndarray, theta: np.ndarray, rates: np.ndarray
) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Return times and coordinates of the corners between straight lines, for those intervals that hold impacts.

    The tangents from both samples to the first and the last impact in between give the coordinates there; of a single
    impact, that of the nearer sample counts more. An interval's ends belong to it: which of the rates around an
    impact stands at a sample of the same instant is not known.
    """
    if "impact_time" not in result:
        return {}
    impacts = np.unique(result["impact_time"])
    corners = {}
    for i in intervals:
        first = np.searchsorted(impacts, t[i], side="left")
        stop = np.searchsorted(impacts, t[i + 1], side="right")
        if first == stop:
            continue
        inside = impacts[[first, stop - 1]]
        left, right = inside[0] - t[i], t[i + 1] - inside[1]
        met = np.stack([theta[i] + left * rates[i], theta[i + 1] - right * rates[i + 1]])
        if first == stop - 1:
            met[:] = (right**2 * met[0] + left**2 * met[1]) / (left**2 + right**2)
        corners[int(i)] = np.array([t[i], *inside, t[i + 1]]), np.vstack([theta[i], met, theta[i + 1]])
    return corners


def _linear(times: np.ndarray, t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Interpolate columns linearly."""
    return np.stack([np.interp(times, t, column) for column in values.T], axis=1)

"""Event location: the first zero crossing, from above, of functions of the dense output of an integration.

A step's dense output is a polynomial, so it is known everywhere by its states at a few nodes; the event functions of it
are no polynomials, but on a short interval they are close to some. Where the Chebyshev coefficients of these exclude a
zero, or an extremum, there is none; elsewhere the interval is halved [ShampineThompson2000; Boyd2002].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

N_NODES = 8
"""Nodes that determine a dense output of degree 7."""
MIN_INTERVAL = 1e-13
"""Length [s] below which an interval is not halved any more."""
SLOPE_TRUNCATION = 100.0
"""Truncation estimate of the slope of a polynomial, in units of its last two coefficients."""

# Chebyshev's extreme points in [0, 1], both ends included; values there -> coefficients in [-1, 1] -> their slope's.
FRACTIONS = (1 - np.cos(np.pi * np.arange(N_NODES) / (N_NODES - 1))) / 2
_ORDERS = np.arange(float(N_NODES))
_FIT = np.linalg.inv(chebyshev.chebvander(2 * FRACTIONS - 1, N_NODES - 1))
_SLOPE = np.array([np.append(chebyshev.chebder(row), 0.0) for row in np.eye(N_NODES)]).T

EventFunction = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""From times (k,) [s] and states (k, n) to the values of m functions and their rates, (k, 2 m)."""
ScalarEventFunction = Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64] | None]]
"""From times (k,) [s] to one value (k,) and its rate (k,), None where the rate is not known."""


def node_times(start: float, end: float) -> NDArray[np.float64]:
    """Times [s] of the nodes of one step, (N_NODES,), from its start to its end."""
    times = start + (end - start) * FRACTIONS
    times[-1] = end
    return times


def _weights(
    times: NDArray[np.float64], start: float | NDArray[np.float64], end: float | NDArray[np.float64]
) -> np.ndarray:
    """Weights of the nodes of steps from start to end in the states at times (m,): (m, N_NODES)."""
    x = 2 * (times - start) / (end - start) - 1
    # Chebyshev polynomials at x, by their angles
    return np.cos(_ORDERS * np.arccos(np.minimum(np.maximum(x, -1.0), 1.0))[:, None]) @ _FIT


@dataclass(frozen=True)
class DenseSteps:
    """Successive steps of an integration with dense output, given by their states at the nodes.

    Attributes
    ----------
    times : (k, N_NODES) [s]
    states : (k, N_NODES, n)
    """

    times: NDArray[np.float64]
    states: NDArray[np.float64]

    @classmethod
    def joined(cls, parts: Sequence[DenseSteps]) -> DenseSteps:
        """Steps of several parts, one after the other."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.times for part in parts]), np.concatenate([part.states for part in parts])
        )

    @property
    def end(self) -> float:
        """Time at which the last step ends [s]."""
        return float(self.times[-1, -1])

    def at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """States at times (m,) [s] within the steps: (m, n)."""
        ends = self.times[:, -1]
        step = np.minimum(np.searchsorted(ends, times), ends.size - 1)
        return (_weights(times, self.times[step, 0], ends[step])[:, None, :] @ self.states[step])[:, 0]


class Event(NamedTuple):
    """Zero crossing of an event function: its time [s], and the number of the function."""

    time: float
    index: int


class Search(NamedTuple):
    """Result of an event location: the first event, if any, and how many steps like these are safe from one."""

    event: Event | None
    safe_steps: float


def first_event(
    event_function: EventFunction,
    steps: DenseSteps,
    noise_level: NDArray[np.float64],
    has_rate: NDArray[np.bool_],
) -> Search:
    """Find the first time at which an event function is zero or less and falls.

    Parameters
    ----------
    event_function : callable
        Smooth functions of time and state.
    steps : DenseSteps
    noise_level : (m,)
        Size below which a value is round-off: such values rise or fall without an event; in the unit of the value.
    has_rate : (m,)
        Whether the rate of a function is given; otherwise it follows from the values, with their round-off.

    Notes
    -----
    An even number of crossings between two nodes is not missed: an interval is not halved only if the sum of its
    coefficients' sizes excludes a zero, or if its slope cannot vanish in it.
    """
    k, n_nodes, n = steps.states.shape
    values = event_function(steps.times.ravel(), steps.states.reshape(-1, n)).reshape(k, n_nodes, -1)
    values = values[..., : noise_level.size]
    lowest, spread = _bounds(np.moveaxis(_FIT @ values, 1, 0))
    candidate = (lowest <= 0) & (np.abs(values).max(axis=1) > noise_level)
    for step in np.flatnonzero(candidate.any(axis=1)):
        candidates = np.flatnonzero(candidate[step])
        event = _first_in_step(event_function, steps, int(step), candidates, noise_level, has_rate)
        if event is not None:
            return Search(event, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        safe = np.where(spread > 0, lowest / spread, np.inf)
    return Search(None, float(safe.min(initial=np.inf)))


def _first_in_step(
    event_function: EventFunction,
    steps: DenseSteps,
    step: int,
    candidates: NDArray[np.intp],
    noise_level: NDArray[np.float64],
    has_rate: NDArray[np.bool_],
) -> Event | None:
    """First event of one step, of the functions that may vanish there."""
    start, end = (float(t) for t in steps.times[step, [0, -1]])
    states, event = steps.states[step], None
    for j in candidates:

        def one(
            times: NDArray[np.float64], j: int = j
        ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
            values = event_function(times, _weights(times, start, end) @ states)
            return values[:, j], values[:, noise_level.size + j] if has_rate[j] else None

        time = _first_crossing(one, start, end if event is None else event.time, float(noise_level[j]))
        if time is not None and (event is None or time < event.time):
            event = Event(time, int(j))
    return event


def _bounds(coefficients: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower bound of polynomials by their coefficients (8, ...), and twice the largest distance from the mean."""
    size = np.abs(coefficients[1:])
    truncation = size[-2:].sum(axis=0)
    spread = size.sum(axis=0) + truncation
    return coefficients[0] - spread, 2 * spread


def _first_crossing(f: ScalarEventFunction, start: float, end: float, noise_level: float) -> float | None:
    """First time in [start, end] at which f is zero or less and falls; None if there is none."""
    values, rates = f(node_times(start, end))
    coefficients = _FIT @ values
    lowest, _ = _bounds(coefficients)
    if lowest > 0 or np.abs(values).max() <= noise_level:
        return None
    slope, truncation = _slope(coefficients, rates)
    if abs(slope[0]) > np.abs(slope[1:]).sum() + truncation:  # monotonic
        return _root(f, start, end, values) if slope[0] < 0 and values[-1] < 0 else None
    if end - start <= max(MIN_INTERVAL, 4 * np.spacing(end)):
        return start if values.min() < -noise_level else None
    middle = (start + end) / 2
    early = _first_crossing(f, start, middle, noise_level)
    return early if early is not None else _first_crossing(f, middle, end, noise_level)


def _slope(
    coefficients: NDArray[np.float64], rates: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], float]:
    """Coefficients of the slope, of known rates or of the polynomial itself, and their truncation estimate."""
    if rates is None:
        return _SLOPE @ coefficients, SLOPE_TRUNCATION * float(np.abs(coefficients[-2:]).sum())
    slope = _FIT @ rates
    return slope, float(np.abs(slope[-2:]).sum())


def _root(f: ScalarEventFunction, start: float, end: float, values: NDArray[np.float64]) -> float:
    """Zero crossing of a falling f with these values at the nodes; the start, if f begins below zero.

    The false position, which stays in its bracket, in the Illinois variant [DowellJarratt1971].
    """
    if values[0] <= 0:
        return start
    times, k = node_times(start, end), int(np.argmax(values <= 0))
    a, f_a, b, f_b = times[k - 1], values[k - 1], times[k], values[k]
    resolution = max(MIN_INTERVAL / 10, 2 * np.spacing(end))
    while abs(b - a) > resolution and f_b != 0.0:
        c = b - f_b * (b - a) / (f_b - f_a)
        f_c = f(np.array([c]))[0][0]
        a, f_a = (b, f_b) if f_c * f_b < 0 else (a, f_a / 2)
        if abs(c - b) < resolution / 2 or c in (a, b):
            b = c
            break
        b, f_b = c, f_c
    return float(b)

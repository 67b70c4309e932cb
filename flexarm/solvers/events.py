"""When a watched quantity first falls through zero, found in the dense output of an integration.

A step's dense output is a polynomial, so it is known everywhere by its states at a few nodes; the watched
functions of it are not, but on a short interval they are close to polynomials too. Where the coefficients of these
leave no room for a zero, or for an extremum, there is none; elsewhere the interval is halved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

N_NODES = 8
"""Nodes that determine a dense output of degree 7."""
SHORTEST = 1e-13
"""Length [s] below which an interval is not halved any more."""
DOUBT = 100.0
"""How many of the last two coefficients of a polynomial the slope may be wrong by."""

# Chebyshev's extreme points in [0, 1], both ends included; values there -> coefficients in [-1, 1] -> their slope's.
FRACTIONS = (1 - np.cos(np.pi * np.arange(N_NODES) / (N_NODES - 1))) / 2
_ORDERS = np.arange(float(N_NODES))
_FIT = np.linalg.inv(chebyshev.chebvander(2 * FRACTIONS - 1, N_NODES - 1))
_SLOPE = np.array([np.append(chebyshev.chebder(row), 0.0) for row in np.eye(N_NODES)]).T

Watch = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""From times (k,) and states (k, n) to the watched quantities and their rates, (k, 2 m)."""
Watched = Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64] | None]]
"""From times (k,) to one quantity (k,) and its rate (k,), None where the rate is not known."""


def node_times(start: float, end: float) -> NDArray[np.float64]:
    """Times of the nodes of one step, (N_NODES,), from its start to its end."""
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
    """Successive steps of an integration by their states at the nodes.

    Attributes
    ----------
    times : (k, N_NODES) [s]
    states : (k, N_NODES, n)
    """

    times: NDArray[np.float64]
    states: NDArray[np.float64]

    @property
    def end(self) -> float:
        """Where the last step ends [s]."""
        return float(self.times[-1, -1])

    def at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """States at times (m,) within the steps: (m, n)."""
        ends = self.times[:, -1]
        step = np.minimum(np.searchsorted(ends, times), ends.size - 1)
        return (_weights(times, self.times[step, 0], ends[step])[:, None, :] @ self.states[step])[:, 0]


class Event(NamedTuple):
    """A watched quantity falls through zero: when [s], and which one."""

    time: float
    index: int


class Search(NamedTuple):
    """The first event, if there is one, and how many steps like these are safe from any."""

    event: Event | None
    safe_steps: float


def first_event(
    watch: Watch, trail: DenseSteps, floor: NDArray[np.float64], has_rate: NDArray[np.bool_]
) -> Search:
    """Find the first time at which a watched quantity is zero or less and falls.

    Parameters
    ----------
    watch : callable
        Smooth functions of time and state.
    trail : DenseSteps
    floor : (m,)
        Size below which a value is round-off: such values rise or fall without an event.
    has_rate : (m,)
        Whether the rate of a quantity is given; otherwise it follows from the values, with their round-off.

    Notes
    -----
    An even number of crossings between two nodes is not missed: an interval is left alone only if the sum of its
    coefficients' sizes excludes a zero, or if its slope cannot vanish in it.
    """
    k, n_nodes, n = trail.states.shape
    values = watch(trail.times.ravel(), trail.states.reshape(-1, n)).reshape(k, n_nodes, -1)[
        ..., : floor.size
    ]
    lowest, spread = _bounds(np.moveaxis(_FIT @ values, 1, 0))
    suspect = (lowest <= 0) & (np.abs(values).max(axis=1) > floor)
    for step in np.flatnonzero(suspect.any(axis=1)):
        if (
            event := _first_of(watch, trail, int(step), np.flatnonzero(suspect[step]), floor, has_rate)
        ) is not None:
            return Search(event, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        safe = np.where(spread > 0, lowest / spread, np.inf)
    return Search(None, float(safe.min(initial=np.inf)))


def _first_of(
    watch: Watch,
    trail: DenseSteps,
    step: int,
    suspects: NDArray[np.intp],
    floor: NDArray[np.float64],
    has_rate: NDArray[np.bool_],
) -> Event | None:
    """The first event of one step, of the quantities that are suspect there."""
    start, end = (float(t) for t in trail.times[step, [0, -1]])
    states, event = trail.states[step], None
    for j in suspects:

        def one(
            times: NDArray[np.float64], j: int = j
        ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
            values = watch(times, _weights(times, *trail.times[step, [0, -1]]) @ states)
            return values[:, j], values[:, floor.size + j] if has_rate[j] else None

        time = _first_descent(one, start, end if event is None else event.time, float(floor[j]))
        if time is not None and (event is None or time < event.time):
            event = Event(time, int(j))
    return event


def _bounds(coefficients: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower bound of polynomials by their coefficients (8, ...), and twice the largest distance from the mean."""
    size = np.abs(coefficients[1:])
    doubt = size[-2:].sum(axis=0)
    spread = size.sum(axis=0) + doubt
    return coefficients[0] - spread, 2 * spread


def _first_descent(f: Watched, start: float, end: float, floor: float) -> float | None:
    """First time in [start, end] at which f is zero or less and falls; None if there is none."""
    values, rates = f(node_times(start, end))
    coefficients = _FIT @ values
    lowest, _ = _bounds(coefficients)
    if lowest > 0 or np.abs(values).max() <= floor:
        return None
    slope, doubt = _slope(coefficients, rates)
    if abs(slope[0]) > np.abs(slope[1:]).sum() + doubt:  # monotonic
        return _root(f, start, end, values) if slope[0] < 0 and values[-1] < 0 else None
    if end - start <= max(SHORTEST, 4 * np.spacing(end)):
        return start if values.min() < -floor else None
    middle = (start + end) / 2
    early = _first_descent(f, start, middle, floor)
    return early if early is not None else _first_descent(f, middle, end, floor)


def _slope(
    coefficients: NDArray[np.float64], rates: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], float]:
    """Coefficients of the slope, of known rates or of the polynomial itself, and how wrong they may be."""
    if rates is None:
        return _SLOPE @ coefficients, DOUBT * float(np.abs(coefficients[-2:]).sum())
    slope = _FIT @ rates
    return slope, float(np.abs(slope[-2:]).sum())


def _root(f: Watched, start: float, end: float, values: NDArray[np.float64]) -> float:
    """Where a falling f with these values at the nodes passes zero; its start, if it begins below.

    The false position, which stays in its bracket, in the Illinois variant: M. Dowell, P. Jarratt, BIT 11 (1971) 168.
    """
    if values[0] <= 0:
        return start
    times, k = node_times(start, end), int(np.argmax(values <= 0))
    a, f_a, b, f_b = times[k - 1], values[k - 1], times[k], values[k]
    resolution = max(SHORTEST / 10, 2 * np.spacing(end))
    while abs(b - a) > resolution and f_b != 0.0:
        c = b - f_b * (b - a) / (f_b - f_a)
        f_c = f(np.array([c]))[0][0]
        a, f_a = (b, f_b) if f_c * f_b < 0 else (a, f_a / 2)
        if abs(c - b) < resolution / 2 or c in (a, b):
            b = c
            break
        b, f_b = c, f_c
    return float(b)

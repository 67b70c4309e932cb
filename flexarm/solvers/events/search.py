"""The search for events in one step, compiled: the first falling zero crossing of functions of its dense output.

A step's dense output is a polynomial, so it is known everywhere by its states at a few nodes; the event functions of it
are no polynomials, but on a short interval they are close to some. Where the Chebyshev coefficients of these exclude a
zero, or an extremum, there is none; elsewhere the interval is halved [ShampineThompson2000; Boyd2002].
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import chebyshev

from flexarm.codegen.kernels.language import array, call, compiled, tail
from flexarm.solvers.events.interpolation import FRACTIONS, N_NODES, interpolate

EVENT_PARAMETERS = (
    "int64 n_functions, int64 n_sources, int64 n_places, int64 n_linear, int64 n_inputs, int64 n_outputs,"
    "int64* event_integers, float64* event_numbers"
)
"""What the signature of a kernel that looks for events ends with."""

MIN_INTERVAL = 1e-13
"""Length [s] below which an interval is not halved any more."""
SLOPE_TRUNCATION = 100.0
"""Truncation estimate of the slope of a polynomial, in units of its last two coefficients."""
LONGEST_STACK = 80
"""Halvings of an interval, at most: a step of an hour is MIN_INTERVAL long after 55."""
NO_EVENT = -1
"""What stands for the number of a function where there is no event."""
ULP = 2.0**-52

# values at the nodes -> Chebyshev coefficients in [-1, 1] -> those of the slope
FIT = np.linalg.inv(chebyshev.chebvander(2 * FRACTIONS - 1, N_NODES - 1))
SLOPE = np.array([np.append(chebyshev.chebder(row), 0.0) for row in np.eye(N_NODES)]).T


class Search(NamedTuple):
    """Event functions and the memory of a search, arrays of the kernel.

    Attributes
    ----------
    sources : (k, 4) int
        Address, first of the inputs, first of the places, number of outputs.
    places, inputs, outputs
        Of all sources, one after the other; of one source.
    linear, factors : (l, 2)
        Place and column; factor and offset.
    has_rate, noise_level : (n,)
    values : (2 n,)
        Values and rates of one evaluation.
    nodes : (N_NODES, 2 n)
        Those at the nodes of a step.
    one : (4, N_NODES)
        Values, rates and coefficients of one function in part of a step; coefficients of its slope.
    state, time, ends, event : (n_y,), (1,), (LONGEST_STACK,), (1,)
        Where functions are evaluated; ends of the parts of a step that are still to be searched; time of the event.
    """

    sources: Any
    places: Any
    linear: Any
    has_rate: Any
    inputs: Any
    factors: Any
    noise_level: Any
    outputs: Any
    values: Any
    nodes: Any
    one: Any
    state: Any
    time: Any
    ends: Any
    event: Any


OF_ANY_SEARCH = 4 * N_NODES + 1 + LONGEST_STACK + 1
"""Numbers in `one`, `time`, `ends` and `event`."""


def workspace_size(n: int, n_outputs: int, n_y: int) -> int:
    """Numbers that a search for n event functions of states (n_y,) needs for itself."""
    return n_outputs + 2 * n + 2 * n * N_NODES + n_y + OF_ANY_SEARCH


@compiled
def unpacked(n, n_sources, n_places, n_linear, n_inputs, n_outputs, integers, numbers, n_y):
    """The arrays of a search behind its two pointers."""
    integers = array(integers, 4 * n_sources + n_places + 2 * n_linear + n)
    places = tail(integers, 4 * n_sources)
    linear = tail(places, n_places)
    own = n_outputs + 2 * n + 2 * n * N_NODES + n_y + OF_ANY_SEARCH
    numbers = array(numbers, n_inputs + 2 * n_linear + n + own)
    factors = tail(numbers, n_inputs)
    noise_level = tail(factors, 2 * n_linear)
    outputs = tail(noise_level, n)
    values = tail(outputs, n_outputs)
    nodes = tail(values, 2 * n)
    one = tail(nodes, 2 * n * N_NODES)
    state = tail(one, 4 * N_NODES)
    time = tail(state, n_y)
    ends = tail(time, 1)
    event = tail(ends, LONGEST_STACK)
    return Search(
        array(integers, n_sources, 4),
        places,
        array(linear, n_linear, 2),
        tail(linear, 2 * n_linear),
        numbers,
        array(factors, n_linear, 2),
        array(noise_level, n),
        outputs,
        array(values, 2 * n),
        array(nodes, N_NODES, 2 * n),
        array(one, 4, N_NODES),
        array(state, n_y),
        array(time, 1),
        ends,
        array(event, 1),
    )


@compiled
def evaluate(search, time, y, values):
    """Values and rates (2 n,) of all functions at a time (1,) and a state."""
    for s in range(search.sources.shape[0]):
        first = search.sources[s, 2]
        call(search.sources[s, 0], time, y, tail(search.inputs, search.sources[s, 1]), search.outputs)
        for i in range(search.sources[s, 3]):
            if search.places[first + i] >= 0:
                values[search.places[first + i]] = search.outputs[i]
    for k in range(search.linear.shape[0]):
        values[search.linear[k, 0]] = search.factors[k, 0] * y[search.linear[k, 1]] + search.factors[k, 1]


@compiled
def first_event(search, times, states):
    """Number of the function whose event is the first in a step, or NO_EVENT; its time goes to search.event.

    `times` (N_NODES,) and `states` (N_NODES, n_y) are those of the step's nodes.
    """
    n, found = search.noise_level.size, NO_EVENT
    search.event[0] = math.inf
    for j in range(N_NODES):
        evaluate(search, tail(times, j), states[j], search.nodes[j])
    for i in range(n):
        largest = 0.0
        for j in range(N_NODES):
            search.one[0, j] = search.nodes[j, i]
            largest = max(largest, abs(search.nodes[j, i]))
        _fit(search.one[0], search.one[2])
        if largest > search.noise_level[i] and _lowest(search.one[2]) <= 0.0:
            time = _first_crossing(search, times, states, i, min(times[N_NODES - 1], search.event[0]))
            if time < search.event[0]:
                search.event[0], found = time, i
    return found


@compiled
def _fit(values, coefficients):
    """Chebyshev coefficients of values at the nodes."""
    for k in range(N_NODES):
        total = 0.0
        for j in range(N_NODES):
            total += FIT[k, j] * values[j]
        coefficients[k] = total


@compiled
def _lowest(coefficients):
    """Lower bound of a polynomial by its coefficients and what they leave out."""
    spread = abs(coefficients[N_NODES - 2]) + abs(coefficients[N_NODES - 1])
    for k in range(1, N_NODES):
        spread += abs(coefficients[k])
    return coefficients[0] - spread


@compiled
def _evaluate_at(search, times, states, time):
    """All functions at a time within a step, in search.values."""
    search.time[0] = time
    interpolate(times, states, time, search.state)
    evaluate(search, search.time, search.state, search.values)


@compiled
def _first_crossing(search, times, states, i, last):
    """First time, up to the last, at which function i is zero or less and falls; infinite if there is none."""
    n = search.noise_level.size
    start, depth = times[0], 1
    search.ends[0] = last
    while depth > 0:
        end = search.ends[depth - 1]
        largest, smallest = 0.0, math.inf
        for j in range(N_NODES):
            time = end if j == N_NODES - 1 else start + (end - start) * FRACTIONS[j]
            _evaluate_at(search, times, states, time)
            search.one[0, j], search.one[1, j] = search.values[i], search.values[n + i]
            largest, smallest = max(largest, abs(search.values[i])), min(smallest, search.values[i])
        _fit(search.one[0], search.one[2])
        excluded = _lowest(search.one[2]) > 0.0 or largest <= search.noise_level[i]
        if not excluded and _is_monotonic(search.one, search.has_rate[i]):
            if search.one[3, 0] < 0.0 and search.one[0, N_NODES - 1] < 0.0:
                return _root(search, times, states, i, start, end)
            excluded = True
        if not excluded and end - start <= max(MIN_INTERVAL, 4.0 * ULP * abs(end)):
            if smallest < -search.noise_level[i]:
                return start
            excluded = True
        if excluded or depth == LONGEST_STACK:
            start = end
            depth -= 1
        else:
            search.ends[depth] = (start + end) / 2.0
            depth += 1
    return math.inf


@compiled
def _is_monotonic(one, has_rate):
    """Whether the slope cannot vanish; its coefficients, of known rates or of the polynomial itself, go to one[3]."""
    if has_rate:
        _fit(one[1], one[3])
        truncation = abs(one[3, N_NODES - 2]) + abs(one[3, N_NODES - 1])
    else:
        for k in range(N_NODES):
            total = 0.0
            for j in range(N_NODES):
                total += SLOPE[k, j] * one[2, j]
            one[3, k] = total
        truncation = SLOPE_TRUNCATION * (abs(one[2, N_NODES - 2]) + abs(one[2, N_NODES - 1]))
    size = truncation
    for k in range(1, N_NODES):
        size += abs(one[3, k])
    return abs(one[3, 0]) > size


@compiled
def _root(search, times, states, i, start, end):
    """Zero crossing of function i, which falls from start to end with these values at the nodes in search.one[0].

    The false position, which stays in its bracket, in the Illinois variant [DowellJarratt1971].
    """
    if search.one[0, 0] <= 0.0:
        return start
    k = 1
    while search.one[0, k] > 0.0:
        k += 1
    a, f_a = start + (end - start) * FRACTIONS[k - 1], search.one[0, k - 1]
    b, f_b = end if k == N_NODES - 1 else start + (end - start) * FRACTIONS[k], search.one[0, k]
    resolution = max(MIN_INTERVAL / 10.0, 2.0 * ULP * abs(end))
    while abs(b - a) > resolution and f_b != 0.0:
        c = b - f_b * (b - a) / (f_b - f_a)
        _evaluate_at(search, times, states, c)
        f_c = search.values[i]
        if f_c * f_b < 0.0:
            a, f_a = b, f_b
        else:
            f_a = f_a / 2.0
        if abs(c - b) < resolution / 2.0 or (c - a) * (c - b) == 0.0:
            return c
        b, f_b = c, f_c
    return b

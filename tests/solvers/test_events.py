"""Event location in steps made of known functions: none is missed, none is invented, times are exact."""

from __future__ import annotations

from itertools import pairwise

import casadi as ca
import numpy as np
import pytest
from evaluated_events import evaluated
from problems import T, problem
from problems import run as run_of_method

from flexarm.catalogue import METHODS
from flexarm.codegen.native import compile_native
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.events.dense_steps import DenseSteps
from flexarm.solvers.events.event_functions import NOWHERE, EventFunctions, LinearSource, NativeSource
from flexarm.solvers.events.interpolation import FRACTIONS
from flexarm.solvers.events.location import SEARCH_SIGNATURE, Event, start_to_events

TIME = 1e-12
"""Accuracy of an event's time [s]."""
NOISE_LEVEL = 1e-13


def event_functions(*functions, with_rates=True):
    """Event functions of the time, given as expressions; the state is of any size."""
    rates = [ca.jacobian(f(T), T) for f in functions] if with_rates else []
    y, p = ca.SX.sym("y", 1), ca.SX.sym("p", 0)
    native = compile_native(
        ca.Function("g", [T, y, p], [ca.densify(ca.vertcat(*(f(T) for f in functions), *rates))])
    )
    n = len(functions)
    source = NativeSource(native, np.empty(0), np.arange(native.n_out))
    return EventFunctions([source], LinearSource.empty(), np.full(n, NOISE_LEVEL), np.full(n, with_rates))


def node_times(start, end):
    """Times of the nodes of a step."""
    times = start + (end - start) * FRACTIONS
    times[-1] = end
    return times


def first_event(functions, steps):
    """The first event in dense steps."""
    found, n = np.zeros(2), steps.states.shape[2]
    kernel = Kernel(
        "solvers.events.steps_kernel.search_steps",
        SEARCH_SIGNATURE,
        n=n,
        found=found,
        **functions.arguments(n),
    )
    k = len(steps.times)
    first = kernel(n_steps=k, times=steps.times, states=steps.states)
    return None if first == k else Event(found[0], int(found[1]))


def search(f, edges=(0.0, 1.0), with_rates=True):
    """First event of one function of time in steps between the edges; the state is the time itself."""
    times = np.array([node_times(a, b) for a, b in pairwise(edges)])
    steps = DenseSteps(times, times[:, :, None].copy())
    return first_event(event_functions(f, with_rates=with_rates), steps)


either = pytest.mark.parametrize("with_rates", [True, False])


@either
def test_simple_crossing(with_rates):
    found = search(lambda t: ca.cos(5 * t), with_rates=with_rates)
    assert abs(found.time - np.pi / 10) < TIME


@either
@pytest.mark.parametrize("width", [0.3, 1e-2, 1e-4, 1e-6])
def test_two_crossings_between_nodes_are_not_missed(width, with_rates):
    at = 0.43217
    found = search(lambda t: (t - at) ** 2 - width**2, with_rates=with_rates)
    assert found is not None
    # Near a double zero the values' own round-off limits the time.
    assert abs(found.time - (at - width)) < max(TIME, 1e-16 / width)


@either
def test_near_miss_is_no_event(with_rates):
    found = search(lambda t: (t - 0.43217) ** 2 + 1e-9, with_rates=with_rates)
    assert found is None


@either
def test_rising_through_zero_is_no_event(with_rates):
    assert search(lambda t: t - 0.5, with_rates=with_rates) is None


@either
def test_leaving_and_coming_back_in_one_step(with_rates):
    """As after an impact: at zero and rising at first."""
    found = search(lambda t: t * (0.01 - t), with_rates=with_rates)
    assert abs(found.time - 0.01) < TIME


def test_slow_departure_from_slightly_below():
    """A gap of minus round-off that opens, stops and closes again: an event when it stops, not before."""
    v, a, depth = 2e-6, 661.0, 2e-13
    found = search(lambda t: -depth + v * t - a * t**2 / 2, edges=(0.0, 1e-3))
    assert found is not None
    assert found.time == pytest.approx(v / a, rel=1e-2)


@either
def test_falling_from_zero_at_the_start(with_rates):
    assert search(lambda t: -t, with_rates=with_rates).time == 0.0


@either
def test_round_off_is_no_event(with_rates):
    assert search(lambda t: 1e-14 * ca.sin(1e3 * t), with_rates=with_rates) is None


def test_the_first_of_many_steps_and_quantities():
    edges = np.linspace(0, 10, 41)
    times = np.array([node_times(a, b) for a, b in pairwise(edges)])
    steps = DenseSteps(times, times[:, :, None].copy())
    event = first_event(event_functions(ca.cos, lambda t: 3 - t, lambda t: 2 + ca.sin(t)), steps)
    assert event.index == 0
    assert abs(event.time - np.pi / 2) < TIME


@pytest.mark.parametrize("seed", range(40))
def test_random_polynomials(seed):
    """The first real root at which the polynomial falls, found by its companion matrix."""
    rng = np.random.default_rng(seed)
    roots = np.sort(rng.uniform(-0.2, 1.2, size=int(rng.integers(1, 7))))
    sign = rng.choice([-1.0, 1.0])
    polynomial = np.polynomial.Polynomial.fromroots(roots) * sign
    slope = polynomial.deriv()
    falling = [r for r in roots if 0 < r < 1 and slope(r) < 0]
    found = search(lambda t: float(sign) * np.prod([t - float(r) for r in roots]))
    if polynomial(0.0) < 0 and slope(0.0) < 0:
        assert found.time == 0.0
    elif polynomial(0.0) < 0:  # begins inside: falls again before it leaves, or at a later root
        assert found is None or polynomial(found.time) <= 1e-12
    elif falling:
        assert abs(found.time - falling[0]) < max(TIME, 1e-15 / abs(slope(falling[0])))
    else:
        assert found is None


def test_dense_steps_are_the_polynomial_of_its_steps():
    edges, powers = (0.0, 0.3, 1.0), np.arange(8)
    times = np.array([node_times(a, b) for a, b in pairwise(edges)])
    steps = DenseSteps(times, times[:, :, None] ** powers)
    at = np.linspace(0, 1, 57)
    np.testing.assert_allclose(steps.at(at), at[:, None] ** powers, atol=1e-14)


# -- integrations that end at events -------------------------------------------------------------------------

every_method = pytest.mark.parametrize("method", METHODS)


def oscillator(**options):
    y = ca.SX.sym("y", 2)
    return problem(y, ca.vertcat(y[1], -y[0]), [1.0, 0.0], **options)


def falling_below(level, native=False):
    """Event where the oscillator falls below a level, as a linear function of its state or as machine code."""
    if not native:
        linear = LinearSource(np.array([0, 1]), np.array([0, 1]), np.ones(2), np.array([-level, 0.0]))
        return EventFunctions([], linear, np.array([NOISE_LEVEL]), np.array([True]))
    y, p = ca.SX.sym("y", 2), ca.SX.sym("p", 1)
    g = compile_native(ca.Function("g", [T, y, p], [ca.vertcat(y[0] - p, 7.0, y[1])]))
    source = NativeSource(g, np.array([level]), np.array([0, NOWHERE, 1]))
    return EventFunctions([source], LinearSource.empty(), np.array([NOISE_LEVEL]), np.array([True]))


@every_method
@pytest.mark.parametrize("native", [False, True])
def test_an_integration_ends_at_its_event_and_goes_on_from_there(method, native):
    start = oscillator(step=0.01, rtol=1e-10, atol=1e-12)
    functions, times = falling_below(-0.25, native), np.linspace(0, 3, 31)
    run = start_to_events(method, start, functions)
    at = np.arccos(-0.25)
    states = collected(run, times, budget=3)
    assert len(states) == np.count_nonzero(times <= at)
    tolerance = {"rk4": 1e-9}.get(method, 1e-7 if METHODS[method].needs_jacobian else 1e-10)
    np.testing.assert_allclose(states[:, 0], np.cos(times[: len(states)]), atol=tolerance)
    assert run.event.index == 0
    assert run.event.time == run.t == pytest.approx(at, abs=tolerance)
    np.testing.assert_allclose(run.y, [-0.25, -np.sin(at)], atol=tolerance)
    np.testing.assert_allclose(evaluated(functions, np.array([run.t]), run.y[None])[0, 0], 0.0, atol=1e-10)
    steps = run.steps
    run.restart(at, np.array([1.0, 0.0]), np.inf, 1000)
    assert run.event is None
    assert len(collected(run, np.array([at + 1.0]))) == 1
    assert run.event is None
    assert run.steps > steps


def collected(run, times, budget=10_000):
    """All samples up to an event, some steps at a time."""
    states = [np.empty((0, run.y.size))]
    done = 0
    while done < times.size and run.event is None and run.failure is None:
        states.append(run.advance(times[done:], budget))
        done += len(states[-1])
    return np.concatenate(states)


@pytest.mark.parametrize("rtol", [1e-2, 1e-4, 1e-8])
def test_a_step_is_excluded_only_without_an_event(rtol):
    """Levels barely touched or missed, to the tolerance within which rates are those of the values."""
    loose = oscillator(rtol=rtol, atol=rtol)
    times = np.linspace(2.5, 4.0, 100_001)
    lowest = run_of_method("dop853", loose, times)[0][:, 0].min()
    for distance in (10 * rtol, 100 * rtol, 0.2, 0.5, 5.0):
        for level in (lowest + distance, lowest - distance):
            run = start_to_events("dop853", loose, falling_below(min(level, 0.9)))
            collected(run, np.array([5.0]))
            assert (run.event is not None) == (level > lowest)


def test_far_from_events_no_dense_output_is_needed():
    far, near = (start_to_events("dop853", oscillator(), falling_below(level)) for level in (-100.0, -1.01))
    for run in (far, near):
        collected(run, np.array([50.0]))
    assert far.steps == near.steps
    assert far.evaluations <= 12 * (far.steps + far.rejected) + 3 + 3  # first step and sample
    assert near.evaluations > far.evaluations


def test_moving_keeps_the_step():
    run = start_to_events("dop853", oscillator(), falling_below(-100.0))
    collected(run, np.array([5.0]))
    before, y = run.evaluations, run.y.copy()
    run.move(y + 1e-12)
    assert len(run.advance(np.array([run.t + 1e-3]), 1)) == 1
    assert run.evaluations <= before + 1 + 12 + 3

"""Event location in steps made of known functions: none is missed, none is invented, times are exact."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from flexarm.solvers.events import DenseSteps, first_event, node_times

TIME = 1e-12
"""Accuracy of an event's time [s]."""
NOISE_LEVEL = 1e-13


def search(f, f_d, edges=(0.0, 1.0), with_rates=True):
    """First event of one function of time in steps between the edges; the state is the time itself."""
    times = np.array([node_times(a, b) for a, b in pairwise(edges)])
    steps = DenseSteps(times, times[:, :, None].copy())

    def event_function(t, states):
        np.testing.assert_allclose(states[:, 0], t, atol=1e-14)
        return np.stack([f(t), f_d(t)], axis=1)

    return first_event(event_function, steps, np.array([NOISE_LEVEL]), np.array([with_rates]))


either = pytest.mark.parametrize("with_rates", [True, False])


@either
def test_simple_crossing(with_rates):
    found = search(lambda t: np.cos(5 * t), lambda t: -5 * np.sin(5 * t), with_rates=with_rates)
    assert abs(found.event.time - np.pi / 10) < TIME


@either
@pytest.mark.parametrize("width", [0.3, 1e-2, 1e-4, 1e-6])
def test_two_crossings_between_nodes_are_not_missed(width, with_rates):
    at = 0.43217
    f, f_d = lambda t: (t - at) ** 2 - width**2, lambda t: 2 * (t - at)
    found = search(f, f_d, with_rates=with_rates)
    assert found.event is not None
    # Near a double zero the values' own round-off limits the time.
    assert abs(found.event.time - (at - width)) < max(TIME, 1e-16 / width)


@either
def test_near_miss_is_no_event(with_rates):
    found = search(lambda t: (t - 0.43217) ** 2 + 1e-9, lambda t: 2 * (t - 0.43217), with_rates=with_rates)
    assert found.event is None


@either
def test_rising_through_zero_is_no_event(with_rates):
    assert search(lambda t: t - 0.5, np.ones_like, with_rates=with_rates).event is None


@either
def test_leaving_and_coming_back_in_one_step(with_rates):
    """As after an impact: at zero and rising at first."""
    found = search(lambda t: t * (0.01 - t), lambda t: 0.01 - 2 * t, with_rates=with_rates)
    assert abs(found.event.time - 0.01) < TIME


def test_slow_departure_from_slightly_below():
    """A gap of minus round-off that opens, stops and closes again: an event when it stops, not before."""
    v, a, depth = 2e-6, 661.0, 2e-13
    found = search(lambda t: -depth + v * t - a * t**2 / 2, lambda t: v - a * t, edges=(0.0, 1e-3))
    assert found.event is not None
    assert found.event.time == pytest.approx(v / a, rel=1e-2)


@either
def test_falling_from_zero_at_the_start(with_rates):
    assert search(lambda t: -t, lambda t: -np.ones_like(t), with_rates=with_rates).event.time == 0.0


@either
def test_round_off_is_no_event(with_rates):
    rng = np.random.default_rng(0)
    noise = lambda t: 1e-16 * rng.normal(size=t.size)  # noqa: E731
    assert search(noise, noise, with_rates=with_rates).event is None


def test_the_first_of_many_steps_and_quantities():
    edges = np.linspace(0, 10, 41)
    times = np.array([node_times(a, b) for a, b in pairwise(edges)])
    steps = DenseSteps(times, times[:, :, None].copy())

    def event_function(t, states):
        values = np.stack([np.cos(t), 3 - t, 2 + np.sin(t)], axis=1)
        return np.hstack([values, np.stack([-np.sin(t), -np.ones_like(t), np.cos(t)], axis=1)])

    event, _ = first_event(event_function, steps, np.full(3, NOISE_LEVEL), np.ones(3, dtype=bool))
    assert event.index == 0
    assert abs(event.time - np.pi / 2) < TIME


def test_safe_steps_grow_with_the_distance():
    near = search(lambda t: 2.0 - t, lambda t: -np.ones_like(t))
    far = search(lambda t: 50.0 - t, lambda t: -np.ones_like(t))
    assert 0 < near.safe_steps < far.safe_steps < 100


@pytest.mark.parametrize("seed", range(40))
def test_random_polynomials(seed):
    """The first real root at which the polynomial falls, found by its companion matrix."""
    rng = np.random.default_rng(seed)
    roots = np.sort(rng.uniform(-0.2, 1.2, size=int(rng.integers(1, 7))))
    polynomial = np.polynomial.Polynomial.fromroots(roots) * rng.choice([-1.0, 1.0])
    slope = polynomial.deriv()
    falling = [r for r in roots if 0 < r < 1 and slope(r) < 0]
    found = search(polynomial, slope).event
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

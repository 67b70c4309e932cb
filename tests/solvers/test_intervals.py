"""Right-hand sides with break points: every method ends a step there, and starts anew or goes on."""

from __future__ import annotations

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from problems import T, one_step_per_call, problem, run

from flexarm.catalogue import METHODS
from flexarm.solvers.base import start
from flexarm.solvers.compiled.time_slices import StepBudget
from flexarm.solvers.intervals import Intervals

BREAKS = np.array([0.3, 0.7, 0.7004, 1.1])
END = 2.0


def exact(times):
    """x and its rate under the acceleration 1 from 0.3 to 0.7, 1e4 to 0.7004, 0 to 1.1, and -1 from there."""
    pulses = ((0.3, 0.7, 1.0), (0.7, 0.7004, 1e4), (1.1, np.inf, -1.0))
    x, x_d = np.zeros((2, len(times)))
    for begin, stop, a in pulses:
        since, on = np.maximum(times - begin, 0), np.clip(times - begin, 0, stop - begin)
        x += a * on * (since - on / 2)
        x_d += a * on
    return np.column_stack([x, x_d])


def pulses(**options):
    y = ca.SX.sym("y", 2)
    on = [ca.if_else(b <= T, 1, 0) for b in BREAKS]
    a = on[0] + (1e4 - 1) * on[1] - 1e4 * on[2] - on[3]
    smooth = problem(y, ca.vertcat(y[1], a), [0.0, 0.0], **options)
    return replace(smooth, intervals=Intervals.around(BREAKS, 0.0, END)).from_interval(0, smooth.y0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("chunks", [1, 7])
def test_no_pulse_is_missed(method, chunks):
    times = np.linspace(0, END, 5)
    states, integration = run(method, pulses(step=0.09), times, chunks)
    np.testing.assert_allclose(states, exact(times), atol=1e-7)
    assert integration.steps < 1000
    assert integration.t == pytest.approx(END, abs=0.1) or integration.t > END


@pytest.mark.parametrize("method", METHODS)
def test_samples_at_break_points_do_not_depend_on_where_calls_end(method, monkeypatch):
    times, kinked = np.sort(np.append(np.linspace(0, END, 9), BREAKS)), pulses(step=0.09)
    at_once, _ = run(method, kinked, times)
    monkeypatch.setattr(StepBudget, "adapt", lambda self, seconds: None)
    integration, pieces = start(method, kinked), []
    while sum(map(len, pieces)) < times.size:
        one_step_per_call(integration)
        pieces.append(integration.advance(times[sum(map(len, pieces)) :]))
        assert integration.failure is None
    np.testing.assert_array_equal(np.concatenate(pieces), at_once)  # to the last bit


def test_a_step_keeps_its_size_over_a_kink():
    """A force by straight lines, whose knots are closer than the steps that its smooth motion takes."""
    breaks = np.linspace(0, END, 41)[1:]
    y, knot = ca.SX.sym("y", 2), T * 20
    zigzag = ca.fabs(knot - 2 * ca.floor(knot / 2) - 1)
    smooth = problem(y, ca.vertcat(y[1], zigzag - y[0]), [1.0, 0.0])
    kinked = replace(smooth, intervals=Intervals.around(breaks, 0.0, END)).from_interval(0, smooth.y0)
    states, integration = run("dop853", kinked, [0.0, END])
    first = 4  # steps until they are as long as an interval
    assert integration.steps <= breaks.size + first
    assert integration.evaluations <= 12 * integration.steps + breaks.size + 3 + 3
    _, short = run("dop853", replace(kinked, max_step=1e-3, rtol=1e-13), [0.0, END])
    np.testing.assert_allclose(states[-1], short.y, rtol=1e-8)


def test_an_implicit_step_keeps_its_size_over_a_kink():
    """As above; with jumps, of nothing, it starts anew after each interval."""
    breaks = np.linspace(0, END, 41)[1:]
    y, knot = ca.SX.sym("y", 2), T * 20
    zigzag = ca.fabs(knot - 2 * ca.floor(knot / 2) - 1)
    smooth = problem(y, ca.vertcat(y[1], zigzag - y[0]), [1.0, 0.0], rtol=1e-5, atol=1e-6)
    kinked = replace(smooth, intervals=Intervals.around(breaks, 0.0, END)).from_interval(0, smooth.y0)
    times = np.append(np.linspace(0, END, 33), END)
    states, integration = run("radau", kinked, times)
    assert integration.steps <= breaks.size + 6
    anew, restarted = run("radau", replace(kinked, jump=lambda k, y: y), times)
    assert restarted.steps > integration.steps + 20
    np.testing.assert_allclose(states, anew, rtol=0, atol=50 * 1e-5)
    one_by_one, _ = run("radau", kinked, times, chunks=times.size)
    np.testing.assert_array_equal(one_by_one, states)


@pytest.mark.parametrize("method", METHODS)
def test_samples_at_break_points_and_jumps(method):
    """Without a slope the state changes by its jumps alone; a sample at a break point is that after it."""
    y = ca.SX.sym("y")
    still = problem(y, ca.SX(0), [1.0], step=0.4)
    jumping = replace(still, intervals=Intervals.around(BREAKS, 0.0, END), jump=lambda k, y: y + 10.0**k)
    times = np.concatenate([[0.0], BREAKS, [END]])
    states, _ = run(method, jumping.from_interval(0, still.y0), times)
    np.testing.assert_allclose(states[:, 0], [1, 2, 12, 112, 1112, 1112], rtol=1e-12)


@pytest.mark.slow
def test_many_break_points_go_on_over_time_slices():
    breaks = np.linspace(0, END, 2002)[1:-1]
    y = ca.SX.sym("y")
    still = problem(y, ca.SX(0), [0.0])
    counted = replace(still, intervals=Intervals.around(breaks, 0.0, END), jump=lambda k, y: y + 1)
    states, _ = run("radau", counted.from_interval(0, still.y0), [0.0, END])
    assert states[:, 0].tolist() == [0.0, breaks.size]


def test_break_points_at_the_ends():
    intervals = Intervals.around(np.array([0.0, 1.0, 2.0]), 0.0, 2.0)
    assert intervals.breaks.tolist() == [1.0]
    assert 0 < intervals.starts[0] < 1e-14
    assert 0 < 2.0 - intervals.ends[-1] < 1e-14
    np.testing.assert_array_equal(
        intervals.within(np.array([0.0, 0.5, 1.0, 2.0])),
        [intervals.starts[0], 0.5, intervals.starts[1], intervals.ends[-1]],
    )

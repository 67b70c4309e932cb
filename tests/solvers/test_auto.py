"""The method auto: what counts as stiff, that nothing else changes, and how Radau IIA takes over."""

import logging
from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from problems import T, kepler, one_step_per_call, problem, run

from flexarm.errors import ModelError
from flexarm.solvers.auto.watched import WatchedDop853
from flexarm.solvers.base import DeferredJacobian, start
from flexarm.solvers.dop853.layout import WATCHED_FROM, H
from flexarm.solvers.events.event_functions import EventFunctions, LinearSource
from flexarm.solvers.events.location import start_to_events
from flexarm.solvers.intervals import Intervals

RTOL = 1e-6
FAST = 1e4  # rad/s
REAL_LIMIT, IMAGINARY_LIMIT = 6.39, 5.96
"""Of the stability of DOP853, by its polynomial."""


def follower(damping_ratio, **options):
    """z' = lambda (z - exp(i t)) + i exp(i t) in real numbers, from z = 1: z = exp(i t), whatever lambda.

    lambda is FAST in size, with this damping ratio (the problem of Prothero and Robinson).
    """
    z = ca.SX.sym("z", 2)
    a, b = -damping_ratio * FAST, np.sqrt(1 - damping_ratio**2) * FAST
    dx, dy = z[0] - ca.cos(T), z[1] - ca.sin(T)
    z_d = ca.vertcat(a * dx - b * dy - ca.sin(T), b * dx + a * dy + ca.cos(T))
    return problem(z, z_d, [1, 0], **{"rtol": RTOL, "atol": RTOL, **options})


def circle(times):
    return np.column_stack([np.cos(times), np.sin(times)])


def van_der_pol(**options):
    """[HW96, section IV.10], with epsilon 1e-5."""
    y = ca.SX.sym("y", 2)
    y_d = ca.vertcat(y[1], ((1 - y[0] ** 2) * y[1] - y[0]) / 1e-5)
    return problem(y, y_d, [2, -0.66], **{"rtol": RTOL, "atol": 1e-2 * RTOL, **options})


# -- what is stiff -------------------------------------------------------------------------------------------


def alarm(damping_ratio, end):
    """Step in units of 1 / FAST at which an alarm is raised; None if there is none."""
    watched = WatchedDop853(follower(damping_ratio))
    watched.advance([end])
    return watched._step_times[H] * FAST if watched.is_alarmed else None


@pytest.mark.parametrize(
    ("damping_ratio", "limit"), [(1.0, REAL_LIMIT), (0.3, REAL_LIMIT), (0.0, IMAGINARY_LIMIT)]
)
def test_steps_at_the_limit_of_stability_raise_an_alarm(damping_ratio, limit):
    step = alarm(damping_ratio, 0.1)
    assert step is not None
    assert 0.6 * limit < step < 1.2 * limit


def test_steps_bounded_by_accuracy_raise_none():
    watched = WatchedDop853(kepler())
    watched.advance([50.0])
    assert not watched.is_alarmed


@pytest.mark.parametrize("damping_ratio", [1.0, 0.3])
def test_what_settles_quickly_is_stiff(damping_ratio):
    times = np.linspace(0, 1, 11)
    states, integration = run("auto", follower(damping_ratio), times)
    assert integration.change_over is not None
    assert integration.change_over.method == "radau"
    assert integration.change_over.time < 0.05
    assert integration.steps < integration.change_over.steps + 50
    np.testing.assert_allclose(states, circle(times), rtol=0, atol=100 * RTOL)


@pytest.mark.parametrize("damping_ratio", [0.0, 0.05])
def test_what_rings_on_is_not_stiff_though_stability_bounds_the_steps(damping_ratio):
    """Radau IIA would have to follow such a mode wherever it is excited."""
    times = np.linspace(0, 0.5, 11)
    states, integration = run("auto", follower(damping_ratio), times)
    expected, plain = run("dop853", follower(damping_ratio), times)
    assert integration.change_over is None
    assert integration._explicit._counters[WATCHED_FROM] > 0  # an alarm that was dismissed
    np.testing.assert_array_equal(states, expected)
    assert integration.steps == plain.steps
    assert integration.evaluations > plain.evaluations  # for the eigenvalues


@pytest.mark.parametrize("rtol", [1e-3, 1e-9, 1e-11])
def test_whatever_the_tolerance_what_is_stiff_is_found(rtol):
    """At tight ones round-off is what the error of a step consists of, and steps are shorter than stability allows."""
    chosen, times = follower(1.0, rtol=rtol, atol=rtol), np.linspace(0, 0.5, 6)
    states, integration = run("auto", chosen, times)
    _, radau = run("radau", chosen, times)
    assert integration.change_over is not None
    assert integration.change_over.steps < 200
    assert integration.steps < integration.change_over.steps + 1.5 * radau.steps + 10
    np.testing.assert_allclose(states, circle(times), rtol=0, atol=max(100 * rtol, 1e-11))


def test_the_tighter_the_tolerance_the_stiffer_equations_have_to_be():
    """Beside a vibration that is a thirtieth as fast."""
    y, slow = ca.SX.sym("y", 3), FAST / 30
    y_d = ca.vertcat(y[1], -(slow**2) * y[0], -FAST * (y[2] - ca.cos(T)) - ca.sin(T))
    for rtol, changes in ((1e-4, True), (1e-10, False)):
        resting = problem(y, y_d, [0, 0, 1], rtol=rtol, atol=rtol)
        assert (run("auto", resting, [1.0])[1].change_over is not None) == changes


# -- without a change ----------------------------------------------------------------------------------------


def test_other_equations_are_integrated_as_by_dop853():
    times = np.linspace(0, 20, 41)
    states, integration = run("auto", kepler(), times)
    expected, plain = run("dop853", kepler(), times)
    np.testing.assert_array_equal(states, expected)
    assert integration.change_over is None
    assert (integration.steps, integration.rejected) == (plain.steps, plain.rejected)
    assert (integration.t, integration.evaluations) == (plain.t, plain.evaluations)


def counted(chosen):
    """A problem and the list of how often its Jacobian was made."""
    made = []

    def make():
        made.append(True)
        return chosen.jacobian

    return replace(chosen, jacobian=DeferredJacobian(make)), made


def test_the_jacobian_is_made_when_it_is_needed():
    for chosen, expected in ((kepler(), 0), (follower(1.0), 1)):
        deferred, made = counted(chosen)
        run("auto", deferred, [1.0])
        assert len(made) == expected


def test_a_jacobian_that_does_not_fit_into_memory_leaves_dop853_at_work(caplog):
    def make():
        raise ModelError("differentiating takes 1 TB")

    chosen, times = follower(1.0), np.linspace(0, 0.1, 5)
    with caplog.at_level(logging.WARNING):
        states, integration = run("auto", replace(chosen, jacobian=DeferredJacobian(make)), times)
    np.testing.assert_array_equal(states, run("dop853", chosen, times)[0])
    assert integration.change_over is None
    assert [record.message for record in caplog.records] == [
        "steps are bounded by stability, but dop853 goes on: differentiating takes 1 TB"
    ]


def test_a_jacobian_that_is_not_finite_leaves_dop853_at_work():
    z = ca.SX.sym("z", 2)
    chosen, undefined = follower(1.0), problem(z, z * np.nan, [1, 0])
    times = np.linspace(0, 0.1, 5)
    states, integration = run("auto", replace(chosen, jacobian=undefined.jacobian), times)
    np.testing.assert_array_equal(states, run("dop853", chosen, times)[0])
    assert integration.failure is None


# -- the change ----------------------------------------------------------------------------------------------


def test_before_the_change_it_is_dop853_and_after_it_radau():
    chosen, times = van_der_pol(), np.linspace(0, 1, 100_001)[:20_001]
    states, integration = run("auto", chosen, times)
    change = integration.change_over
    before = times <= change.time
    assert 1 < np.count_nonzero(before) < 500
    np.testing.assert_array_equal(states[before], run("dop853", chosen, times[before])[0])
    explicit = integration._explicit
    assert (explicit.t, explicit.steps) == (change.time, change.steps)
    rest = replace(chosen, t0=change.time, y0=explicit.y.copy())
    expected, radau = run("radau", rest, times[~before])
    np.testing.assert_allclose(states[~before, 0], expected[:, 0], rtol=0, atol=100 * RTOL)
    assert abs(integration.steps - change.steps - radau.steps) <= 10  # but for the first step's length


def test_a_relaxation_oscillation():
    times = np.linspace(0, 2, 41)
    states, integration = run("auto", van_der_pol(), times)
    expected, _ = run("radau", van_der_pol(rtol=1e-9), times)
    assert integration.change_over is not None
    np.testing.assert_allclose(states[:, 0], expected[:, 0], rtol=0, atol=1000 * RTOL)


@pytest.mark.parametrize("chunks", [1, 7, 41])
def test_nothing_depends_on_where_calls_end(chunks):
    times = np.sort(np.append(np.geomspace(1e-6, 1e-3, 20), np.linspace(0, 0.5, 21)))
    at_once, whole = run("auto", van_der_pol(), times)
    states, integration = run("auto", van_der_pol(), times, chunks)
    slices, pieces = start("auto", van_der_pol()), []
    while sum(map(len, pieces)) < times.size:
        one_step_per_call(slices)
        pieces.append(slices.advance(times[sum(map(len, pieces)) :]))
    for found, other in ((states, integration), (np.concatenate(pieces), slices)):
        np.testing.assert_array_equal(found, at_once)
        assert other.change_over == whole.change_over
        assert (other.steps, other.evaluations) == (whole.steps, whole.evaluations)


def test_the_limit_of_steps_is_that_of_both():
    _, integration = run("auto", follower(1.0), [1.0])
    change, trials = integration.change_over, integration.steps + integration.rejected
    _, limited = run("auto", follower(1.0, max_steps=trials - 3), [1.0])
    assert limited.change_over == change
    assert f"the limit of {trials - 3} steps is reached" in limited.failure.reason
    assert limited.steps + limited.rejected == trials - 3


# -- break points --------------------------------------------------------------------------------------------

BREAKS = np.array([0.01, 0.3, 0.3004, 0.7])
LEVELS = np.array([1.0, 1.5, -1.0, 0.5, 2.0])


def steps_of_force(jumps):
    """y' = -FAST (y - level), z' = level from z = 0, with levels that change at BREAKS; z may jump by 1 there."""
    y, level = ca.SX.sym("y", 2), ca.SX(LEVELS[0])
    for at, before, after in zip(BREAKS, LEVELS[:-1], LEVELS[1:], strict=True):
        level += ca.if_else(at <= T, after - before, 0)
    smooth = problem(y, ca.vertcat(-FAST * (y[0] - level), level), [0.9, 0], rtol=RTOL, atol=RTOL)
    intervals = Intervals.around(BREAKS, 0.0, 1.0)
    jump = (lambda k, y: y + np.array([0.0, 1.0])) if jumps else None
    return replace(smooth, intervals=intervals, jump=jump).from_interval(0, smooth.y0)


@pytest.mark.parametrize("jumps", [False, True])
@pytest.mark.parametrize("chunks", [1, 50])
def test_break_points_before_and_after_the_change(jumps, chunks):
    times = np.linspace(0, 1, 101)
    states, integration = run("auto", steps_of_force(jumps), times, chunks)
    edges = np.append(BREAKS, 1.0)
    passed = np.searchsorted(BREAKS, times, side="right")
    whole = np.cumsum(np.append(0.0, LEVELS * np.diff(edges, prepend=0.0)))[passed]
    started = np.append(0.0, BREAKS)[passed]
    expected = whole + LEVELS[passed] * (times - started) + (passed if jumps else 0)
    assert integration.change_over is not None
    assert integration.change_over.time < BREAKS[1]
    np.testing.assert_allclose(states[:, 1], expected, rtol=0, atol=100 * RTOL)
    np.testing.assert_allclose(states[-1, 0], LEVELS[-1], rtol=0, atol=100 * RTOL)


# -- events --------------------------------------------------------------------------------------------------


def falling_below(level):
    """Event where the first state falls below a level."""
    linear = LinearSource(np.array([0]), np.array([0]), np.ones(1), np.array([-level]))
    return EventFunctions([], linear, np.array([1e-13]), np.array([False]))


@pytest.mark.parametrize("budget", [1, 10_000])
def test_events_after_the_change(budget):
    integration = start_to_events("auto", follower(1.0), falling_below(0.5))
    times, states = np.linspace(0, 3, 31), []
    while integration.event is None:
        states.extend(integration.advance(times[len(states) :], budget))
    change = integration.change_over
    assert change is not None
    assert change.time < 0.05
    assert integration.t == pytest.approx(np.pi / 3, abs=100 * RTOL)
    np.testing.assert_allclose(states, circle(times[: len(states)]), rtol=0, atol=100 * RTOL)
    steps = integration.steps
    integration.restart(2 * np.pi, np.array([1.0, 0.0]), np.inf, 1000)
    assert integration.event is None
    while integration.event is None:
        integration.advance(np.array([9.0]), budget)
    assert integration.t == pytest.approx(2 * np.pi + np.pi / 3, abs=100 * RTOL)
    assert integration.change_over == change
    assert steps < integration.steps < steps + 100


def test_bounded_steps_count_over_restarts():
    """What bounces every few steps is found stiff as well."""
    integration = start_to_events("auto", follower(1.0), falling_below(-2.0))
    t = 0.0
    while integration.change_over is None:
        t += 0.002
        while len(integration.advance(np.array([t]), 1)) == 0:
            pass
        assert t < 0.1
        integration.restart(integration.t, circle(np.array([integration.t]))[0], np.inf, 1000)
    assert integration.steps < 200

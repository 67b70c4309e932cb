"""Integrations side by side are those of each problem alone, whatever the others do."""

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from problems import P, T, kepler_states, run

from flexarm.codegen.native import compile_native
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.compiled.time_slices import StepBudget
from flexarm.solvers.dop853.lanes import Lanes
from flexarm.solvers.dop853.layout import LANES
from flexarm.solvers.intervals import Intervals

Y = ca.SX.sym("y", 4)
K = ca.SX.sym("k", 2)
CUBED = (Y[0] ** 2 + Y[1] ** 2) ** 1.5
# Motion about a centre of strength k_0; k_1 makes the equations end at a time
PULL = -K[0] / CUBED + 1e-300 * ca.sqrt(K[1] - T)
ORBIT = ca.Function("orbit", [T, Y, K], [ca.vertcat(Y[2], Y[3], PULL * Y[0], PULL * Y[1])])
NEVER = 1e9


@pytest.fixture(scope="module")
def equations():
    return {lanes: compile_native(ORBIT, lanes=lanes) for lanes in (1, LANES)}


def problem(f, strength=1.0, end=NEVER, **options):
    e = 0.3
    start = np.array([1 - e, 0, 0, np.sqrt((1 + e) / (1 - e))])
    return InitialValueProblem(
        rhs=f, t0=0.0, y0=start, p=np.array([strength, end]), **{"rtol": 1e-9, **options}
    )


def together(problems, samples):
    """States (m, n) and status of each problem, with its own samples, as many at once as there are lanes."""
    if len(problems) > LANES:
        return together(problems[:LANES], samples[:LANES]) + together(problems[LANES:], samples[LANES:])
    lanes = Lanes(problems)
    states = lanes.advance(in_columns(samples))
    return [(states[: one.filled, :, k], one) for k, one in enumerate(lanes.integrations)]


def in_columns(samples):
    """Sample times of each lane (m, LANES), shorter columns filled up with NaN."""
    times = np.full((max(map(len, samples)), LANES), np.nan)
    for k, own in enumerate(samples):
        times[: len(own), k] = own
    return times


def outcome(states, lane):
    return states, (lane.t, lane.steps, lane.rejected, lane.evaluations, lane.failure)


def assert_same(a, b):
    np.testing.assert_array_equal(a[0], b[0])  # to the last bit
    assert a[1] == b[1]


TIMES = np.linspace(0, 6, 61)


def test_states_are_those_of_a_single_integration(equations):
    for (states, lane), strength in zip(
        together([problem(equations[LANES], k) for k in (1.0, 1.1, 0.9, 1.2)], [TIMES] * 4),
        (1.0, 1.1, 0.9, 1.2),
        strict=True,
    ):
        alone, integration = run("dop853", problem(equations[1], strength), TIMES)
        np.testing.assert_allclose(states, alone, atol=1e-9)
        assert abs(lane.steps - integration.steps) <= 1
    exact = kepler_states(TIMES)
    np.testing.assert_allclose(together([problem(equations[LANES])], [TIMES])[0][0], exact, atol=1e-8)


def test_no_number_depends_on_the_lane_or_the_others(equations):
    f = equations[LANES]
    problems = [
        problem(f, 1.0),
        problem(f, 1.7, rtol=1e-12),
        problem(f, 0.6, rtol=1e-4, max_step=0.05),
        problem(f, 1.0, atol=1e-6),
    ]
    samples = [TIMES, np.linspace(0, 9, 7), np.array([0.0]), np.linspace(0, 0.3, 200)]
    alone = [outcome(*together([one], [own])[0]) for one, own in zip(problems, samples, strict=True)]
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]):
        found = together([problems[k] for k in order], [samples[k] for k in order])
        for k, one in zip(order, found, strict=True):
            assert_same(outcome(*one), alone[k])


def test_states_do_not_depend_on_blocks_nor_on_time_slices(equations):
    problems = [problem(equations[LANES], k) for k in (1.0, 1.3, 0.7)][:LANES]
    samples = [TIMES, TIMES[:40], TIMES[:5]][:LANES]
    whole, times = together(problems, samples), in_columns(samples)
    lanes = Lanes(problems)
    lanes._budget.steps = 1
    pieces = [lanes.advance(np.ascontiguousarray(block)) for block in np.array_split(times, 7)]
    states = np.concatenate(pieces)
    for k, (expected, lane) in enumerate(whole):
        np.testing.assert_array_equal(states[: len(expected), :, k], expected)
        assert lanes.integrations[k].evaluations == lane.evaluations


def test_break_points_do_not_depend_on_time_slices(equations, monkeypatch):
    """The kernel crosses them alone where the state does not jump, and stops there where it does."""
    breaks = np.array([0.5, 1.0, 1.5])
    smooth = replace(problem(equations[LANES]), intervals=Intervals.around(breaks, 0.0, 2.0))
    crossed = smooth.from_interval(0, smooth.y0)
    problems = [crossed, replace(crossed, jump=lambda k, y: 1.01 * y)]
    samples = [np.linspace(0, 2, 9)] * 2
    expected = together(problems, samples)
    monkeypatch.setattr(StepBudget, "__init__", lambda self: setattr(self, "steps", 1))
    monkeypatch.setattr(StepBudget, "adapt", lambda self, seconds: None)
    for found, whole in zip(together(problems, samples), expected, strict=True):
        assert_same(outcome(*found), outcome(*whole))


def test_a_failure_stays_in_its_lane(equations):
    f = equations[LANES]
    good = problem(f)
    broken = [problem(f, end=2.0), problem(f, max_steps=20), replace(good, y0=np.full(4, np.nan))]
    expected = outcome(*together([good], [TIMES])[0])
    found = together([broken[0], good, broken[1], broken[2]], [TIMES] * 4)
    assert_same(outcome(*found[1]), expected)
    reasons = [lane.failure.reason for _, lane in (found[0], found[2], found[3])]
    assert "finite" in reasons[0]
    assert "limit of 20 steps" in reasons[1]
    assert "finite" in reasons[2]
    states, lane = found[0]
    assert 15 < len(states) < 21  # to t = 2
    assert lane.failure.time == pytest.approx(2.0, abs=1e-6)
    assert found[3][1].filled == 0 or np.isnan(found[3][0]).all()


def test_parameters_are_those_of_the_lane():
    f = compile_native(ca.Function("f", [T, Y[:1], P], [-Y[:1]]), lanes=LANES)
    starts = np.arange(1.0, LANES + 1)
    problems = [InitialValueProblem(rhs=f, t0=0.0, y0=np.array([start]), p=np.empty(0)) for start in starts]
    for (states, _), start in zip(together(problems, [np.linspace(0, 1, 5)] * LANES), starts, strict=True):
        np.testing.assert_allclose(states[:, 0], start * np.exp(-np.linspace(0, 1, 5)), rtol=1e-9)

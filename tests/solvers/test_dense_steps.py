"""Steps with dense output are the steps of each method."""

from __future__ import annotations

import numpy as np
import pytest
from problems import kepler, run

from flexarm.catalogue import METHODS
from flexarm.solvers.events.dense_integration import start_stepping
from flexarm.solvers.events.interpolation import N_NODES

every_method = pytest.mark.parametrize("method", [name for name in METHODS if METHODS[name].stepping])


@every_method
def test_dense_steps_give_the_states_of_the_usual_integration(method):
    stepping, reached = start_stepping(method, kepler()), 0.0
    parts = []
    while reached < 5.0:
        parts.append(stepping.take_steps(7, 5.0))
        assert parts[-1].times[0, 0] == reached
        reached = parts[-1].end
    times = np.linspace(0, 5, 201)
    expected, usual = run(method, kepler(), times)
    found = np.concatenate(
        [steps.at(times[(times > steps.times[0, 0]) & (times <= steps.end)]) for steps in parts]
    )
    np.testing.assert_allclose(found, expected[1:], atol=1e-13)
    assert stepping.steps == usual.steps


@every_method
def test_nodes_lie_from_the_start_to_the_end_of_each_step(method):
    steps = start_stepping(method, kepler()).take_steps(4, 9.0)
    assert steps.times.shape == steps.states.shape[:2]
    assert steps.times.shape[1] == N_NODES
    np.testing.assert_array_equal(steps.times[1:, 0], steps.times[:-1, -1])
    np.testing.assert_array_less(0, np.diff(steps.times, axis=1))


@every_method
def test_no_step_begins_beyond_the_horizon_but_the_first(method):
    stepping = start_stepping(method, kepler())
    end = 0.0
    while end < 1.0:
        steps = stepping.take_steps(1000, 1.0)
        end = steps.end
    assert steps.times[-1, 0] < 1.0 <= end
    before = stepping.steps
    stepping.take_steps(5, 0.0)
    assert stepping.steps == before + 1


@every_method
def test_steps_end_where_the_problem_ends(method):
    stepping = start_stepping(method, kepler(end=0.305))
    end = 0.0
    while end < 0.305:
        end = stepping.take_steps(1000, 9.0).end
    assert end == 0.305


@every_method
def test_at_its_end_a_problem_has_a_step_of_no_length(method):
    steps = start_stepping(method, kepler(end=0.0)).take_steps(3, 9.0)
    assert steps.times.shape == (1, N_NODES)
    assert not steps.times.any()
    np.testing.assert_array_equal(steps.states[0], np.tile(kepler().y0, (N_NODES, 1)))


@every_method
def test_steps_before_a_failure_are_returned(method):
    stepping, taken = start_stepping(method, kepler(max_steps=10)), 0
    while stepping.failure is None:
        taken += len(stepping.take_steps(1000, 1e9).times)
    assert taken > 0
    assert stepping.steps <= 10
    assert "limit of 10 steps" in stepping.failure.reason
    assert len(stepping.take_steps(1000, 1e9).times) == 0

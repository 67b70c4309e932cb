"""Steps that leave a trail are the steps of DOP853."""

from __future__ import annotations

import numpy as np
from problems import kepler

from flexarm.solvers.base import start
from flexarm.solvers.dop853.dense_steps import TrailingDop853


def test_trail_gives_the_states_of_the_usual_integration():
    usual, trailing = start("dop853", kepler()), TrailingDop853(kepler())
    trails = [trailing.trail(7, 5.0)]
    while trailing.t < 5.0:
        trails.append(trailing.trail(7, 5.0))
    times = np.linspace(0, 5, 201)
    expected = []
    while len(expected) < times.size:
        expected.extend(usual.advance(times[len(expected) :]))
    found = np.concatenate(
        [trail.at(times[(times > trail.times[0, 0]) & (times <= trail.end)]) for trail in trails]
    )
    np.testing.assert_allclose(found, expected[1:], atol=1e-13)
    assert trailing.steps == usual.steps


def test_no_step_begins_beyond_the_horizon_but_the_first():
    trailing = TrailingDop853(kepler())
    trail = trailing.trail(1000, 1.0)
    assert trail.times[-1, 0] < 1.0 <= trail.end
    assert len(trailing.trail(5, 0.0).times) == 1


def test_failure_keeps_the_steps_before_it():
    trailing = TrailingDop853(kepler(max_steps=10))
    trail = trailing.trail(1000, 1e9)
    assert 0 < len(trail.times) <= 10
    assert "limit of 10 steps" in trailing.failure.reason
    assert len(trailing.trail(1000, 1e9).times) == 0

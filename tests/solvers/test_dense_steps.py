"""Steps with dense output are the steps of DOP853."""

from __future__ import annotations

import numpy as np
from problems import kepler

from flexarm.solvers.base import start
from flexarm.solvers.dop853.dense_steps import DenseDop853


def test_dense_steps_give_the_states_of_the_usual_integration():
    usual, stepping = start("dop853", kepler()), DenseDop853(kepler())
    parts = [stepping.take_steps(7, 5.0)]
    while stepping.t < 5.0:
        parts.append(stepping.take_steps(7, 5.0))
    times = np.linspace(0, 5, 201)
    expected = np.concatenate(list(usual.pieces(times)))
    found = np.concatenate(
        [steps.at(times[(times > steps.times[0, 0]) & (times <= steps.end)]) for steps in parts]
    )
    np.testing.assert_allclose(found, expected[1:], atol=1e-13)
    assert stepping.steps == usual.steps


def test_no_step_begins_beyond_the_horizon_but_the_first():
    stepping = DenseDop853(kepler())
    steps = stepping.take_steps(1000, 1.0)
    assert steps.times[-1, 0] < 1.0 <= steps.end
    assert len(stepping.take_steps(5, 0.0).times) == 1


def test_steps_before_a_failure_are_returned():
    stepping = DenseDop853(kepler(max_steps=10))
    steps = stepping.take_steps(1000, 1e9)
    assert 0 < len(steps.times) <= 10
    assert "limit of 10 steps" in stepping.failure.reason
    assert len(stepping.take_steps(1000, 1e9).times) == 0

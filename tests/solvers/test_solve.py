"""The solution of an initial value problem at given times, and how far it has come."""

import numpy as np
import pytest
from problems import kepler, kepler_states

from flexarm.catalogue import METHODS
from flexarm.solvers.base import start
from flexarm.solvers.compiled import time_slices
from flexarm.solvers.solve import solve

TIMES = np.linspace(0, 3, 31)


@pytest.mark.parametrize("method", METHODS)
def test_states_are_those_of_the_integration(method):
    states, integration = solve(method, kepler(), TIMES)
    expected = np.concatenate(list(start(method, kepler()).pieces(TIMES)))
    np.testing.assert_array_equal(states, expected)
    assert states.shape == (31, 4)
    assert integration.failure is None
    assert integration.t >= 3


def test_states_are_exact():
    states, _ = solve("dop853", kepler(), TIMES)
    np.testing.assert_allclose(states, kepler_states(TIMES), atol=1e-8)


def test_failure_leaves_the_states_before_it():
    states, integration = solve("dop853", kepler(max_steps=20), np.linspace(0, 1000, 5001))
    assert integration.failure is not None
    assert 0 < len(states) < 5001
    whole, _ = solve("dop853", kepler(), np.linspace(0, 1000, 5001)[: len(states)])
    np.testing.assert_array_equal(states, whole)


def test_no_times_take_no_steps():
    states, integration = solve("dop853", kepler(), [])
    assert states.shape == (0, 4)
    assert integration.steps == 0


def test_progress_grows_to_one(monkeypatch):
    monkeypatch.setattr(time_slices, "TIME_SLICE", 1e-12)  # so that a call takes one step
    calls = []
    solve("radau", kepler(rtol=1e-6), [0.0, 2.0], lambda *call: calls.append(call))
    fractions, times = np.transpose(calls)
    assert len(calls) > 2
    assert np.all(np.diff(fractions) >= 0)
    assert fractions[-1] == 1.0
    np.testing.assert_allclose(times, 2.0 * fractions)


def test_progress_of_the_initial_state_alone():
    calls = []
    solve("dop853", kepler(), [0.0], lambda *call: calls.append(call))
    assert calls == [(1.0, 0.0)]

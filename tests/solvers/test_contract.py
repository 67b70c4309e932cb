"""Contract of every integrator: samples independent of chunks, reported failures, prompt Ctrl-C."""

import os
import signal
import subprocess
import sys
from threading import Timer

import casadi as ca
import numpy as np
import pytest
from problems import T, failure, kepler, one_step_per_call, problem, run

from flexarm.catalogue import METHODS
from flexarm.solvers.base import start


@pytest.mark.parametrize("method", METHODS)
def test_states_do_not_depend_on_chunks(method):
    times = np.sort(np.concatenate([np.linspace(0, 5, 41), np.random.default_rng(0).uniform(0, 5, 40)]))
    whole, first = run(method, kepler(), times)
    for chunks in (2, 7, times.size):
        states, integration = run(method, kepler(), times, chunks)
        np.testing.assert_array_equal(states, whole)
        assert (integration.steps, integration.t) == (first.steps, first.t)
        assert integration.evaluations == first.evaluations


@pytest.mark.parametrize("method", METHODS)
def test_states_do_not_depend_on_other_samples(method):
    times = np.linspace(0, 5, 101)
    every, _ = run(method, kepler(), times)
    some, _ = run(method, kepler(), times[::10])
    np.testing.assert_array_equal(some, every[::10])


@pytest.mark.parametrize("method", METHODS)
def test_states_do_not_depend_on_time_slices(method):
    times = np.linspace(0, 5, 11)
    whole, _ = run(method, kepler(), times)
    integration = start(method, kepler())
    states = []
    while len(states) < times.size:
        one_step_per_call(integration)
        states.extend(integration.advance(times[len(states) :]))
    np.testing.assert_array_equal(states, whole)


@pytest.mark.parametrize("method", METHODS)
def test_first_sample_is_the_initial_state(method):
    at_once = start(method, kepler())
    np.testing.assert_array_equal(at_once.advance([0.0, 0.0]), [kepler().y0] * 2)
    assert at_once.steps == 0
    assert at_once.advance([]).shape == (0, 4)


@pytest.mark.parametrize("method", METHODS)
def test_samples_cannot_go_back(method):
    integration = start(method, kepler())
    run_to = np.array([0.1])
    while not len(integration.advance(run_to)):
        pass
    with pytest.raises(ValueError, match=r"increasing times from 0\.1"):
        integration.advance([0.05])
    with pytest.raises(ValueError, match="increasing"):
        integration.advance([0.3, 0.2])


@pytest.mark.parametrize("method", METHODS)
def test_state_that_grows_beyond_bounds(method):
    y = ca.SX.sym("y")
    blow_up = problem(y, y**2, [1.0])  # 1 / (1 - t)
    states, failed = failure(method, blow_up, 2.0)
    assert 0.95 < failed.time < 1.1
    assert 45 <= len(states) <= 55
    rtol = 10.0 ** -min(METHODS[method].order, 4)  # fixed steps of 0.01 s
    np.testing.assert_allclose(states[:40, 0], 1 / (1 - np.linspace(0, 2, 101)[:40]), rtol=rtol)
    assert failed.reason
    assert failed.remedy


@pytest.mark.parametrize("method", METHODS)
def test_undefined_equations(method):
    y = ca.SX.sym("y")
    states, failed = failure(method, problem(y, y * ca.sqrt(0.5 - T), [1.0]), 1.0)
    assert abs(failed.time - 0.5) < 0.02
    assert 48 <= len(states) <= 52
    assert np.all(np.isfinite(states))


@pytest.mark.parametrize("method", METHODS)
def test_undefined_at_the_start(method):
    y = ca.SX.sym("y")
    states, failed = failure(method, problem(y, ca.log(-y), [1.0]), 1.0)
    assert failed.time == 0
    assert states.shape == (0, 1)
    assert "no finite value" in failed.reason


@pytest.mark.parametrize("method", METHODS)
def test_limit_of_steps(method):
    states, failed = failure(method, kepler(max_steps=20, step=0.05), 1000.0)
    assert "limit of 20 steps" in failed.reason
    assert 0 < failed.time < 1000
    assert len(states) >= 1
    assert str(failed).startswith("stopped at t = ")


def test_infinite_state_is_no_success():
    # The slope stays finite while the state overflows.
    y = ca.SX.sym("y")
    states, failed = failure("dop853", problem(y, ca.SX(1e308), [0.0]), 100.0)
    assert failed.time < 2
    assert np.all(np.isfinite(states))


def test_longest_step():
    _, integration = run("dop853", kepler(max_step=0.01), [1.0])
    assert integration.steps >= 100


def test_missing_ingredients_are_refused():
    complete = kepler()
    with pytest.raises(ValueError, match="radau: expected a problem with a Jacobian"):
        start("radau", type(complete)(complete.rhs, 0.0, complete.y0, complete.p))
    with pytest.raises(ValueError, match="rk4: expected a positive step"):
        start("rk4", kepler(step=None))


LONG_RUNS = """
import sys
sys.path.insert(0, {folder!r})
from problems import kepler
from flexarm.solvers.base import start
from flexarm.solvers.compiled.time_slices import CompiledIntegration
for method in {methods!r}:
    integration = start(method, kepler(step=1e-6))
    try:
        integration.advance([1e7])
        print("running", flush=True)
        while not len(integration.advance([1e7])):
            pass
    except KeyboardInterrupt:
        print("interrupted", method, flush=True)
"""


@pytest.fixture(scope="module")
def interrupted():
    """Methods whose run of hours ends by Ctrl-C, all of them in one process."""
    code = LONG_RUNS.format(folder=os.path.dirname(__file__), methods=list(METHODS))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        deadline = Timer(60, child.kill)
        deadline.start()
        lines = []
        for line in child.stdout:
            lines.append(line)
            if line == "running\n":
                child.send_signal(signal.SIGINT)
        deadline.cancel()
    return [line.split()[1] for line in lines if line.startswith("interrupted ")]


@pytest.mark.parametrize("method", METHODS)
def test_interrupt_reaches_python(method, interrupted):
    assert method in interrupted


def test_interface_is_imported_without_compilers():
    code = "import sys, flexarm.solvers.solve; print({'numba', 'llvmlite', 'scipy.integrate'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "set()\n"

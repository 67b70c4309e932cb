"""The methods of inverse dynamics by their names: options, failures, and how often they integrate."""

import numpy as np
import pytest
from korayem_1994 import korayem

import flexarm
from flexarm.catalogue import INVERSE_METHODS, load_source
from flexarm.errors import ModelError, SolverError
from flexarm.simulation.inverse.methods.inverse_method import InverseMethod, make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem

THREE_JOINTS = "name: three\ngravity: [0, 0, 0]\nlinks:\n" + 3 * "  - {length: 0.6, mu: 1.0}\n"
TWO_ROWS = "duration: 1\nline: {from: [1.2, 0.4], to: [0.6, 1.1]}\nnear: [-0.5, 1.0, 0.8]\n"


@pytest.mark.parametrize("name", INVERSE_METHODS)
def test_every_method_solves_and_its_solution_follows_the_trajectory(name):
    assert issubclass(load_source(INVERSE_METHODS[name]), InverseMethod)
    solution = make_inverse_method(name).solve(korayem("simply_supported"))
    inside = (solution.times >= 0) & (solution.times <= 3)
    assert solution.message == ""
    assert solution.datasets()["tip_error"][inside].max() < 1e-6


def test_options_of_other_methods_are_refused():
    with pytest.raises(ValueError, match="pre belongs to method stable, and the method is causal"):
        make_inverse_method("causal", pre=0.0)
    with pytest.raises(ModelError, match=r"method: got 'stabel'; did you mean 'stable'"):
        make_inverse_method("stabel")


def test_options_that_are_none_count_as_not_given():
    assert make_inverse_method("causal", pre=None) == make_inverse_method("causal")


def test_rigid_inversion_that_fails_gives_no_advice_on_options_of_another_method():
    """More joints than task rows: the joint rates of least norm are integrated."""
    arm = THREE_JOINTS + "run: {duration: 1, sample: 0.1, max_steps: 20}\n"
    problem = inverse_problem(flexarm.parse_arm(arm), flexarm.parse_trajectory(TWO_ROWS, source="task.yaml"))
    with pytest.raises(SolverError, match=r"task.yaml: joint rates of least norm: .* stopped at t") as caught:
        make_inverse_method("rigid").solve(problem)
    for words in ("stable", "`step`", "--"):
        assert words not in str(caught.value)


def test_rigid_links_have_the_same_torques_with_every_method():
    arm = THREE_JOINTS + "payload: {mass: 0.4}\n"
    task = (
        "duration: 1\npath: {q1: 0.3*sin(pi*t/2)**6, q2: 0.5, q3: 0.8 - 0.2*sin(pi*t/2)**6}\nspace: joint\n"
    )
    problem = inverse_problem(flexarm.parse_arm(arm), flexarm.parse_trajectory(task))
    rigid = make_inverse_method("rigid").solve(problem)
    stable = make_inverse_method("stable").solve(problem)
    inside = (stable.times >= 0) & (stable.times <= 1)
    np.testing.assert_allclose(stable.datasets()["torque"][inside], rigid.datasets()["torque"], atol=1e-6)


def test_a_causal_solution_is_known_at_any_time_and_does_not_depend_on_its_samples():
    solution = make_inverse_method("causal").solve(korayem("simply_supported"))
    times = np.sort(np.concatenate([solution.times[5:9], [0.1234567, 2.5017]]))
    sampled = np.isin(times, solution.times)
    for values, at_samples in zip(solution.at(times), solution.motion, strict=True):
        np.testing.assert_array_equal(values[sampled], at_samples[5:9])
    positions, rates, _ = (solution.at(np.array([1.2, 1.2 + 1e-5, 1.2 + 2e-5]))[k] for k in range(3))
    np.testing.assert_allclose((positions[2] - positions[0]) / 2e-5, rates[1], atol=1e-6)

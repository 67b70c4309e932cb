"""The methods of inverse dynamics by their names: options, failures, and how often they integrate."""

import numpy as np
import pytest
from korayem_1994 import korayem

import flexarm
from flexarm.catalogue import INVERSE_METHODS, load_source
from flexarm.errors import ModelError, SolverError
from flexarm.simulation.inverse.methods import causal_inversion
from flexarm.simulation.inverse.methods.inverse_method import InverseMethod, make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.verification import verified_error

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


def test_a_causal_solution_is_integrated_once_with_its_verification(monkeypatch):
    started = []

    def counted(method, ivp):
        started.append(method)
        return start(method, ivp)

    start = causal_inversion.start
    monkeypatch.setattr(causal_inversion, "start", counted)
    solution = make_inverse_method("causal").solve(korayem("simply_supported"))
    assert verified_error(solution) < 1e-6
    assert len(started) == 1


def test_a_causal_solution_is_known_at_its_samples_and_where_it_is_verified():
    solution = make_inverse_method("causal").solve(korayem("simply_supported"))
    for values, sampled in zip(solution.at(solution.times[5:9]), solution.motion, strict=True):
        np.testing.assert_array_equal(values, sampled[5:9])
    with pytest.raises(ValueError, match="expected samples"):
        solution.at(np.array([0.1234567]))

"""Stable inversion of ordinary arms: one whose second link drives the first, and random ones."""

import numpy as np
import pytest
from breadth import thinned
from cascade_of_links import cascade
from random_inverse_tasks import random_problem

from flexarm.errors import SolverError
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.verification.verification import verified_error

VERIFIED = 1e-6  # m


@pytest.mark.parametrize(
    ("EI", "count", "duration", "law"),
    thinned(
        [
            (10, 1, 1.5, "nonic"),
            (10, 2, 2.0, "smooth"),
            (10, 3, 1.5, "smooth"),
            (10, 4, 2.0, "smooth"),
            (10, 4, 4.0, "nonic"),
            (100, 2, 4.0, "quintic"),
            (300, 3, 2.0, "quintic"),
            (1000, 4, 8.0, "nonic"),
        ],
        every=8,
    ),
)
def test_a_cascade_of_links_is_inverted(EI, count, duration, law):
    solution = make_inverse_method("stable").solve(cascade(EI, count, duration, law))
    assert verified_error(solution) < VERIFIED
    assert solution.facts["steps"] < 1000


@pytest.mark.parametrize(
    ("EI", "count", "duration", "law", "helps"),
    thinned(
        [
            (10, 1, 1.5, "smooth", "nonic"),
            (10, 2, 2.0, "quintic", "nonic"),
            (10, 2, 2.0, "quintic", "smooth"),
            (10, 4, 2.0, "nonic", "smooth"),
        ],
        every=4,
    ),
)
def test_where_it_stalls_the_message_names_the_place_and_advises_what_helps_there(
    EI, count, duration, law, helps
):
    """With one mode the bent arm is singular; whether the others have a bounded motion is not known."""
    place = r"largest residual is \S+ in (q|delta)_\S+ at t = \S+ s"
    with pytest.raises(SolverError, match=f"finds no bounded motion: .*{place}.*`law: {helps}`"):
        make_inverse_method("stable").solve(cascade(EI, count, duration, law))
    solution = make_inverse_method("stable").solve(cascade(EI, count, duration, helps))
    assert verified_error(solution) < VERIFIED


@pytest.mark.slow
def test_where_a_pair_of_zeros_goes_through_infinity_it_says_when_and_advises_what_helps():
    """The matrix of the internal dynamics is singular there, on the bent arm only."""
    place = r"at t = 0\.849\d s the matrix of the internal dynamics is singular: a pair of zeros goes through infinity"
    with pytest.raises(SolverError, match=f"{place}.*`law: smooth`"):
        make_inverse_method("stable").solve(cascade(10, 2, 1.5, "nonic", stiffened=True))
    solution = make_inverse_method("stable").solve(cascade(10, 2, 1.5, "smooth", stiffened=True))
    assert verified_error(solution) < VERIFIED


def check_random_arm(seed):
    _, problem = random_problem(seed)
    solution = make_inverse_method("stable").solve(problem)
    inside = (solution.times >= 0) & (solution.times <= problem.reference.duration)
    assert np.isfinite(solution.datasets()["torque"]).all()
    assert solution.datasets()["tip_error"][inside].max() < VERIFIED or problem.task.space == "joint"
    assert verified_error(solution) < VERIFIED


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned([5000, 5002, 1031, 92, 291], every=5))
def test_random_arms_are_inverted(seed):
    """Along the paths of 1031 and 1038 oscillations begin to grow; the number of unstable zeros of 1038 changes.

    On the way of 92 a pair of zeros goes through infinity; 291 has fewer growing motions at the end than at the start.
    """
    check_random_arm(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5001, 5003, *range(1000, 1040)])
def test_more_random_arms_are_inverted(seed):
    check_random_arm(seed)

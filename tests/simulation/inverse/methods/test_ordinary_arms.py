"""Stable inversion of ordinary arms: one whose second link drives the first, and random ones."""

import numpy as np
import pytest
from cascade_of_links import cascade
from random_inverse_tasks import random_problem

from flexarm.errors import SolverError
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.verification import verified_error

VERIFIED = 1e-6  # m


@pytest.mark.parametrize(
    ("EI", "count", "duration", "law"),
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
)
def test_a_cascade_of_links_is_inverted(EI, count, duration, law):
    solution = make_inverse_method("stable").solve(cascade(EI, count, duration, law))
    assert verified_error(solution) < VERIFIED
    assert solution.facts["steps"] < 1000


@pytest.mark.parametrize(
    ("EI", "count", "duration", "law", "helps"),
    [
        (10, 1, 1.5, "smooth", "nonic"),
        (10, 2, 2.0, "quintic", "nonic"),
        (10, 2, 2.0, "quintic", "smooth"),
        (10, 4, 2.0, "nonic", "smooth"),
    ],
)
def test_where_it_stalls_the_message_names_the_place_and_advises_what_helps_there(
    EI, count, duration, law, helps
):
    """Whether these have a bounded motion is not known."""
    place = r"largest residual is \S+ in (q|delta)_\S+ at t = \S+ s"
    with pytest.raises(SolverError, match=f"finds no bounded motion: .*{place}.*`law: {helps}`"):
        make_inverse_method("stable").solve(cascade(EI, count, duration, law))
    solution = make_inverse_method("stable").solve(cascade(EI, count, duration, helps))
    assert verified_error(solution) < VERIFIED


@pytest.mark.parametrize("seed", range(5000, 5008))
def test_random_arms_are_inverted(seed):
    _, problem = random_problem(seed)
    solution = make_inverse_method("stable").solve(problem)
    inside = (solution.times >= 0) & (solution.times <= problem.reference.duration)
    assert np.isfinite(solution.datasets()["torque"]).all()
    assert solution.datasets()["tip_error"][inside].max() < VERIFIED or problem.task.space == "joint"
    assert verified_error(solution) < VERIFIED

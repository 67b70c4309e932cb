"""Stable inversion of ordinary arms: one whose second link drives the first, and random ones."""

import numpy as np
import pytest
from random_inverse_tasks import random_problem

import flexarm
from flexarm.errors import SolverError
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.verification import verified_error

VERIFIED = 1e-6  # m


def cascade(EI, count, duration, law):
    """Two equal links and a heavy hub between them, whose reaction bends the first link: a badly scaled cascade."""
    link = (
        f"{{length: 0.5, mu: 1.0, EI: {EI}, damping: 0.01, modes: {{family: clamped-free, count: {count}}}}}"
    )
    arm = flexarm.parse_arm(
        f"name: cascade\ngravity: [0, 0, 0]\ngeometric_stiffening: false\nlinks: [{link}, {link}]\n"
        "joints: [{}, {mass: 1.0, inertia: 0.1}]\npayload: {mass: 0.1, inertia: [5.0e-4, 5.0e-4, 5.0e-4]}\n"
    )
    line = f"line: {{from: [0.8, 0.2], to: [0.3, 0.6], law: {law}}}"
    return inverse_problem(arm, flexarm.parse_trajectory(f"duration: {duration}\n{line}\nelbow: positive\n"))


@pytest.mark.parametrize(
    ("EI", "count", "duration", "law"),
    [
        (10, 1, 1.5, "nonic"),
        (10, 2, 2.0, "smooth"),
        (10, 3, 1.5, "smooth"),
        (10, 4, 2.0, "smooth"),
        (100, 2, 4.0, "quintic"),
        (300, 3, 2.0, "quintic"),
        (1000, 4, 8.0, "nonic"),
    ],
)
def test_a_cascade_of_links_is_inverted(EI, count, duration, law):
    solution = make_inverse_method("stable").solve(cascade(EI, count, duration, law))
    assert verified_error(solution) < VERIFIED
    assert solution.facts["steps"] < 1000


def test_a_law_whose_third_rate_jumps_may_have_no_bounded_motion_and_the_message_says_what_helps():
    """Followed ever faster, the second rates of the deflections grow beyond all bounds at 0.62 of the speed."""
    with pytest.raises(SolverError, match=r"finds no bounded motion: .*residual is .* at t = .*law: smooth"):
        make_inverse_method("stable").solve(cascade(10, 2, 2.0, "quintic"))


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 7])
def test_random_arms_are_inverted(seed):
    _, problem = random_problem(seed)
    solution = make_inverse_method("stable").solve(problem)
    inside = (solution.times >= 0) & (solution.times <= problem.reference.duration)
    assert np.isfinite(solution.datasets()["torque"]).all()
    assert solution.datasets()["tip_error"][inside].max() < VERIFIED or problem.task.space == "joint"
    assert verified_error(solution) < VERIFIED

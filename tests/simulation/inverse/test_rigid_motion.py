"""Rigid motion: run-up and run-out are named where the arm cannot follow them."""

import pytest

import flexarm
from flexarm.errors import ModelError

TWO = "name: two\nlinks: [{length: 0.5, mu: 1.0, EI: 50, modes: 1}, {length: 0.5, mu: 1.0}]\n"
OUTWARD, INWARD = "0.5 + 0.2*t", "0.9 - 0.2*t"


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (OUTWARD, "on the way from its end to rest: out of reach at t = 2"),
        pytest.param(INWARD, "on the way from rest to its start", marks=pytest.mark.slow),
    ],
)
def test_the_run_beyond_a_trajectory_is_named(x, message):
    trajectory = flexarm.parse_trajectory(f"duration: 2\npath: {{x: {x!r}, y: 0.35}}\nelbow: positive\n")
    with pytest.raises(ModelError, match=message):
        flexarm.inverse(flexarm.parse_arm(TWO), trajectory)
    assert flexarm.inverse(flexarm.parse_arm(TWO), trajectory, method="rigid").status == "complete"

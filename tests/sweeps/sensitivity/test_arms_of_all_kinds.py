"""Gradients of 60 random arms of all kinds against differences of runs."""

import pytest
from arms_of_all_kinds import arm_of_any_kind
from differences_of_runs import check_against_runs

import flexarm

BUZZING = 42
"""Strikes the wall 244 times in 0.2 s: differences of runs tell little of it."""
QUICK = (3, 11, 34, 38)
SEEDS = [
    pytest.param(seed, marks=() if seed in QUICK else pytest.mark.slow)
    for seed in range(61)
    if seed != BUZZING
]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_arms_against_differences_of_runs(seed):
    text, keys = arm_of_any_kind(seed)
    arm = flexarm.parse_arm(text)
    # events move by a small part of the time between them, and of what is smooth only the seventh derivative counts
    step = 2e-5 if arm.is_event_driven else 1e-3
    check_against_runs(arm, keys, step, meets=False)

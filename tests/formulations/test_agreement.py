"""All formulations of one arm, pairwise: with finite end rotation they are the same system."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from arms import ARMS, arm, random_state

from flexarm import motion_equations
from flexarm.catalogue import FORMULATIONS

AGREEMENT = 1e-10
"""Relative; accelerations lose digits by the condition of the mass matrix."""

PAIRS = list(combinations(FORMULATIONS, 2))


@cache
def values(name: str, formulation: str) -> dict[str, np.ndarray]:
    """What one formulation makes of a random state."""
    theta, theta_d, theta_dd = random_state(arm(name), seed=4)
    eq = motion_equations(arm(name), formulation=formulation)
    forces = np.random.default_rng(4).normal(size=eq.n_dof)
    return {
        "mass matrix": eq.mass_matrix(theta),
        "bias": eq.bias(theta, theta_d),
        "accelerations": eq.forward_dynamics(theta, theta_d, forces),
        "forces": eq.inverse_dynamics(theta, theta_d, theta_dd),
    }


@pytest.mark.parametrize(("one", "other"), PAIRS)
@pytest.mark.parametrize("name", ARMS)
def test_formulations_agree(name, one, other):
    for what, expected in values(name, one).items():
        error = np.abs(values(name, other)[what] - expected).max() / np.abs(expected).max()
        print(f"{name}, {one} and {other}, {what}: {error:.1e}")
        assert error < AGREEMENT, what

"""All formulations of one arm, pairwise: with finite end rotation they are the same system."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from arms import ARMS, arm, equations, random_state
from breadth import thinned

from flexarm.catalogue import FORMULATIONS

AGREEMENT = 1e-10
"""Relative; accelerations lose digits by the condition of the mass matrix."""


def values(name: str, formulation: str) -> dict[str, np.ndarray]:
    """What one formulation makes of a random state."""
    theta, theta_d, theta_dd = random_state(arm(name), seed=4)
    eq = equations(name, formulation)
    forces = np.random.default_rng(4).normal(size=eq.n_dof)
    return {
        "mass matrix": eq.mass_matrix(theta),
        "bias": eq.bias(theta, theta_d),
        "accelerations": eq.forward_dynamics(theta, theta_d, forces),
        "forces": eq.inverse_dynamics(theta, theta_d, theta_dd),
    }


@pytest.mark.parametrize("name", thinned(ARMS, every=7))
def test_formulations_agree(name):
    found = {formulation: values(name, formulation) for formulation in FORMULATIONS}
    for one, other in combinations(FORMULATIONS, 2):
        for what, expected in found[one].items():
            error = np.abs(found[other][what] - expected).max() / np.abs(expected).max()
            print(f"{name}, {one} and {other}, {what}: {error:.1e}")
            assert error < AGREEMENT, (one, other, what)

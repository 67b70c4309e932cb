"""Torques of dry friction at rest: a box-constrained convex quadratic programme, which has one solution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from flexarm.simulation.contact.friction.contact_forces import FrictionProblem, friction_forces

NO_WALLS = np.empty(0, dtype=np.intp)


@pytest.mark.parametrize("seed", range(20))
def test_torques_minimise_the_kinetic_energy_of_the_accelerations(seed):
    """min (A T + b)' A^-1 (A T + b) / 2 over -limit <= T <= limit, by another solver; some joints slide."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 8))
    root = rng.normal(size=(d, 2 * d)) * 10.0 ** rng.uniform(-2, 2, size=d)[:, None]  # light and heavy joints
    A = root @ root.T
    kinetic = rng.uniform(0.1, 2.0, size=d)
    static = kinetic * rng.uniform(1.0, 1.5, size=d)
    direction = np.where(rng.random(d) < 0.3, rng.choice([-1.0, 1.0], size=d), 0.0)
    b = A @ rng.normal(size=d)
    found = friction_forces(FrictionProblem(A, b, NO_WALLS, kinetic, static, direction, 1e-9))
    assert found is not None
    rests, sliding = direction == 0, -direction * kinetic
    factor = np.linalg.cholesky(A)  # A = L L': the programme is min |L' T + L^-1 b|
    target = -np.linalg.solve(factor, b) - factor.T @ sliding
    expected = sliding.copy()
    if rests.any():
        box = lsq_linear(
            factor.T[:, rests], target, (-static[rests], static[rests]), method="bvls", tol=1e-14
        )
        expected[rests] = box.x
    inside = np.abs(expected) < static * (
        1 - 1e-4
    )  # regularisation: 1e-7 of the diagonal, times its condition
    np.testing.assert_array_equal(found.sticks[rests], inside[rests])
    at_limit = rests & ~inside
    np.testing.assert_array_equal(found.direction[at_limit], -np.sign(expected[at_limit]))

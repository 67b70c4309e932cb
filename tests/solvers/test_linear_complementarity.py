"""The linear complementarity problem against the enumeration of all active sets."""

from __future__ import annotations

import numpy as np
import pytest
from reference.active_sets import by_enumeration

from flexarm.errors import SolverError
from flexarm.solvers.linear_complementarity import solve_lcp

ROUND_OFF = 1e-10


@pytest.mark.parametrize("seed", range(30))
def test_random_problems_as_by_enumeration(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 7))
    J = rng.normal(size=(m, m + 2))
    A, b = J @ J.T, rng.normal(size=m)
    (expected,) = by_enumeration(A, b)
    np.testing.assert_allclose(solve_lcp(A, b), expected, atol=ROUND_OFF)


@pytest.mark.parametrize("seed", range(20))
def test_redundant_contacts(seed):
    """More contacts than ways to move: forces are not unique, velocities are."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(6, 3))
    A, b = J @ J.T, -2 * J @ rng.normal(size=3)
    F = solve_lcp(A, b)
    w = A @ F + b
    assert F.min() >= 0
    assert w.min() >= -ROUND_OFF
    np.testing.assert_allclose(F * w, 0, atol=ROUND_OFF)
    for other in by_enumeration(A, b):
        np.testing.assert_allclose(w, A @ other + b, atol=1e-8)


@pytest.mark.parametrize("seed", [1320, 3220, 4736, 5360])
def test_redundant_contacts_of_very_different_weight(seed):
    """Found by search: round-off keeps the active-set method from ending."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 13))
    J = rng.normal(size=(m, int(rng.integers(1, m + 3)))) * 10 ** rng.uniform(-2, 2, (m, 1))
    A, b = J @ J.T, -2 * J @ rng.normal(size=J.shape[1])
    F, weight = solve_lcp(A, b), np.linalg.norm(J, axis=1)
    w = (A @ F + b) / weight
    assert F.min() >= 0
    assert w.min() >= -1e-8
    np.testing.assert_allclose(F * weight * w, 0, atol=1e-8 * (F * weight).max())


def test_units_do_not_matter():
    """A light and a heavy contact: scaling of the unknowns scales the solution."""
    rng = np.random.default_rng(3)
    J = rng.normal(size=(4, 6))
    A, b, scale = J @ J.T, rng.normal(size=4), np.array([1e-3, 1.0, 30.0, 1e3])
    scaled = solve_lcp(scale[:, None] * A * scale, scale * b)
    np.testing.assert_allclose(scaled * scale, solve_lcp(A, b), rtol=1e-9, atol=1e-12)


def test_a_contact_that_would_have_to_pull_is_released():
    A, b = np.array([[2.0, 1.5], [1.5, 2.0]]), np.array([-4.0, -1.0])
    np.testing.assert_allclose(solve_lcp(A, b), [2.0, 0.0])
    assert np.linalg.solve(A, -b)[1] < 0


def test_no_contacts():
    assert solve_lcp(np.empty((0, 0)), np.empty(0)).size == 0


def test_what_no_force_can_move_is_reported():
    with pytest.raises(SolverError, match="driven into"):
        solve_lcp(np.diag([1.0, 0.0]), np.array([1.0, -1.0]))


def test_wedged_between_two_walls():
    """Two walls that close on one coordinate."""
    with pytest.raises(SolverError, match="wedged"):
        solve_lcp(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, -1.0]))

"""Lemke's method against enumeration, and on problems whose solutions are known."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from reference.active_sets import by_enumeration

from flexarm.solvers.lemke import Termination, lemke

ROUND_OFF = 1e-8
"""Violation, in units of the largest term: u times the condition of a basis, some 1e6."""


def is_solution(A, b, z):
    w = A @ z + b
    terms = np.maximum(np.abs(A) @ z + np.abs(b), np.abs(b).max())
    return np.all(z >= 0) and np.all(w >= -ROUND_OFF * terms) and np.all(z * w <= ROUND_OFF * terms * z.max())


@pytest.mark.parametrize("seed", range(20))
def test_positive_definite_but_not_symmetric(seed):
    """One solution, which enumeration finds."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 7))
    J, skew = rng.normal(size=(m, m + 2)), rng.normal(size=(m, m))
    A, b = J @ J.T + skew - skew.T, rng.normal(size=m)
    (expected,) = by_enumeration(A, b)
    result = lemke(A, b)
    assert result.solved
    np.testing.assert_allclose(result.z, expected, atol=ROUND_OFF * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("seed", range(20))
def test_no_definite_sign(seed):
    """P-matrices have one solution for every b; those of strictly dominant diagonals are some."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 7))
    A = rng.normal(size=(m, m))
    np.fill_diagonal(A, 1.1 * np.abs(A).sum(axis=1))
    b = rng.normal(size=m)
    (expected,) = by_enumeration(A, b)
    np.testing.assert_allclose(lemke(A, b).z, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", thinned(range(300), every=10))
def test_redundant_contacts_of_any_weight(seed):
    """More contacts than ways to move, light and heavy ones: ties are the rule."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 13))
    J = rng.normal(size=(m, int(rng.integers(1, m + 3)))) * 10 ** rng.uniform(-2, 2, (m, 1))
    A, b = J @ J.T, -2 * J @ rng.normal(size=J.shape[1])
    result = lemke(A, b)
    assert result.solved
    weight = np.linalg.norm(J, axis=1)
    assert is_solution(A / weight[:, None] / weight, b / weight, result.z * weight)


def test_every_row_a_tie():
    """All entries of b equal: only the lexicographic order decides."""
    m = 10
    A, b = np.eye(m) + np.ones((m, m)), -np.ones(m)
    np.testing.assert_allclose(lemke(A, b).z, np.full(m, 1 / (m + 1)))


def test_principal_pivots_would_go_in_circles():
    """Making the first violated row's unknown basic, by turns, comes back to the same basis here."""
    A, b = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]]), -np.ones(3)
    np.testing.assert_allclose(lemke(A, b).z, np.full(3, 1 / 3))


def test_a_ray_is_told_from_a_solution():
    """No z >= 0 makes the second row positive."""
    result = lemke(np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1.0, -1.0]))
    assert not result.solved
    assert result.termination is Termination.RAY
    np.testing.assert_array_equal(result.z, 0)


def test_wedged_between_two_walls_is_a_ray():
    A = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert lemke(A, np.array([-1.0, -1.0])).termination is Termination.RAY


def test_nothing_to_do():
    assert lemke(np.empty((0, 0)), np.empty(0)).solved
    np.testing.assert_array_equal(lemke(-np.eye(2), np.array([0.0, 1.0])).z, 0)

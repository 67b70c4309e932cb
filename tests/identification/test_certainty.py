"""Covariance and what is undetermined of linear problems, and the test of whiteness, against closed forms."""

import numpy as np
import pytest

from flexarm.identification.unknowns import Unknown
from flexarm.identification.worth.certainty import certainty, in_words
from flexarm.identification.worth.goodness import column_fit

NAMES = "abcd"
UNKNOWNS = [Unknown(name, "number", name, 1.0, -np.inf, np.inf, 0.0) for name in NAMES]


def jacobian(nulls, seed=0, size=100.0):
    """Random Jacobian (500, 4) whose null space is spanned by some rows, with errors of 1e-9."""
    random = np.random.default_rng(seed)
    basis = np.linalg.svd(np.array(nulls, dtype=float).reshape(-1, 4), full_matrices=True)[2][len(nulls) :]
    J = size * random.normal(size=(500, len(basis))) @ basis
    return J + 1e-9 * np.abs(J).max() * random.normal(size=J.shape)


def test_covariance_of_what_is_determined():
    J = jacobian([])
    found = certainty(J, 2.0)
    np.testing.assert_allclose(found.covariance, 2.0 * np.linalg.inv(J.T @ J), rtol=1e-10, atol=1e-16)
    assert found.known.all()
    assert not len(found.undetermined)
    np.testing.assert_allclose(np.diag(found.correlation), 1.0)


@pytest.mark.parametrize(
    ("nulls", "words"),
    [
        ([[1, 1, 0, 0]], ["only a/b is known, none of them by itself"]),
        ([[1, -1, 0, 0]], ["only a*b is known, none of them by itself"]),
        ([[2, 1, 0, 0]], ["only a/b^2 is known, none of them by itself"]),
        ([[2, 0, 0, -3]], ["only a^3*d^2 is known, none of them by itself"]),
        ([[1, 1, 1, 0]], ["only the ratios of a, b and c are known, none of them by itself"]),
        ([[0, 0, 0, 1]], ["d is not known: beside their errors the data hardly depend on it"]),
        ([[1, 1, 0, 0], [0, 0, 1, 1]], [f"only {two} is known, none of them by itself" for two in ("a/b", "c/d")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [100.0, 1e6])
def test_what_is_undetermined_is_said(nulls, words, size):
    """However small the noise: errors of derivatives make no knowledge."""
    found = certainty(jacobian(nulls, size=size), 1.0)
    assert sorted(in_words(one, UNKNOWNS, [1.0, 1.0, 1.0, 1.0]) for one in found.undetermined) == sorted(
        words
    )
    involved = np.any(np.array(nulls) != 0, axis=0)
    assert (found.known == ~involved).all()


def test_a_sum_is_recognised():
    """a + b stays if a grows by a part of it and b shrinks by as much."""
    (change,) = certainty(jacobian([[1 / 3.0, -1 / 5.0, 0, 0]]), 1.0).undetermined
    assert in_words(change, UNKNOWNS, [3.0, 5.0, 1, 1]) == "only a + b is known, none of them by itself"


def test_too_much_noise_leaves_an_unknown_open():
    """Column d acts so weakly that its standard deviation is 5 times itself."""
    J = jacobian([])
    J[:, 3] *= 0.2 / np.linalg.norm(J[:, 3])
    found = certainty(J, 1.0)
    assert found.known.tolist() == [True, True, True, False]


def test_whiteness_of_correlated_noise():
    """x_k = a x_k-1 + e_k: means have (1 + a)/(1 - a) times the variance of white ones."""
    random, a = np.random.default_rng(2), 0.6
    white = random.normal(size=20_000)
    left = white.copy()
    for k in range(1, left.size):
        left[k] += a * left[k - 1]
    ramp = np.linspace(0, 100, left.size)
    one = column_fit("hub", "rad", [ramp], [left])
    assert not one.is_white
    assert one.narrowness == pytest.approx(np.sqrt((1 + a) / (1 - a)), rel=0.1)
    assert one.residual == pytest.approx(1 / np.sqrt(1 - a**2), rel=0.05)
    assert one.per_cent == pytest.approx(100 * (1 - one.residual**2 / ramp.var()))
    assert column_fit("hub", "rad", [ramp], [white]).is_white


def test_probabilities_of_white_noise_are_even():
    """Of 200 samples of white noise 1 % are called coloured: 2, rarely more than 8; and half are below 0.5."""
    random = np.random.default_rng(0)
    found = [
        column_fit("hub", "", [np.arange(300.0)], [random.normal(size=300)]).whiteness for _ in range(200)
    ]
    assert np.mean(np.array(found) < 0.01) < 0.04
    assert abs(np.mean(np.array(found) < 0.5) - 0.5) < 0.15


def test_no_share_of_a_constant_column_is_explained():
    column = np.full(50, 0.3) * (1 + 1e-16)
    found = column_fit("hub", "rad", [column], [column - 0.1])
    assert np.isnan(found.per_cent)

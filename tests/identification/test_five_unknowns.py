"""Five numbers of a rig found from noisy measurements: intervals that are honest, from starts far away."""

import numpy as np
import pytest
from measured_rig import COLUMNS, NUMBERS, RIG, measured

import flexarm

SEEDS = 24
"""Of the slow test; benchmarks/identification.py takes 200."""


def errors(seed, **options):
    """Errors of the five numbers, in their standard errors, from starts that are off by a factor 3 or 1/3."""
    factors = 3.0 ** np.random.default_rng(1000 + seed).choice([-1, 1], len(NUMBERS))
    fits = [
        f"{key}={value * factor:.6g}" for (key, value), factor in zip(NUMBERS.items(), factors, strict=True)
    ]
    found = flexarm.identify(flexarm.parse_arm(RIG), measured(seed, **options), fits, columns=COLUMNS)
    assert found.known.all()
    assert found.remarks == ()
    return (found.values - list(NUMBERS.values())) / found.standard_errors


def test_the_numbers_are_found_from_starts_off_by_a_factor_3():
    # five standard errors: once in 10^6
    assert np.abs(errors(0, step=0.01)).max() < 5


@pytest.mark.slow
def test_intervals_are_honest():
    """All five within 3 standard errors in 95 % of the seeds, and squares as chi squared has them."""
    found = np.array([errors(seed, step=0.01) for seed in range(SEEDS)])
    assert np.mean(np.abs(found).max(axis=1) < 3) >= 0.95
    # mean square of 24 errors of variance 1: standard deviation (2/24)^(1/2) = 0.29
    np.testing.assert_allclose((found**2).mean(axis=0), 1.0, atol=4 * np.sqrt(2 / SEEDS))


def test_without_noise_the_numbers_come_back():
    """To what integration at rtol 1e-9 and the flatness of the squares leave: 1e-6 of numbers known to 5 %."""
    fits = [f"{key}={1.2 * value:.6g}" for key, value in NUMBERS.items()]
    found = flexarm.identify(flexarm.parse_arm(RIG), measured(0, 0.0, step=0.01), fits, columns=COLUMNS)
    np.testing.assert_allclose(found.values, list(NUMBERS.values()), rtol=1e-5)

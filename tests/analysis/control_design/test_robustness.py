"""Margins and largest sensitivities against loops whose own are known in closed form."""

import numpy as np
import pytest
from breadth import thinned
from scipy.signal import tf2ss

from flexarm.analysis.control_design.robustness import StateSpace, largest_gain, margins


def loop(numerator, denominator, period=None):
    return StateSpace(*tf2ss(numerator, denominator), period)


def test_an_integrator():
    found = margins(loop([3.0], [1.0, 0.0]))
    assert found.gain == (0.0, np.inf)
    assert found.phase == pytest.approx(np.pi / 2, rel=1e-10)
    assert found.delay == pytest.approx(np.pi / 2 / 3, rel=1e-10)
    assert found.sensitivity == pytest.approx(1, rel=1e-6)


def test_three_poles():
    """k/(s (s + 1) (s + 2)) is unstable from k = 6 on, with poles at +-sqrt(2) j."""
    found = margins(loop([1.5], [1.0, 3.0, 2.0, 0.0]))
    assert found.gain == (0.0, pytest.approx(4, rel=1e-9))
    roots = np.roots([1, 0, 5, 0, 4, 0, -(1.5**2)])  # w^2 (w^2 + 1) (w^2 + 4) = k^2
    w = float(np.real(roots[(np.abs(np.imag(roots)) < 1e-9) & (np.real(roots) > 0)])[0])
    assert found.phase == pytest.approx(np.pi / 2 - np.arctan(w) - np.arctan(w / 2), rel=1e-9)
    assert found.delay == pytest.approx(found.phase / w, rel=1e-9)


def test_a_loop_that_needs_its_gain():
    """k (s + 1)/(s (s - 1)) is stable for k > 1."""
    found = margins(loop([4.0, 4.0], [1.0, -1.0, 0.0]))
    assert found.gain == (pytest.approx(0.25, rel=1e-9), np.inf)


def test_a_sampled_integrator():
    """k T/(z - 1) is stable up to k T = 2."""
    found = margins(loop([0.5], [1.0, -1.0], period=0.01))
    assert found.gain == (0.0, pytest.approx(4, rel=1e-6))
    w = 2 * np.arcsin(0.25)  # |z - 1| = k T
    assert found.phase == pytest.approx(np.pi / 2 - w / 2, rel=1e-9)
    assert found.sensitivity == pytest.approx(1 / (1 - 0.25), rel=1e-6)  # at z = -1


@pytest.mark.parametrize("seed", thinned(range(6), 5))
def test_largest_gain_is_that_of_a_dense_grid(seed):
    rng = np.random.default_rng(seed)
    n, period = 6, (None, 0.1)[seed % 2]
    A = rng.normal(size=(n, n))
    A = (
        A - (np.linalg.eigvals(A).real.max() + 0.05) * np.eye(n)
        if period is None
        else A / (np.abs(np.linalg.eigvals(A)).max() + 0.02)
    )
    system = StateSpace(A, rng.normal(size=(n, 2)), rng.normal(size=(3, n)), rng.normal(size=(3, 2)), period)
    w = (
        np.append(0, np.geomspace(1e-4, 1e4, 50_001))
        if period is None
        else np.linspace(0, np.pi / period, 50_001)
    )
    grid = np.linalg.norm(system.at(w), 2, axis=(1, 2)).max()
    # a maximum is met to half the square of the distance to the nearest frequency, which is 2e-4 of it
    assert largest_gain(system) == pytest.approx(grid, rel=1e-5)
    assert largest_gain(system) >= grid * (1 - 1e-6)

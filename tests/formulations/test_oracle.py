"""Every formulation against the independent oracle of tests/reference and against itself, over all random arms."""

from __future__ import annotations

import numpy as np
import pytest
from arms import ARMS, arm, driven, equations, random_state
from breadth import thinned
from reference.lagrangian import oracle

from flexarm.catalogue import FORMULATIONS

AGREEMENT = 1e-11  # relative; two different ways to the same numbers, conditioned like the mass matrix
ROUND_OFF = 1e-12

over_all = pytest.mark.parametrize(
    ("name", "formulation"),
    thinned([(name, formulation) for name in ARMS for formulation in FORMULATIONS], every=13),
)


def assert_close(actual, expected, tolerance=AGREEMENT):
    error = np.abs(np.asarray(actual) - expected).max() / np.abs(expected).max()
    assert error < tolerance, f"relative difference {error:.1e}"


@over_all
def test_mass_matrix(name, formulation):
    theta = random_state(arm(name)).theta
    assert_close(equations(name, formulation).mass_matrix(theta), oracle(arm(name)).mass_matrix(theta))


@over_all
def test_mass_matrix_is_symmetric_and_positive_definite(name, formulation):
    for seed in range(3):
        M = equations(name, formulation).mass_matrix(random_state(arm(name), seed).theta)
        np.testing.assert_array_equal(M, M.T)
        assert np.linalg.eigvalsh(M).min() > 0


@over_all
def test_bias(name, formulation):
    theta, theta_d, _ = random_state(arm(name))
    assert_close(equations(name, formulation).bias(theta, theta_d), oracle(arm(name)).bias(theta, theta_d))


@over_all
def test_forward_dynamics(name, formulation):
    theta, theta_d, _ = random_state(arm(name))
    eq = equations(name, formulation)
    tau = np.random.default_rng(0).normal(size=len(driven(eq)))
    forces = np.zeros(eq.n_dof)
    forces[driven(eq)] = tau
    assert_close(
        eq.forward_dynamics(theta, theta_d, tau), oracle(arm(name)).forward_dynamics(theta, theta_d, forces)
    )


@over_all
def test_forward_inverts_inverse(name, formulation):
    theta, theta_d, theta_dd = random_state(arm(name), seed=1)
    eq = equations(name, formulation)
    forces = eq.inverse_dynamics(theta, theta_d, theta_dd)
    assert_close(eq.forward_dynamics(theta, theta_d, forces), theta_dd)


@over_all
def test_inverse_dynamics_gives_the_columns_of_the_mass_matrix(name, formulation):
    theta, theta_d, _ = random_state(arm(name), seed=2)
    eq = equations(name, formulation)
    bias = eq.bias(theta, theta_d)
    columns = [eq.inverse_dynamics(theta, theta_d, unit) - bias for unit in np.eye(eq.n_dof)]
    M = eq.mass_matrix(theta)
    scale = np.abs(M).max() + np.abs(bias).max()
    np.testing.assert_allclose(np.array(columns).T, M, atol=ROUND_OFF * scale, rtol=0)


@pytest.mark.parametrize("name", thinned(ARMS, every=2))
def test_energies_and_points(name):
    theta, theta_d, _ = random_state(arm(name))
    eq, reference = equations(name, "articulated"), oracle(arm(name))
    assert_close(eq.energies(theta, theta_d), reference.energies(theta, theta_d))
    assert_close(eq.points(theta), reference.points(theta))


@over_all
def test_power_balance(name, formulation):
    """Kinetic, gravity and strain energy change by the power of torques, damping and friction."""
    theta, theta_d, _ = random_state(arm(name), seed=3)
    eq = equations(name, formulation)
    forces = np.random.default_rng(3).normal(size=eq.n_dof)
    theta_dd = eq.forward_dynamics(theta, theta_d, forces)
    h = 1e-5
    along = [
        eq.energies(theta + s * theta_d + s**2 / 2 * theta_dd, theta_d + s * theta_dd).total
        for s in (-2 * h, -h, h, 2 * h)
    ]
    rate = (along[0] - 8 * along[1] + 8 * along[2] - along[3]) / (12 * h)
    # what friction and damping take: the part of the bias that is odd in the rates, at rest of everything else
    dissipated = theta_d @ (eq.bias(theta, theta_d) - eq.bias(theta, -theta_d)) / 2
    scale = np.abs(forces * theta_d).sum() + abs(dissipated)
    assert abs(rate - (forces @ theta_d - dissipated)) < 1e-6 * max(scale, 1.0)

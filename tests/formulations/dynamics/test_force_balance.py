"""Terms of the balance of generalised forces, and the matrices of [NA04], as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from arms import arm, random_state
from breadth import thinned
from reference.lagrangian import oracle

from flexarm import ModelError, motion_equations
from flexarm.description.arm.arm import Arm

AGREEMENT = 1e-11


def assert_close(actual, expected, size=None):
    scale = np.abs(expected).max() if size is None else size
    assert np.abs(np.asarray(actual) - expected).max() < AGREEMENT * scale


def variants(name: str) -> list[Arm]:
    """The arm as it is, stiffened, and afloat."""
    made = arm(name)
    floating = made.model_copy(update={"base": "planar" if name.startswith("planar") else "fixed"})
    return [made, made.model_copy(update={"geometric_stiffening": True}), floating]


@pytest.mark.parametrize(
    "name",
    thinned(["planar-two-link", "planar-families", "spatial-fixed-joints", "spatial-torsion"], every=4),
)
def test_terms_are_what_they_are_called(name):
    for made in variants(name):
        eq = motion_equations(made)
        rng = np.random.default_rng(4)
        theta, theta_d, theta_dd = rng.normal(size=(3, eq.n_dof))
        theta[list(eq.coordinates.all_modes)] *= 0.02
        zero = np.zeros(eq.n_dof)
        terms = eq.balance(theta, theta_d, theta_dd)
        total = eq.inverse_dynamics(theta, theta_d, theta_dd)
        size = max(np.abs(term).max() for term in terms)
        assert_close(sum(terms), total, size)

        weightless = motion_equations(made.model_copy(update={"gravity": (0.0, 0.0, 0.0)}))
        assert_close(terms.gravity, total - weightless.inverse_dynamics(theta, theta_d, theta_dd), size)
        assert_close(
            terms.inertia - eq.balance(theta, theta_d, zero).inertia, eq.mass_matrix(theta) @ theta_dd, size
        )
        at_rest = eq.balance(theta, zero, zero)
        assert np.abs(at_rest.inertia).max() < AGREEMENT * size
        assert not np.any(at_rest.friction)
        joints = list(eq.coordinates.moving_joints)
        assert not np.any(np.delete(terms.friction, joints))
        assert not np.any(at_rest.deformation[joints])
        strain = eq.energies(theta, zero).strain
        assert at_rest.deformation @ theta == pytest.approx(
            2 * strain, rel=1e-12
        )  # Euler: quadratic in theta


def test_gravity_of_a_free_base_is_the_weight():
    """Along the velocity of the base; about its orientation, the moment of the weight about the base."""
    made = arm("spatial-two-link")
    first, *others = made.joints
    locked = first.model_copy(update={"type": "fixed", "angle": 0.3})
    afloat = made.model_copy(
        update={"base": "free", "joints": (locked, *others), "gravity": (0.0, 0.0, -9.81)}
    )
    eq = motion_equations(afloat)
    theta = np.zeros(eq.n_theta)
    theta[-4] = 1.0
    gravity = eq.balance(theta, np.zeros(eq.n_dof), np.zeros(eq.n_dof)).gravity
    mass = eq.mass_matrix(theta)[-6, -6]
    np.testing.assert_allclose(gravity[-6:-3], [0, 0, 9.81 * mass], atol=1e-12 * mass)


@pytest.mark.parametrize("name", ["planar-two-link", "spatial-torsion"])
def test_matrices_put_inertia_forces_and_acceleration_energy_together(name):
    eq = motion_equations(arm(name))
    theta, theta_d, theta_dd = random_state(arm(name), seed=6)
    M, B, C, _ = eq.matrices(theta, theta_d)
    pairs = np.array([theta_d[j] * theta_d[m] for j in range(eq.n_dof) for m in range(j + 1, eq.n_dof)])
    assert_close(M @ theta_dd + B @ pairs + C @ theta_d**2, eq.balance(theta, theta_d, theta_dd).inertia)
    assert_close(M, oracle(arm(name)).mass_matrix(theta))


def test_arms_that_na04_does_not_know_have_no_matrices():
    stiffened = arm("planar-two-link").model_copy(update={"geometric_stiffening": True})
    eq = motion_equations(stiffened)
    with pytest.raises(ModelError, match="geometric_stiffening: false"):
        eq.matrices(np.zeros(eq.n_theta), np.zeros(eq.n_dof))

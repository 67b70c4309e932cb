"""Energies, forces and matrices of [NA04] against each other and against the mass points of the oracle."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from arms import ARMS, arm, random_state
from breadth import thinned
from reference.lagrangian import oracle

from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.homogeneous_transforms import LinkTransformation
from flexarm.formulations.methods.elastodynamics.elastodynamics import Elastodynamics
from flexarm.formulations.methods.elastodynamics.energy_derivatives import (
    acceleration_energy,
    appell_forces,
    kinetic_energy,
    lagrange_euler_forces,
)
from flexarm.formulations.methods.elastodynamics.locating_matrices import (
    joint_locating_matrix,
    locating_matrices,
)
from flexarm.formulations.methods.elastodynamics.motion_matrices import MotionMatrices, velocity_products
from flexarm.model.chain_builder import build_chain

AGREEMENT = 1e-11
POINTS_ONLY = ("planar-one-link", "planar-two-link", "spatial-two-link")
"""Arms of mass points: nothing on them has a moment of inertia of its own."""
SMALL_ENOUGH = [name for name in ARMS if name != "spatial-large"]

over_all = pytest.mark.parametrize("name", thinned(ARMS, every=2))
over_most = pytest.mark.parametrize("name", thinned(SMALL_ENOUGH, every=4))


def evaluate(name: str, expressions, rotation="finite"):
    """Values of what is derived from (chain, theta, theta_d, theta_dd) at a random state.

    The state goes in as constants: derivatives are taken first, then everything folds to numbers as it is built,
    which is far quicker than a function of symbols for the second derivatives of long arms.
    """
    state = (ca.SX(part) for part in random_state(arm(name), seed=6))
    return [ca.DM(output).full() for output in expressions(build_chain(arm(name, rotation)), *state)]


def assert_close(actual, expected, tolerance=AGREEMENT):
    error = np.abs(np.asarray(actual) - expected).max() / np.abs(expected).max()
    assert error < tolerance, f"relative difference {error:.1e}"


@pytest.mark.parametrize("rotation", thinned(["finite", "small"]))
@over_all
def test_appell_equals_lagrange_euler(name, rotation):
    """[NA04] eq. 23, for either end rotation: both differentiate the same positions."""
    one, other = evaluate(name, lambda *at: (appell_forces(*at), lagrange_euler_forces(*at)), rotation)
    assert_close(one, other)


@over_most
def test_kinetic_energy(name):
    """[NA04] eq. 18: the energy that every formulation's results show, and 1/2 theta_d^T M theta_d."""

    def both(chain, theta, theta_d, theta_dd):
        M = Elastodynamics(chain).mass_matrix(theta)
        return kinetic_energy(chain, theta, theta_d), theta_d.T @ M @ theta_d / 2

    E_C, by_matrix = evaluate(name, both)
    theta, theta_d, _ = random_state(arm(name), seed=6)
    assert_close(E_C, by_matrix)
    assert_close(E_C, oracle(arm(name)).energies(theta, theta_d).kinetic)


@pytest.mark.parametrize("rotation", ["finite", "small"])
@pytest.mark.parametrize("name", POINTS_ONLY)
def test_acceleration_energy_is_that_of_mass_points(name, rotation):
    """[NA04] eq. 19: half the mass times the square of the acceleration, summed over the oracle's points."""
    reference = oracle(arm(name), rotation)
    theta_d, theta_dd = reference.theta_d_sym, ca.SX.sym("theta_dd", reference.n_dof)
    x = ca.vec(reference.positions)
    velocity = ca.jtimes(x, reference.theta_sym, theta_d)
    acceleration = ca.jtimes(velocity, reference.theta_sym, theta_d) + ca.jtimes(
        x, reference.theta_sym, theta_dd
    )
    f = ca.Function("a", [reference.theta_sym, theta_d, theta_dd], [acceleration])
    a = f(*random_state(arm(name), seed=6)).full().reshape(-1, 3)
    (E_A,) = evaluate(name, lambda *at: (acceleration_energy(*at),), rotation)
    assert_close(E_A, reference.masses @ (a**2).sum(axis=1) / 2)


@over_most
def test_matrices_put_the_acceleration_energy_together(name):
    """[NA04] eqs. 5 and 20, with twice V_ijm in the Coriolis matrix."""

    def both(chain, theta, theta_d, theta_dd):
        matrices = MotionMatrices(chain, theta)
        M = Elastodynamics(chain).mass_matrix(theta)
        velocity = matrices.coriolis() @ velocity_products(theta_d) + matrices.centrifugal() @ theta_d**2
        D = matrices.pseudo_inertia(theta_d)
        E_A = theta_dd.T @ M @ theta_dd / 2 + velocity.T @ theta_dd + theta_d.T @ D @ theta_d / 2
        at_rest = appell_forces(chain, theta, theta_d, 0 * theta_dd)
        return E_A, acceleration_energy(chain, theta, theta_d, theta_dd), velocity, at_rest, D

    E_A, expected, velocity, at_rest, D = evaluate(name, both)
    assert_close(E_A, expected)
    assert_close(velocity, at_rest)
    assert_close(D, D.T)


def test_printed_coriolis_matrix_misses_a_factor():
    """[NA04] eq. 6 as printed, V_ijm once for each pair j < m, gives other velocity forces than eq. 19."""

    def both(chain, theta, theta_d, theta_dd):
        matrices = MotionMatrices(chain, theta)
        printed = matrices.coriolis() @ velocity_products(theta_d) / 2
        rest = matrices.centrifugal() @ theta_d**2
        return printed + rest, appell_forces(chain, theta, theta_d, 0 * theta_dd)

    printed, expected = evaluate("planar-rigid-three", both)
    assert np.abs(printed - expected).max() > 0.1 * np.abs(expected).max()


@over_most
def test_rate_of_the_mass_matrix_is_twice_the_velocity_matrix(name):
    """theta_d^T (M_d - 2 C) theta_d = 0, and the whole matrix is skew-symmetric."""

    def derived(chain, theta, theta_d, theta_dd):
        at = ca.SX.sym("theta", theta.numel())
        M = Elastodynamics(chain).mass_matrix(at)
        M_d = ca.substitute(ca.reshape(ca.jtimes(ca.vec(M), at, theta_d), M.shape), at, theta)
        V = MotionMatrices(chain, theta).velocity_matrix(theta_d)
        return M_d, V, V @ theta_d, appell_forces(chain, theta, theta_d, 0 * theta_dd)

    M_d, V, velocity, at_rest = evaluate(name, derived)
    theta_d = random_state(arm(name), seed=6).theta_d
    X = M_d - 2 * V
    assert abs(theta_d @ X @ theta_d) < AGREEMENT * (np.abs(theta_d) @ np.abs(M_d) @ np.abs(theta_d))
    assert np.abs(X + X.T).max() < AGREEMENT * np.abs(X).max()
    assert_close(velocity, at_rest)


def test_rate_of_a_locating_matrix_needs_all_joints_before_the_bent_link():
    """[NA04] eq. 15 prints T_kk-1 before Delta T_kl; the derivative of eq. 14 has T_k0 there."""
    chain = build_chain(arm("spatial-torsion"))
    theta = ca.SX.sym("theta", chain.coordinates.n_dof)
    state = ChainState.of(chain, theta, ca.SX.zeros(theta.numel()))
    T = locating_matrices(chain, state)
    k, row = 1, chain.rows[1].modes[0]
    bent = chain.bodies[k].link
    Delta = LinkTransformation.of(bent, state.delta[k], 0 * state.delta[k], chain.link_rotation).M[0]
    last_joint, joint = (joint_locating_matrix(chain.bodies[i].joint, state.q[i]) for i in (k + 1, k))
    derivative = ca.reshape(ca.jacobian(ca.vec(T[k + 1]), theta[row]), 4, 4)
    f = ca.Function("T", [theta], [derivative, T[k] @ Delta @ last_joint, joint @ Delta @ last_joint])
    actual, mended, printed = (value.full() for value in f(random_state(arm("spatial-torsion")).theta))
    assert_close(mended, actual, 1e-14)
    assert np.abs(printed - actual).max() > 0.1 * np.abs(actual).max()

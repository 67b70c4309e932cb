"""Floating bases against the oracle, which turns a free base by a rotation vector instead of a quaternion."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from arms import ARMS, arm, random_state
from breadth import thinned
from reference.lagrangian import Oracle
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation

from flexarm import motion_equations
from flexarm.catalogue import FORMULATIONS
from flexarm.description.arm.floating_body import FloatingBody

AGREEMENT = 1e-11
over_all = pytest.mark.parametrize(
    ("name", "base", "formulation"),
    thinned(
        [
            (name, base, formulation)
            for name in ARMS
            for base in ("planar", "free", "planar body", "free body")
            for formulation in FORMULATIONS
            if getattr(FORMULATIONS[formulation].can, f"{base.split()[0]}_base")
            if base.startswith("free") or name.startswith("planar")
        ],
        every=87,
    ),
)


@cache
def floating(name: str, base: str, stiffening: bool = True):
    """The arm on that base; on a free one without a body, which turns by itself, joint 1 is locked."""
    kind = base.split()[0]
    update = {"base": kind}
    if base.endswith("body"):
        inertia, attachment = ([0.4, 0.6, 0.7, 0.05, -0.1, 0.02], [0.3, -0.2, 0.1])
        if kind == "planar":
            inertia, attachment = [0, 0, 0.7], [0.3, -0.2, 0.0]
        update["base_body"] = FloatingBody(type=kind, mass=3.0, inertia=inertia, attachment=attachment)
    elif base == "free":
        first, *others = arm(name).joints
        locked = first.model_copy(update={"type": "fixed", "angle": 0.3, "stiffness": None, "damping": 0.0})
        update["joints"] = (locked, *others)
    return arm(name, stiffening=stiffening).model_copy(update=update)


@cache
def oracle(name: str, base: str, stiffening: bool = True) -> Oracle:
    return Oracle(floating(name, base, stiffening))


def states(name: str, base: str):
    """A random state as (theta, u) of the package and as (theta, theta_d) of the oracle, and u = G theta_d, G_d."""
    theta, theta_d, _ = random_state(floating(name, base))
    rng = np.random.default_rng(11)
    position, velocity = rng.normal(size=3), rng.normal(size=3)
    if base == "planar body":
        theta, theta_d = np.append(theta, position), np.append(theta_d, velocity)
        return (theta, theta_d), (theta, theta_d), np.eye(theta_d.size), np.zeros((theta_d.size,) * 2)
    if base == "planar":
        theta, theta_d = np.append(theta, position[:2]), np.append(theta_d, velocity[:2])
        return (theta, theta_d), (theta, theta_d), np.eye(theta_d.size), np.zeros((theta_d.size,) * 2)
    turn, w = rng.normal(size=3), rng.normal(size=3)
    T, T_d = rotation_rate_matrices(turn, w)
    e = Rotation.from_rotvec(turn).as_quat(scalar_first=True) * 1.3  # its length must not matter
    package = np.concatenate([theta, position, e]), np.concatenate([theta_d, velocity, w])
    reference = (
        np.concatenate([theta, position, turn]),
        np.concatenate([theta_d, velocity, np.linalg.solve(T, w)]),
    )
    return (
        package,
        reference,
        block_diag(np.eye(theta_d.size + 3), T),
        block_diag(np.zeros((theta_d.size + 3,) * 2), T_d),
    )


def rotation_rate_matrices(turn, w):
    """T with w = T turn_d (inertial axes), and its rate along that motion, by central differences."""

    def T(at):
        angle = np.linalg.norm(at)
        S = np.cross(at, np.eye(3)).T
        return np.eye(3) + (1 - np.cos(angle)) / angle**2 * S + (angle - np.sin(angle)) / angle**3 * S @ S

    turn_d, h = np.linalg.solve(T(turn), w), 1e-3
    stencil = [T(turn + k * h * turn_d) for k in (-3, -2, -1, 1, 2, 3)]
    weights = np.array([-1, 9, -45, 45, -9, 1]) / (60 * h)
    return T(turn), np.einsum("k,kij->ij", weights, stencil)


def assert_close(actual, expected, tolerance=AGREEMENT):
    error = np.abs(np.asarray(actual) - expected).max() / np.abs(expected).max()
    assert error < tolerance, f"relative difference {error:.1e}"


@over_all
def test_equations(name, base, formulation):
    (theta, u), (theta_o, theta_d_o), G, G_d = states(name, base)
    case = name, base, FORMULATIONS[formulation].can.stiffening
    eq, reference = motion_equations(floating(*case), formulation=formulation), oracle(*case)
    Gi = np.linalg.inv(G)
    M_o = reference.mass_matrix(theta_o)
    assert_close(eq.mass_matrix(theta), Gi.T @ M_o @ Gi)
    np.testing.assert_array_equal(eq.mass_matrix(theta), eq.mass_matrix(theta).T)
    bias = Gi.T @ (reference.bias(theta_o, theta_d_o) - M_o @ Gi @ G_d @ theta_d_o)
    assert_close(eq.bias(theta, u), bias)
    forces = np.random.default_rng(5).normal(size=u.size)
    expected = np.linalg.solve(Gi.T @ M_o @ Gi, forces - bias)
    assert_close(eq.forward_dynamics(theta, u, forces), expected, 1e-9)
    assert_close(eq.inverse_dynamics(theta, u, expected), forces, 1e-7)


@pytest.mark.parametrize("formulation", thinned(["gibbs-appell", "lagrangian", "elastodynamics"]))
@pytest.mark.parametrize("name", thinned([name for name in ARMS if name.startswith("planar")], every=4))
def test_formulations_on_a_planar_base_equal_articulated(name, formulation):
    """[FL17] compares matrices of 3x3 with those of 4x4 on such a base: they must say the same."""
    description = floating(name, "planar", False)
    one, other = (motion_equations(description, formulation=each) for each in (formulation, "articulated"))
    for seed in range(3):
        rng = np.random.default_rng(seed)
        theta, theta_d, theta_dd = rng.uniform(-1, 1, (3, one.n_dof))
        theta[list(one.coordinates.all_modes)] *= 0.05
        assert_close(one.mass_matrix(theta), other.mass_matrix(theta))
        assert_close(one.bias(theta, theta_d), other.bias(theta, theta_d))
        forces = other.inverse_dynamics(theta, theta_d, theta_dd)
        assert_close(one.inverse_dynamics(theta, theta_d, theta_dd), forces)


@pytest.mark.parametrize(
    ("name", "base"),
    [
        pytest.param("planar-families", "planar", marks=pytest.mark.slow),
        pytest.param("spatial-torsion", "free", marks=pytest.mark.slow),
        pytest.param("planar-families", "planar body", marks=pytest.mark.slow),
        ("spatial-torsion", "free body"),
    ],
)
def test_energies_and_points(name, base):
    (theta, u), (theta_o, theta_d_o), _, _ = states(name, base)
    eq, reference = motion_equations(floating(name, base)), oracle(name, base)
    assert_close(eq.energies(theta, u), reference.energies(theta_o, theta_d_o))
    assert_close(eq.points(theta), reference.points(theta_o))


def test_theta_rate_turns_the_base_as_its_angular_velocity_says():
    from flexarm.formulations.kinematics.chain_state import theta_rate
    from flexarm.formulations.kinematics.rotations import quaternion_rotation
    from flexarm.model.chain_builder import build_chain

    chain = build_chain(floating("spatial-two-link", "free"))
    (theta, u), _, _, _ = states("spatial-two-link", "free")
    at, along = ca.SX.sym("theta", theta.size), ca.SX.sym("u", u.size)
    R = quaternion_rotation(at[-4:])
    R_d = ca.reshape(ca.jtimes(ca.vec(R), at, theta_rate(chain, at, along)), 3, 3)
    w = ca.Function("w", [at, along], [ca.inv_skew(R_d @ R.T)])(theta, u).full().ravel()
    np.testing.assert_allclose(w, u[-3:], rtol=1e-13)

"""The rotation of a link's end: a rotation matrix to round-off, its rate and acceleration those of its motion."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from scipy.linalg import expm

from flexarm.formulations.kinematics.deflection_rotation import deflection_rotation

MODAL = np.array([[0.0, 0.3, -1.0], [0.7, 0.0, 0.5], [0.2, 1.1, 0.0]])  # theta_j of three modes
PLANAR = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 0.5]])


def evaluate(modal, delta, delta_d, kind="finite"):
    symbols = ca.SX.sym("delta", len(modal)), ca.SX.sym("delta_d", len(modal))
    rotation = deflection_rotation(modal, *symbols, kind)
    f = ca.Function("f", symbols, [ca.densify(x) for x in (rotation.E, rotation.jacobian, rotation.bias)])
    E, jacobian, bias = f(delta, delta_d)
    return E.full(), jacobian.full(), bias.full().ravel()


def skew(v):
    return np.cross(np.asarray(v), np.eye(3)).T


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-4, 0.1, 0.6, 3.0])
@pytest.mark.parametrize("modal", [MODAL, PLANAR], ids=["spatial", "planar"])
def test_finite_rotation_is_the_exponential(modal, size):
    delta = np.ones(len(modal))
    delta *= size / np.linalg.norm(delta @ modal)
    E, _, _ = evaluate(modal, delta, 0 * delta)
    np.testing.assert_allclose(E, expm(skew(delta @ modal)), atol=1e-14)
    np.testing.assert_allclose(E @ E.T, np.eye(3), atol=1e-14)


@pytest.mark.parametrize("modal", [MODAL, PLANAR], ids=["spatial", "planar"])
@pytest.mark.parametrize("size", [1e-6, 0.3])
def test_jacobian_and_bias_are_those_of_the_motion(modal, size):
    """Angular velocity and acceleration from complex-step free finite differences of E along a motion."""
    rng = np.random.default_rng(5)
    m = len(modal)
    delta, delta_d, delta_dd = size * rng.normal(size=m), rng.normal(size=m), rng.normal(size=m)

    def velocity(s):
        rate = delta_d + s * delta_dd
        return evaluate(modal, delta + s * delta_d + s**2 / 2 * delta_dd, rate)[1] @ rate

    def attitude(s):
        return expm(skew((delta + s * delta_d) @ modal))

    h = 1e-4
    E_d = (attitude(-2 * h) - 8 * attitude(-h) + 8 * attitude(h) - attitude(2 * h)) / (12 * h)
    W = E_d @ attitude(0).T
    _, jacobian, bias = evaluate(modal, delta, delta_d)
    np.testing.assert_allclose(jacobian @ delta_d, [W[2, 1], W[0, 2], W[1, 0]], atol=1e-10)
    acceleration = (velocity(-2 * h) - 8 * velocity(-h) + 8 * velocity(h) - velocity(2 * h)) / (12 * h)
    np.testing.assert_allclose(jacobian @ delta_dd + bias, acceleration, atol=1e-9)


def test_small_rotation_is_the_published_one():
    delta = np.array([0.1, -0.2, 0.3])
    E, jacobian, bias = evaluate(MODAL, delta, np.ones(3), kind="small")
    np.testing.assert_allclose(E, np.eye(3) + skew(delta @ MODAL), atol=1e-14)
    np.testing.assert_array_equal(jacobian, MODAL.T)
    np.testing.assert_array_equal(bias, 0)

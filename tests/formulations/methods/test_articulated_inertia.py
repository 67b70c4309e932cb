"""Articulated inertia carried in steps: the same as the dense products of 6x6 matrices."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from flexarm.codegen.counts import operation_counts
from flexarm.formulations.kinematics.frame_rotations import AxisRotation, FrameRotation
from flexarm.formulations.methods.articulated.articulated_inertia import ArticulatedInertia

ROUND_OFF = 1e-14
ANGLE = 0.7


def draw():
    rng = np.random.default_rng(3)
    M = rng.normal(size=(6, 6))
    M = M @ M.T
    return M, rng.normal(size=6), rng.normal(size=3), rng.normal(size=3)


def inertia(M, force):
    return ArticulatedInertia(*(ca.SX(x) for x in (M[:3, :3], M[:3, 3:], M[3:, 3:], force[:3], force[3:])))


def numbers(found):
    A, B, C, f, n = (ca.evalf(ca.densify(x)).full() for x in vars(found).values())
    return np.block([[A, B], [B.T, C]]), np.concatenate([f, n]).ravel()


def skew(v):
    return np.cross(np.asarray(v), np.eye(3)).T


@pytest.mark.parametrize("angle", [ANGLE, 0.0, np.pi / 2, np.pi])
@pytest.mark.parametrize("axis", range(3))
def test_rotated(axis, angle):
    M, force, _, _ = draw()
    R = Rotation.from_euler("xyz"[axis], angle).as_matrix()
    X = np.kron(np.eye(2), R)
    for rotation in (AxisRotation.by(axis, ca.SX(angle)), FrameRotation(ca.SX(R))):
        found, found_force = numbers(inertia(M, force).rotated(rotation))
        np.testing.assert_allclose(found, X @ M @ X.T, atol=ROUND_OFF * np.abs(M).max())
        np.testing.assert_allclose(found_force, X @ force, atol=ROUND_OFF * 10)


def test_shifted():
    M, force, d, _ = draw()
    X = np.block([[np.eye(3), -skew(d)], [np.zeros((3, 3)), np.eye(3)]])  # a + al x d
    found, found_force = numbers(inertia(M, force).shifted(ca.SX(d)))
    np.testing.assert_allclose(found, X.T @ M @ X, atol=ROUND_OFF * 10 * np.abs(M).max())
    np.testing.assert_allclose(found_force, X.T @ force, atol=ROUND_OFF * 10)


def test_accelerated():
    M, force, a, al = draw()
    found, found_force = numbers(inertia(M, force).accelerated(ca.SX(a), ca.SX(al)))
    np.testing.assert_array_equal(found, M)
    np.testing.assert_allclose(found_force, force + M @ [*a, *al], atol=ROUND_OFF * 100)


def test_axis_rotation_takes_two_thirds_of_the_operations():
    A, B, C = (ca.SX.sym(name, 3, 3) for name in "ABC")
    A, C = ca.triu2symm(ca.triu(A)), ca.triu2symm(ca.triu(C))
    angle = ca.SX.sym("angle")

    def count(rotation):
        tensors = ca.cse(ca.veccat(*rotation.tensors(A, B, C)))
        return operation_counts(ca.Function("f", [ca.vertcat(*ca.symvar(tensors))], [tensors])).total

    rotation = AxisRotation.by(2, angle)
    print(count(rotation), count(FrameRotation(rotation.R)))
    assert count(rotation) < 2 / 3 * count(FrameRotation(rotation.R))

"""Inertia of the straight arm, by numbers, against the mass matrix of the equations of motion."""

from __future__ import annotations

import numpy as np
import pytest
from arms import ARMS, arm, equations, joint_rows, random_state
from breadth import thinned

from flexarm.model.arm_inertia import arm_inertia
from flexarm.model.chain_builder import build_chain


@pytest.mark.parametrize("name", thinned(ARMS, every=2))
def test_inertia_of_the_straight_arm(name):
    """Joints turned and shifted, links straight."""
    theta = np.zeros_like(random_state(arm(name)).theta)
    rows = joint_rows(arm(name))
    theta[rows] = random_state(arm(name)).theta[rows]
    moving = iter(theta[rows])
    coordinates = [
        joint.angle if joint.type == "fixed" else float(next(moving)) for joint in arm(name).joints
    ]
    M = equations(name).mass_matrix(theta)
    np.testing.assert_allclose(
        arm_inertia(build_chain(arm(name)), coordinates), M, atol=1e-12 * np.abs(M).max()
    )

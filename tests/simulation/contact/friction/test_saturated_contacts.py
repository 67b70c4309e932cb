"""Contacts at the limit of sticking, those that open, and those between."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.simulation.contact.equations.constrained_motion import SLIDING_SPEED
from flexarm.simulation.contact.friction import spatial_forces
from flexarm.simulation.contact.friction.contact_forces import FrictionProblem, friction_forces

ROD_IN_A_WEDGE = """
name: rod-in-a-wedge
base: planar
links: [{length: 0.2109, mu: 0.6368}]
initial: {base_rates: [0.1851, -0.0015], joints: [2.4789], joint_rates: [1.8355]}
contact:
  restitution: 0
  friction: {kinetic: 1.938, static: 2.0349}
  points: O2
  walls:
    - {point: [0, -0.34329435500971406], normal: [-0.7335970829483228, 0.6795846671973342]}
    - {point: [0, -0.300666306695223], normal: [0.6308125854902281, 0.7759352305361148], friction: 0.2935,
       restitution: 0.3881}
run: {duration: 0.5, sample: 0.002, rtol: 1e-10, atol: 1e-12}
"""


def test_saturated_contact_slides_once_it_slips():
    """The point is at both limits in the corner, then leaves one wall: what it does on the other was not decided."""
    result = flexarm.simulate(flexarm.parse_arm(ROD_IN_A_WEDGE))
    at_rest = result["contact_state"] >= 2
    assert at_rest.any()
    # the event of a slip is at twice SLIDING_SPEED, found to a part of it
    assert np.abs(result["contact_slip"][at_rest]).max() < 3 * SLIDING_SPEED
    lost = result["energy_lost_friction"]
    assert np.diff(lost).min() > -1e-9 * result["energy_kinetic"].max()
    assert (result["contact_tangential_force"] * result["contact_slip"])[~at_rest].max() <= 0


def test_contact_that_opens_holds_nothing():
    """A rod, 1 m and 1 kg, flat on the floor: one end is pulled off it, the other sticks by a fifth of its force."""
    J = np.array([[0, 1, -0.5], [0, 1, 0.5], [1, 0, 0], [1, 0, 0]])
    A = J @ np.diag([1.0, 1.0, 12.0]) @ J.T
    b, friction = np.array([16.0, -10.0, 0.5, 0.5]), np.full(2, 0.5)
    found = friction_forces(FrictionProblem(A, b, np.arange(2), friction, friction, np.zeros(2), 1e-9))
    assert found is not None
    np.testing.assert_allclose(found.normal, [0, 2.5], rtol=1e-6)  # 10/4, but for the compliance of contacts
    np.testing.assert_array_equal(found.pressed, [False, True])
    assert found.sticks[1]
    assert not found.sticks[0]


@pytest.mark.parametrize("seed", range(6))
def test_force_of_the_compliance_alone_is_none(seed):
    """Three points slide, and two of them bear all: what the compliance gives to the third would vanish at once."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(6, 8))
    A, friction, wanted = J @ J.T, np.full(3, 0.1), np.array([1.0, 0.0, 2.0])
    b = np.append(-(A @ np.append(wanted, friction * wanted))[:3], np.zeros(3))
    found = friction_forces(FrictionProblem(A, b, np.arange(3), friction, friction, -np.ones(3), 1e-9))
    assert found is not None
    np.testing.assert_allclose(
        found.normal, wanted, atol=1e-4
    )  # a compliance of 1e-7, times the condition of A
    np.testing.assert_array_equal(found.pressed, wanted > 0)


def test_what_is_furthest_beyond_its_limit_is_let_go_first_in_space():
    """Two of three points of a rigid body could not hold what they share; once one slides the other can."""
    rng = np.random.default_rng(1717)
    k = int(rng.integers(3, 6))
    at = np.column_stack([rng.uniform(-0.5, 0.5, k), np.zeros(k), rng.uniform(-0.3, 0.3, k)])
    axes = (np.tile(axis, (k, 1)) for axis in ([0, 1, 0], [1, 0, 0], [0, 0, 1]))
    J = np.vstack([np.hstack([axis, np.cross(at, axis)]) for axis in axes])
    pull = np.array([rng.uniform(-6, 6), -9.81, rng.uniform(-6, 6), *rng.uniform(-9, 9, 3)])
    mu = rng.uniform(0.05, 0.9, k)
    problem = FrictionProblem(
        J @ np.diag([1, 1, 1, 20, 8, 12.0]) @ J.T, J @ pull, np.arange(k), mu, mu, np.zeros((k, 2)), 1e-8
    )
    rows, all_of_them = spatial_forces._Rows(problem), np.ones(k, dtype=bool)
    shared = spatial_forces.FrictionForces(
        np.ones(k), all_of_them, all_of_them, np.zeros((k, 2)), ~all_of_them
    )

    def excess(found):
        coefficient = np.where(found.sticks, 0.0, mu)
        forces = spatial_forces._constrained_forces(
            rows, found.pressed, found.sticks, coefficient, found.direction
        )
        return np.linalg.norm(rows.along(forces), axis=1) - rows.limits(mu, forces[:k])

    before = excess(shared)
    beyond = before > 0
    assert beyond.sum() == 2
    found = spatial_forces._held(rows, shared)
    assert found.pressed.all()
    assert not found.sticks[np.argmax(before)]
    assert found.sticks.sum() == 2
    assert (excess(found)[found.sticks] <= 0).all()

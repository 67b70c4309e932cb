"""Operational space: Jacobians, their rates, the Cartesian inertia and accelerations, [NA04] section 2."""

import numpy as np
import pytest
from breadth import thinned

import flexarm

TASKS = {
    "x, y": "path: {x: 0, y: 0}",
    "position": "path: {x: 0, y: 0, z: 0}",
    "turns": "path: {yaw: 0, pitch: 0, roll: 0}",
}
YZ = "modes: [{family: clamped-free, count: 2, direction: y}, {family: clamped-free, count: 1, direction: z}]"
RIGID = """\
name: rigid
links:
  - {length: 0.5, mu: 2.0}
  - {length: 0.7, mu: 1.5}
  - {length: 0.4, mu: 1.0}
joints: [{}, {twist: 90 deg}, {twist: -70 deg}]
payload: {mass: 0.4, inertia: [0.01, 0.02, 0.03]}
"""
SPATIAL = RIGID.replace("mu: 2.0", f"mu: 2.0, EI: {{y: 50.0, z: 70.0}}, {YZ}").replace(
    "mu: 1.5", f"mu: 1.5, EI: {{y: 40.0, z: 40.0}}, {YZ}"
)


def space_and_state(text, task="position", seed=7):
    arm = flexarm.parse_arm(text)
    space = flexarm.operational_space(arm, flexarm.parse_trajectory(f"duration: 1\n{TASKS[task]}\n"))
    equations = flexarm.motion_equations(arm)
    rng = np.random.default_rng(seed)
    n = equations.n_dof
    theta, theta_d = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)
    theta[list(equations.coordinates.all_modes)] *= 0.05
    return space, equations, theta, theta_d


def joined(space, equations, theta, theta_d=None):
    """J, or its rate, with its columns in the order of theta."""
    pair = space.jacobians(theta) if theta_d is None else space.jacobian_rates(theta, theta_d)
    J = np.empty((len(space.names), equations.n_dof))
    J[:, list(equations.coordinates.moving_joints)], J[:, list(equations.coordinates.all_modes)] = pair
    return J


def test_jacobians_are_derivatives_of_the_tip():
    space, equations, theta, theta_d = space_and_state(SPATIAL)
    h = 1e-6
    change = (equations.points(theta + h * theta_d)[-1] - equations.points(theta - h * theta_d)[-1]) / (2 * h)
    np.testing.assert_allclose(joined(space, equations, theta) @ theta_d, change, atol=1e-8)


@pytest.mark.parametrize("task", thinned(TASKS))
def test_rates_of_the_jacobians_are_their_derivatives(task):
    space, equations, theta, theta_d = space_and_state(SPATIAL, task)
    h = 1e-6
    change = (
        joined(space, equations, theta + h * theta_d) - joined(space, equations, theta - h * theta_d)
    ) / (2 * h)
    np.testing.assert_allclose(joined(space, equations, theta, theta_d), change, atol=1e-7)


def test_cartesian_inertia_of_a_rigid_arm_is_the_published_one():
    """[NA04] eq. 4: J^-T M J^-1."""
    space, equations, theta, _ = space_and_state(RIGID)
    inverse = np.linalg.inv(joined(space, equations, theta))
    expected = inverse.T @ equations.mass_matrix(theta) @ inverse
    np.testing.assert_allclose(space.cartesian_inertia(theta), expected, rtol=1e-9)


def test_cartesian_inertia_is_what_a_force_at_the_tip_feels():
    """A force F on the tip accelerates it by M_X^-1 F beyond what it does without."""
    space, equations, theta, theta_d = space_and_state(SPATIAL)
    J, force = joined(space, equations, theta), np.array([0.3, -1.2, 0.7])
    with_force = equations.forward_dynamics(theta, theta_d, J.T @ force)
    without = equations.forward_dynamics(theta, theta_d, np.zeros(equations.n_dof))
    np.testing.assert_allclose(space.cartesian_inertia(theta) @ J @ (with_force - without), force, rtol=1e-9)


def test_accelerations_to_and_fro():
    space, equations, theta, theta_d = space_and_state(SPATIAL)
    tau = np.array([1.0, -2.0, 0.5])
    theta_dd = equations.forward_dynamics(theta, theta_d, tau)
    p_dd = space.acceleration(theta, theta_d, tau)
    h = 1e-5

    def tip(t):
        return equations.points(theta + t * theta_d + t**2 / 2 * theta_dd)[-1]

    np.testing.assert_allclose(p_dd, (tip(h) - 2 * tip(0) + tip(-h)) / h**2, atol=1e-3 * np.abs(p_dd).max())
    joints, modes = list(equations.coordinates.moving_joints), list(equations.coordinates.all_modes)
    np.testing.assert_allclose(
        space.joint_acceleration(theta, theta_d, p_dd, theta_dd[modes]), theta_dd[joints], rtol=1e-9
    )


def test_many_states_at_once_are_the_single_ones():
    space, _, theta, theta_d = space_and_state(SPATIAL)
    thetas, rates = np.array([theta, 0.5 * theta]), np.array([theta_d, -theta_d])
    for k in (0, 1):
        np.testing.assert_array_equal(space.cartesian_inertia(thetas)[k], space.cartesian_inertia(thetas[k]))
        for many, one in zip(
            space.jacobian_rates(thetas, rates), space.jacobian_rates(thetas[k], rates[k]), strict=True
        ):
            np.testing.assert_array_equal(many[k], one)


def test_wrong_sizes_are_reported():
    space, _, theta, _ = space_and_state(SPATIAL)
    with pytest.raises(ValueError, match="expected 9 values each"):
        space.jacobians(theta[:-1])


@pytest.mark.slow
def test_it_is_recorded_on_request():
    arm = flexarm.parse_arm(RIGID)
    task = "duration: 0.5\nline: {from: [0.9, 0.3, 0.2], to: [0.8, 0.5, 0.3]}\nsample: 0.1\n"
    trajectory = flexarm.parse_trajectory(task)
    result = flexarm.inverse(arm, trajectory, method="rigid", operational_space=True)
    space = flexarm.operational_space(arm, trajectory)
    theta = result.theta()
    np.testing.assert_allclose(result.jacobian_joints, space.jacobians(theta)[0], atol=1e-14)
    np.testing.assert_allclose(result.cartesian_inertia, space.cartesian_inertia(theta), rtol=1e-12)
    assert result.jacobian_modes.shape == (6, 3, 0)
    assert "cartesian_inertia" not in flexarm.inverse(arm, trajectory, method="rigid")

"""The oracle against its own definition: converged, consistent, `small` as near to `finite` as it can be."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from arms import (
    ARMS,
    END_ROTATION,
    FLEXIBLE_CHAINS,
    arm,
    joint_rows,
    mode_rows,
    n_motors,
    random_state,
    scale_deflections,
)
from breadth import thinned
from numpy.testing import assert_allclose
from scipy.linalg import expm

from reference.closeness import ROUND_OFF, assert_close
from reference.lagrangian import STATIONS, Oracle, oracle
from reference.shapes import mode_shape


@pytest.mark.parametrize("name", thinned(ARMS, every=4))
def test_quadrature_is_converged(name):
    state = random_state(arm(name))
    once, twice = oracle(arm(name)), Oracle(arm(name), stations=2 * STATIONS)
    assert_close(once.mass_matrix(state.theta), twice.mass_matrix(state.theta), 1e-13)
    assert_close(once.bias(state.theta, state.theta_d), twice.bias(state.theta, state.theta_d), 1e-13)


@pytest.mark.parametrize("name", thinned(ARMS))
def test_energy_changes_by_the_power_of_forces(name):
    state, probe = random_state(arm(name), seed=3), oracle(arm(name))
    forces = np.random.default_rng(4).uniform(-5.0, 5.0, probe.n_dof)
    theta_dd = probe.forward_dynamics(state.theta, state.theta_d, forces)

    def total(t):
        theta = state.theta + state.theta_d * t + theta_dd * t**2 / 2
        return sum(probe.energies(theta, state.theta_d + theta_dd * t))

    # Fourth-order differences along a path that is right to second order in t.
    h = 1e-3 / np.max(np.abs(theta_dd) / (1.0 + np.abs(state.theta_d)))
    rate = (8 * (total(h) - total(-h)) - (total(2 * h) - total(-2 * h))) / (12 * h)
    resistance = probe.damping @ state.theta_d
    joints = [joint for joint in arm(name).joints if joint.type != "fixed"]
    motors = iter(range(probe.n_dof - n_motors(arm(name)), probe.n_dof))
    for row, joint in zip(probe.joint_rows, joints, strict=True):
        driven = next(motors) if joint.is_elastic else row
        rate_d = state.theta_d[driven]
        resistance[driven] += joint.friction.viscous * rate_d
        if joint.friction.smoothing:  # else it is no function of the state
            resistance[driven] += joint.friction.coulomb * np.tanh(rate_d / joint.friction.smoothing)
        twist_d = state.theta_d[row] - (rate_d if joint.is_elastic else 0.0)
        resistance[row] += joint.damping * twist_d
        resistance[driven] -= joint.damping * twist_d * joint.is_elastic
    power = state.theta_d @ (forces - resistance)
    # Rounding of the total, divided by h, is what the differences cannot resolve.
    noise = np.finfo(float).eps * np.sum(np.abs(probe.energies(state.theta, state.theta_d))) / h
    print(name, "rate", rate, "power", power, "noise", noise)
    assert abs(rate - power) < 1e-6 * np.abs(state.theta_d) @ np.abs(forces) + 10 * noise


@pytest.mark.parametrize("name", ["planar-two-link", "spatial-two-link"])
def test_dalembert_form_agrees(name):
    """By virtual work: M = sum m J^T J, bias = sum m J^T (J_d theta_d - g) + dV/dtheta."""
    probe, state = oracle(arm(name)), random_state(arm(name))
    theta, theta_d = probe.theta_sym, probe.theta_d_sym
    points = ca.vec(probe.positions)
    J = ca.jacobian(points, theta)
    rest = ca.jtimes(J @ theta_d, theta, theta_d)
    J, rest = (
        part.full() for part in ca.Function("f", [theta, theta_d], [J, rest])(state.theta, state.theta_d)
    )
    masses, g = np.repeat(probe.masses, 3), np.tile(arm(name).gravity, probe.masses.size)

    # Strain is quadratic in delta alone, so its gradient is half the second difference over one unit of each.
    def strain(at):
        return probe.energies(at, 0 * at).strain

    units = np.eye(probe.n_dof)
    elastic = np.array([(strain(state.theta + unit) - strain(state.theta - unit)) / 2 for unit in units])

    assert_close(probe.mass_matrix(state.theta), J.T @ (masses[:, None] * J))
    bias = J.T @ (masses * (rest.ravel() - g)) + elastic
    assert_close(probe.bias(state.theta, state.theta_d), bias)


def test_end_rotation_is_the_matrix_exponential():
    """A rigid second link points along R_1 exp(skew(theta)) A_2 x; scipy's expm is the judge."""
    name = "spatial-torsion"
    probe, state = oracle(arm(name)), random_state(arm(name))
    link, rows = arm(name).links[0], probe.mode_rows[:5]
    amplitudes, at_end = iter(state.theta[rows]), np.zeros(3)
    for modes in link.modes:
        for k in range(1, modes.count + 1):
            shape = mode_shape(modes.family, modes.direction, k, np.array(1.0))
            axis, rotation = {
                "y": (2, shape.slope / link.length),
                "z": (1, -shape.slope / link.length),
                "torsion": (0, shape.value),
            }[modes.direction]
            at_end[axis] += next(amplitudes) * rotation
    assert np.linalg.norm(at_end) > 0.05
    x, y, z = at_end
    E = expm(np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]))
    q = state.theta[0]
    R = np.array([[np.cos(q), -np.sin(q), 0], [np.sin(q), np.cos(q), 0], [0, 0, 1]])
    # The second joint feels a moment's component along its axis.
    twist = arm(name).joints[1].twist
    z_axis = R @ E @ np.array([0, -np.sin(twist), np.cos(twist)])
    joint_2 = probe.joint_rows[1]
    for axis, moment in enumerate(np.eye(3)):
        work = probe.load_forces(state.theta, 1, 0.0, np.zeros(3), moment)[joint_2]
        assert abs(work - z_axis[axis]) < ROUND_OFF


@pytest.mark.parametrize("frame", ["base", "link"])
def test_load_does_the_work_of_its_motion(frame):
    """Force: differences of the section's position. Moment on a rigid arm: the inboard joints turn it."""
    name, link, station = "spatial-axial", 2, 0.7
    probe, state = oracle(arm(name)), random_state(arm(name))
    force = np.array([1.0, -2.0, 3.0])
    h = 1e-5
    work = []
    for unit in np.eye(probe.n_dof):
        ahead, behind = (probe.position(state.theta + s * h * unit, link, station) for s in (1, -1))
        work.append((ahead - behind) / (2 * h))
    axes = np.eye(3)
    if frame == "link":
        # Frame 3: x along the chord of the undeformed link, z along the joint's axis.
        axes = _frame_by_differences(probe, state.theta, link)
    assert_allclose(
        probe.load_forces(state.theta, link, station, force, frame=frame), work @ axes @ force, atol=1e-8
    )

    planar = oracle(arm("planar-rigid-three"))
    for row in range(3):
        forces = planar.load_forces(
            random_state(arm("planar-rigid-three")).theta, row, 0.4, (0, 0, 0), (0, 0, 2.0)
        )
        assert_close(forces, 2.0 * (np.arange(3) <= row))


def _frame_by_differences(probe: Oracle, theta, link: int) -> np.ndarray:
    """Axes of a link's frame from what moves: z turns the joint, x is where the undeformed link points."""
    straight = np.array(theta)
    rows = [row for row in probe.mode_rows if row > probe.joint_rows[link]]
    straight[rows] = 0.0
    x = probe.position(straight, link, 1.0) - probe.position(straight, link, 0.0)
    x /= np.linalg.norm(x)
    turned = np.array(straight)
    turned[probe.joint_rows[link]] += np.pi / 2
    y = probe.position(turned, link, 1.0) - probe.position(turned, link, 0.0)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def orders(name: str, difference) -> np.ndarray:
    """Measured order in delta of |difference(factor)| while all modal quantities are halved three times."""
    norms = np.array([np.linalg.norm(difference(0.1 * 0.5**k)) for k in range(4)])
    measured = np.log2(norms[:-1] / norms[1:])
    print(name, "differences", norms, "orders", measured)
    return measured


@pytest.mark.parametrize("name", thinned(FLEXIBLE_CHAINS, every=4))
def test_small_rotation_loses_an_order_in_modal_rows(name):
    """Positions and joint rows of the equations of motion differ at second order, modal rows at first."""
    state = random_state(arm(name))
    finite, small = oracle(arm(name)), oracle(arm(name), "small")

    def scaled(factor):
        return [scale_deflections(arm(name), part, factor) for part in state]

    def points(factor):
        return finite.points(scaled(factor)[0]) - small.points(scaled(factor)[0])

    def forces(factor, rows):
        return (finite.inverse_dynamics(*scaled(factor)) - small.inverse_dynamics(*scaled(factor)))[rows]

    assert_allclose(orders(name, points)[-1], 2.0, atol=0.1)
    assert_allclose(orders(name, lambda f: forces(f, joint_rows(arm(name))))[-1], 2.0, atol=0.1)
    assert_allclose(orders(name, lambda f: forces(f, mode_rows(arm(name))))[-1], 1.0, atol=0.1)


@pytest.mark.parametrize("name", thinned(ARMS))
def test_arms_are_generic(name):
    state, probe = random_state(arm(name)), oracle(arm(name))
    assert state.theta.shape == (probe.n_dof,)
    assert np.array_equal(joint_rows(arm(name)), probe.joint_rows)
    assert np.array_equal(mode_rows(arm(name)), probe.mode_rows)
    assert np.all(state.theta != 0)
    np.linalg.cholesky(probe.mass_matrix(state.theta))
    straight = scale_deflections(arm(name), state.theta, 0.0)
    bend = np.max(np.linalg.norm(probe.points(state.theta) - probe.points(straight), axis=1))
    # Each of up to four links turns all that it carries by END_ROTATION at most.
    reach = sum(link.length for link in arm(name).links) + 2.0
    assert bend <= 4 * END_ROTATION * reach

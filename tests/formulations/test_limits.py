"""Limits with known answers: textbook rigid arm, stiff links, planar and single-axis rotations."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm import motion_equations, parse_arm
from flexarm.catalogue import FORMULATIONS

RIGID = """
name: rigid
gravity: [0, -9.81, 0]
links: [{length: 0.8, mu: 2.0}, {length: 0.5, mu: 3.0}]
"""

over_formulations = pytest.mark.parametrize("formulation", FORMULATIONS)


@over_formulations
def test_rigid_two_link_equals_textbook(formulation):
    """Spong & Vidyasagar, Robot Dynamics and Control (1989), section 6.4: planar elbow arm, uniform rods."""
    l1, l2, m1, m2, g = 0.8, 0.5, 1.6, 1.5, 9.81
    q, q_d = np.array([0.4, -1.1]), np.array([0.9, 1.7])
    lc1, lc2, I1, I2 = l1 / 2, l2 / 2, m1 * l1**2 / 12, m2 * l2**2 / 12
    c2, h = np.cos(q[1]), -m2 * l1 * lc2 * np.sin(q[1])
    M22 = m2 * lc2**2 + I2
    M12 = M22 + m2 * l1 * lc2 * c2
    M11 = m1 * lc1**2 + I1 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * c2) + I2
    coriolis = [h * q_d[1] ** 2 + 2 * h * q_d[0] * q_d[1], -h * q_d[0] ** 2]
    g2 = m2 * lc2 * g * np.cos(q.sum())
    gravity = [(m1 * lc1 + m2 * l1) * g * np.cos(q[0]) + g2, g2]

    eq = motion_equations(parse_arm(RIGID), formulation=formulation)
    np.testing.assert_allclose(eq.mass_matrix(q), [[M11, M12], [M12, M22]], rtol=1e-14)
    np.testing.assert_allclose(eq.bias(q, q_d), np.add(coriolis, gravity), rtol=1e-13)


@over_formulations
def test_stiff_links_tend_to_the_rigid_arm(formulation):
    """With modes at their quasi-static value the joint accelerations approach the rigid ones like 1 / EI."""
    rigid = motion_equations(parse_arm(RIGID), formulation=formulation)
    q, q_d, tau = np.array([0.4, -1.1]), np.array([0.9, 1.7]), np.array([3.0, -1.0])
    expected = rigid.forward_dynamics(q, q_d, tau)
    errors = []
    for EI in (1e4, 1e5, 1e6):
        modes = f"EI: {EI:.1f}, modes: {{family: clamped-free, count: 2}}"
        flexible = RIGID.replace("mu: 2.0", f"mu: 2.0, {modes}").replace("mu: 3.0", f"mu: 3.0, {modes}")
        stiffening = str(FORMULATIONS[formulation].can.stiffening).lower()
        arm = parse_arm(f"geometric_stiffening: {stiffening}\n{flexible}")
        eq = motion_equations(arm, formulation=formulation)
        errors.append(np.abs(_joint_accelerations_at_quasi_static_modes(eq, q, q_d, tau) - expected).max())
    rates = np.log10(np.divide(errors[:-1], errors[1:]))
    assert np.all(np.abs(rates - 1) < 0.05), f"errors {errors}, orders {rates}"


def _joint_accelerations_at_quasi_static_modes(eq, q, q_d, tau):
    """Newton on the modal amplitudes until their accelerations vanish."""
    joints, modes = list(eq.coordinates.moving_joints), list(eq.coordinates.all_modes)
    theta, theta_d = np.zeros(eq.n_dof), np.zeros(eq.n_dof)
    theta[joints], theta_d[joints] = q, q_d
    for _ in range(8):
        theta_dd = eq.forward_dynamics(theta, theta_d, tau)
        step = 1e-7
        columns = [
            (eq.forward_dynamics(theta + step * unit, theta_d, tau) - theta_dd)[modes] / step
            for unit in np.eye(eq.n_dof)[modes]
        ]
        theta[modes] -= np.linalg.solve(np.array(columns).T, theta_dd[modes])
    return eq.forward_dynamics(theta, theta_d, tau)[joints]


@over_formulations
def test_wrong_sizes_are_named(formulation):
    eq = motion_equations(parse_arm(RIGID), formulation=formulation)
    with pytest.raises(ValueError, match=r"theta: expected 2 values \(q_1, q_2\), got shape \(3,\)"):
        eq.mass_matrix(np.zeros(3))
    with pytest.raises(ValueError, match="tau: expected 2 joint torques"):
        eq.forward_dynamics(np.zeros(2), np.zeros(2), np.zeros(3))


@over_formulations
def test_locked_right_angle_joint_leaves_no_round_off(formulation):
    """cos(90 deg) is not quite zero in floating point; a planar arm must stay planar to the last bit."""
    text = """
name: locked
links: [{length: 1, mu: 1}, {length: 1, mu: 1, EI: {z: 10}, modes: {family: clamped-free, count: 1, direction: z}}]
joints: [{}, {type: fixed, angle: 90 deg, twist: 90 deg}]
"""
    eq = motion_equations(parse_arm(text), formulation=formulation)
    points = eq.points([0.0, 0.0])
    np.testing.assert_array_equal(points, [[0, 0, 0], [1, 0, 0], [1, 0, 1]])

"""Joints that slide, axes in any direction and links without length, against closed forms, in every formulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from arms import ARMS, random_state
from reference import beam_on_carriage
from scipy.spatial.transform import Rotation

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.model.chain import Chain

CLOSED_FORM = 1e-10
over_formulations = pytest.mark.parametrize("formulation", FORMULATIONS)

CART = """
name: cart
gravity: [0, -9.81, 0]
links: [{length: 0, body: {mass: 2.0}}, {length: 0.7, body: {mass: 0.5, center: [0.7, 0, 0]}}]
joints: [{type: prismatic, axis: [1, 0, 0], friction: {viscous: 0.4}}, {friction: {viscous: 0.1}}]
"""
GUIDE = """
name: guide
gravity: [0, 0, 0]
links: [{length: 0, body: {mass: 3.0, inertia: 0.2}}, {length: 0, body: {mass: 0.5}}]
joints: [{}, {type: prismatic, axis: [1, 0, 0], motor: {inertia: 1e-4, gear: 50}}]
"""
WRIST = """
name: wrist
gravity: [0, 0, 0]
links: [{length: 0}, {length: 0}, {length: 0, body: {mass: 2.0, inertia: [0.03, 0.04, 0.05, 0.001, -0.002, 0.003]}}]
joints: [{axis: [0, 0, 1]}, {axis: [0, 1, 0]}, {axis: [1, 0, 0]}]
"""
CARRIAGE = """
name: carriage
gravity: [0, 0, 0]
links: [{{length: 1.5, mu: 2.0, EI: 100.0, modes: {{family: clamped-free, count: 4}}}}]
joints: [{{type: prismatic, axis: [0, 1, 0], mass: {M}}}]
"""


@over_formulations
def test_cart_and_pendulum(formulation):
    """Pendulum of a point mass on a cart, angle phi from the horizontal, viscous friction on both joints."""
    M, m, l, g, b, c = 2.0, 0.5, 0.7, 9.81, 0.4, 0.1
    eq = flexarm.motion_equations(flexarm.parse_arm(CART), formulation)
    rng = np.random.default_rng(1)
    for (x, phi), (x_d, w), (F, tau) in rng.normal(size=(5, 3, 2)):
        s, k = np.sin(phi), np.cos(phi)
        mass = np.array([[M + m, -m * l * s], [-m * l * s, m * l**2]])
        rest = np.array([-m * l * k * w**2 + b * x_d, m * g * l * k + c * w])
        found = eq.forward_dynamics([x, phi], [x_d, w], [F, tau])
        np.testing.assert_allclose(found, np.linalg.solve(mass, [F, tau] - rest), rtol=CLOSED_FORM)
        np.testing.assert_allclose(eq.mass_matrix([x, phi]), mass, atol=CLOSED_FORM)


@over_formulations
def test_mass_on_a_turning_guide(formulation):
    """r_dd = F/m + r w^2, (J + m r^2) w_d = tau - 2 m r r_d w: Coriolis; the rotor adds to the mass that is driven."""
    J, m, rotor = 0.2, 0.5, 50**2 * 1e-4
    eq = flexarm.motion_equations(flexarm.parse_arm(GUIDE), formulation)
    for (phi, r), (w, r_d), (tau, F) in np.random.default_rng(2).normal(size=(5, 3, 2)):
        found = eq.forward_dynamics([phi, r], [w, r_d], [tau, F])
        expected = [(tau - 2 * m * r * r_d * w) / (J + m * r**2), (F + m * r * w**2) / (m + rotor)]
        np.testing.assert_allclose(found, expected, rtol=CLOSED_FORM)


@over_formulations
def test_spherical_wrist_of_links_without_length(formulation):
    """A body turned by yaw, pitch and roll about its mass centre: Euler's equations through the rates of the angles."""
    eq = flexarm.motion_equations(flexarm.parse_arm(WRIST), formulation)
    I = np.array([[0.03, 0.001, -0.002], [0.001, 0.04, 0.003], [-0.002, 0.003, 0.05]])

    def spin(angles):
        """Angular velocity in the body's axes per rate of yaw, pitch and roll."""
        _, pitch, roll = angles
        about_x = Rotation.from_euler("x", roll).as_matrix().T
        about_y = Rotation.from_euler("y", pitch).as_matrix().T
        return np.column_stack([about_x @ about_y @ [0, 0, 1], about_x @ [0, 1, 0], [1, 0, 0]])

    for angles, rates, accelerations in np.random.default_rng(3).normal(size=(5, 3, 3)):
        h, S = 1e-6, spin(angles)
        S_d = (spin(angles + h * rates) - spin(angles - h * rates)) / (2 * h)
        w = S @ rates
        moment = I @ (S @ accelerations + S_d @ rates) + np.cross(w, I @ w)
        np.testing.assert_allclose(eq.mass_matrix(angles), S.T @ I @ S, atol=1e-12)
        np.testing.assert_allclose(eq.inverse_dynamics(angles, rates, accelerations), S.T @ moment, atol=1e-9)


@over_formulations
def test_another_screw_is_a_row_of_data(formulation):
    """A nut that rises by h for a radian on a spindle: (J + m h^2) q_dd = tau - m g h; and one amid an arm."""
    J, m, h = 0.2, 3.0, 0.05
    nut = "name: nut\ngravity: [0, 0, -9.81]\nlinks: [{length: 0, body: {mass: 3.0, inertia: 0.2}}]\njoints: [{}]\n"
    eq = flexarm.motion_equations(flexarm.parse_arm(nut), formulation)
    screwed = MotionEquations(with_screw(eq.chain, 0, h), formulation)
    np.testing.assert_allclose(screwed.mass_matrix([0.7]), [[J + m * h**2]], rtol=1e-13)
    np.testing.assert_allclose(screwed.bias([0.7], [2.0]), [m * 9.81 * h], rtol=1e-12)
    arms = [flexarm.parse_arm(ARMS["slides-flexible"]).model_copy(update={"geometric_stiffening": False})] * 2
    state = random_state(arms[0])
    one, other = (
        MotionEquations(with_screw(flexarm.motion_equations(arm, name).chain, 2, h), name)
        for arm, name in zip(arms, (formulation, "articulated"), strict=True)
    )
    found = one.inverse_dynamics(*state), other.inverse_dynamics(*state)
    np.testing.assert_allclose(*found, atol=CLOSED_FORM * np.abs(found[0]).max())
    energy = other.energies(*state[:2]).kinetic
    np.testing.assert_allclose(state[1] @ one.mass_matrix(state[0]) @ state[1] / 2, energy, rtol=1e-12)


def with_screw(chain: Chain, i: int, h: float) -> Chain:
    """Chain with a joint that slides by h for a radian, besides the turn that it had."""
    joint = chain.bodies[i].joint
    moved = replace(joint, motion=replace(joint.motion, shift=h))
    bodies = [*chain.bodies]
    bodies[i] = replace(bodies[i], joint=moved)
    return replace(chain, bodies=tuple(bodies))


@over_formulations
def test_universal_joint(formulation):
    """A rod on two crossed axes through its end hangs as a spherical pendulum: the same potential and inertia."""
    text = (
        "name: hook\ngravity: [0, 0, -9.81]\nlinks: [{length: 0}, {length: 0.6, mu: 1.5}]\njoints: [%s, %s]\n"
    )
    eq = flexarm.motion_equations(
        flexarm.parse_arm(text % ("{axis: [0, 0, 1]}", "{axis: [0, 1, 0]}")), formulation
    )
    J, lever = 1.5 * 0.6**3 / 3, 1.5 * 0.6**2 / 2
    for (yaw, pitch), (u, v) in np.random.default_rng(4).normal(size=(5, 2, 2)):
        s, c = np.sin(pitch), np.cos(pitch)
        np.testing.assert_allclose(eq.mass_matrix([yaw, pitch]), np.diag([J * c**2, J]), atol=1e-14)
        expected = [-2 * J * s * c * u * v, J * s * c * u**2 - 9.81 * lever * c]
        np.testing.assert_allclose(eq.bias([yaw, pitch], [u, v]), expected, rtol=CLOSED_FORM)


@pytest.mark.parametrize(("M", "count"), [(0.3, 1), (3.0, 3), (30.0, 4)])
def test_beam_on_a_sliding_carriage(M, count):
    """A cantilever whose carriage slides freely, to 1e-4 with four modes: the more frequencies, the heavier it is."""
    found = flexarm.natural_modes(flexarm.parse_arm(CARRIAGE.format(M=M))).modes
    exact = beam_on_carriage.frequencies(4, length=1.5, mu=2.0, EI=100.0, M=M)
    errors = found.natural_frequency[1:] / exact - 1
    print(f"M = {M} kg: errors {errors}")
    assert found.n_rigid == 1
    assert np.all(errors > -1e-10), "frequencies of a Ritz method lie above the exact ones"
    assert np.abs(errors[:count]).max() < 1e-4


def test_denavit_hartenberg_and_origin_place_the_same_joint():
    """A twist and an offset are a turn about x and a shift along the axis that it leads to."""
    head = "name: two\ngravity: [1, 2, 3]\nlinks: [{length: 0.5, mu: 1}, {length: 0.4, mu: 2, rotary_inertia: 0.1}]\n"
    twisted = flexarm.parse_arm(head + "joints: [{}, {twist: 40 deg, offset: 0.3}]\n")
    s, c = np.sin(np.radians(40)).item(), np.cos(np.radians(40)).item()
    placed = flexarm.parse_arm(
        head + f"joints: [{{}}, {{origin: {{xyz: [0, {-0.3 * s!r}, {0.3 * c!r}], rpy: [40 deg, 0, 0]}}}}]\n"
    )
    state = np.random.default_rng(5).normal(size=(3, 2))
    found = [flexarm.motion_equations(arm).inverse_dynamics(*state) for arm in (twisted, placed)]
    np.testing.assert_allclose(*found, rtol=1e-13)


@over_formulations
def test_an_axis_is_a_turned_z_axis(formulation):
    """Turning the joint's frame so that its z axis is the axis, and turning back behind it, changes nothing."""
    rpy, body = (
        [0.4, -0.7, 0.9],
        "body: {mass: 2, center: [0.1, 0.2, 0.3], inertia: [0.1, 0.12, 0.15, 0.01, 0.02, 0]}",
    )
    R = Rotation.from_euler("xyz", rpy)
    back = R.inv().as_euler("xyz").tolist()
    head = "name: axis\ngravity: [1, 2, 3]\n"
    direct = flexarm.parse_arm(
        f"{head}links: [{{length: 0, {body}}}]\njoints: [{{axis: {R.apply([0, 0, 1]).tolist()}}}]\n"
    )
    turned = flexarm.parse_arm(
        f"{head}links: [{{length: 0}}, {{length: 0, {body}}}]\n"
        f"joints: [{{origin: {{rpy: {rpy}}}}}, {{type: fixed, origin: {{rpy: {back}}}}}]\n"
    )
    for q, q_d, q_dd in np.random.default_rng(6).normal(size=(3, 3, 1)):
        found = [
            flexarm.motion_equations(arm, formulation).inverse_dynamics(q, q_d, q_dd)
            for arm in (direct, turned)
        ]
        np.testing.assert_allclose(*found, rtol=1e-12)

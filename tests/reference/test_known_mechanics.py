"""The oracle against textbooks and hand calculations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eig, eigh

from flexarm.description import parse_arm
from reference.closeness import assert_close
from reference.lagrangian import Oracle
from reference.test_shapes import CLAMPED_FREE_WAVE_NUMBERS


def made_of(text: str) -> Oracle:
    return Oracle(parse_arm("name: probe\nrun: {duration: 1.0, sample: 0.1}\n" + text))


def test_rigid_two_link_arm_as_in_textbooks():
    """Spong, Hutchinson & Vidyasagar, Robot Modeling and Control (2006), section 7.3.2."""
    l1, l2, mu1, mu2, payload, g = 0.9, 0.7, 2.0, 1.5, 0.8, 9.81
    probe = made_of(
        f"links: [{{length: {l1}, mu: {mu1}}}, {{length: {l2}, mu: {mu2}}}]\npayload: {{mass: {payload}}}\n"
    )
    m1, m2 = mu1 * l1, mu2 * l2 + payload
    lc1, lc2 = l1 / 2, (mu2 * l2 * l2 / 2 + payload * l2) / m2
    I1 = m1 * l1**2 / 12
    I2 = mu2 * l2**3 / 3 + payload * l2**2 - m2 * lc2**2
    q1, q2, q1_d, q2_d = 0.4, -1.1, 0.7, -1.3

    d11 = m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * np.cos(q2)) + I1 + I2
    d12 = m2 * (lc2**2 + l1 * lc2 * np.cos(q2)) + I2
    d22 = m2 * lc2**2 + I2
    assert_close(probe.mass_matrix([q1, q2]), np.array([[d11, d12], [d12, d22]]))

    h = -m2 * l1 * lc2 * np.sin(q2)
    g2 = m2 * lc2 * g * np.cos(q1 + q2)
    g1 = (m1 * lc1 + m2 * l1) * g * np.cos(q1) + g2
    bias = np.array([h * q2_d * q1_d + h * (q1_d + q2_d) * q2_d + g1, -h * q1_d * q1_d + g2])
    assert_close(probe.bias([q1, q2], [q1_d, q2_d]), bias)


def test_rotating_flexible_link_by_hand():
    """One clamped-free mode: int phi^2 = l, int eta phi = 2 (l/b)^2, int phi = 2 s l/b, K = EI b^4/l^3."""
    length, mu, EI, g = 0.8, 1.7, 30.0, 9.81
    probe = made_of(
        "geometric_stiffening: false\n"
        f"links: [{{length: {length}, mu: {mu}, EI: {EI}, modes: {{family: clamped-free, count: 1}}}}]\n"
    )
    b = CLAMPED_FREE_WAVE_NUMBERS[0]
    s = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
    C1, C3, C7, K = mu * length * 2 * s / b, mu * length, mu * 2 * (length / b) ** 2, EI * b**4 / length**3
    q, delta, q_d, delta_d = 0.6, 0.05, 1.2, -0.4

    M = [[mu * length**3 / 3 + C3 * delta**2, C7], [C7, C3]]
    assert_close(probe.mass_matrix([q, delta]), np.array(M), 1e-9)

    weight = mu * g * (length**2 / 2 * np.cos(q)) - g * C1 * delta * np.sin(q)
    bias = [2 * C3 * delta * delta_d * q_d + weight, -C3 * delta * q_d**2 + g * C1 * np.cos(q) + K * delta]
    assert_close(probe.bias([q, delta], [q_d, delta_d]), np.array(bias), 1e-9)


def test_rigid_bodies_add_up():
    """Hub, motor, section inertia and a payload off the axis, seen from one revolute joint."""
    probe = made_of(
        "gravity: [0, 0, 0]\n"
        "links: [{length: 0.5, mu: 2.0, rotary_inertia: [0.1, 0.2, 0.3]}]\n"
        "joints: [{mass: 3.0, inertia: [0.4, 0.5, 0.6], motor: {inertia: 0.001, gear: 20}}]\n"
        "payload: {mass: 0.7, inertia: [0.01, 0.02, 0.03], offset: [0.1, 0.2, 0.3]}\n"
    )
    expected = 2.0 * 0.5**3 / 3 + 0.3 * 0.5 + 0.6 + 20**2 * 0.001 + 0.7 * (0.6**2 + 0.2**2) + 0.03
    assert_close(probe.mass_matrix([0.3]), np.array([[expected]]))


def test_frames_of_twist_and_offset():
    """Denavit-Hartenberg by hand: a quarter turn about x sends the second joint's axis to -y."""
    probe = made_of(
        "links: [{length: 1.0, mu: 1.0}, {length: 0.5, mu: 1.0}]\n"
        "joints: [{offset: 0.2}, {twist: 90 deg, offset: 0.3}]\n"
    )
    points = probe.points([0.0, np.pi / 2])
    assert_allclose(points, [[0, 0, 0.2], [1, -0.3, 0.2], [1, -0.3, 0.7]], atol=1e-14)


@pytest.mark.parametrize(
    ("direction", "stiffness", "inertia", "tip_inertia"),
    [("torsion", "GJ", 0.02, 0.05), ("axial", "EA", 1.5, 0.7)],
)
def test_bar_modes_by_hand(direction, stiffness, inertia, tip_inertia):
    """sin(pi xi / 2): half the inertia, (pi/2)^2 / 2 of the stiffness, all of the payload at the tip."""
    probe = made_of(
        "gravity: [0, 0, 0]\n"
        f"links: [{{length: 0.8, mu: 1.5, {stiffness}: 40.0, rotary_inertia: [0.02, 0, 0],\n"
        f"          modes: {{family: fixed-free, count: 1, direction: {direction}}}}}]\n"
        "joints: [{type: fixed}]\npayload: {mass: 0.7, inertia: [0.05, 0, 0]}\n"
    )
    assert_close(probe.mass_matrix([0.0]), np.array([[inertia * 0.8 / 2 + tip_inertia]]))
    assert_close(probe.bias([0.1], [0.0]), np.array([0.1 * 40.0 * (np.pi / 2) ** 2 / 2 / 0.8]))


def test_torsion_rides_on_the_spin_of_the_link():
    """A shaft along the first joint's axis: spin and torsion share J'_x int sin(pi xi/2) and payload."""
    probe = made_of(
        "links:\n"
        "  - {length: 0.3, mu: 1.0}\n"
        "  - {length: 0.8, mu: 1.0, GJ: 40.0, rotary_inertia: [0.02, 0.01, 0.01],\n"
        "     modes: {family: fixed-free, count: 1, direction: torsion}}\n"
        "joints: [{}, {type: fixed, twist: 90 deg, angle: 90 deg}]\n"
        "payload: {inertia: [0.05, 0.04, 0.03]}\n"
    )
    assert_allclose(probe.points([0.0, 0.0])[-1], [0.3, 0.0, 0.8], atol=1e-14)
    M = probe.mass_matrix([0.4, 0.1])
    assert_allclose(M[0, 1], 0.02 * 0.8 * 2 / np.pi + 0.05, rtol=1e-12)


def locked_link(family: str, count: int, direction: str = "y", extra: str = "") -> Oracle:
    return made_of(
        "gravity: [0, 0, 0]\n"
        f"links: [{{length: 1.5, mu: 2.0, EI: {{{direction}: 12.0}}, {extra}\n"
        f"          modes: {{family: {family}, count: {count}, direction: {direction}}}}}]\n"
        "joints: [{type: fixed}]\n"
    )


def stiffness_of(probe: Oracle) -> np.ndarray:
    """Of a single locked link, whose bias at rest is K delta."""
    return np.column_stack([probe.bias(unit, 0 * unit) for unit in np.eye(probe.n_dof)])


@pytest.mark.slow
def test_cantilever_frequencies_converge_from_above():
    exact = np.square(CLAMPED_FREE_WAVE_NUMBERS[:3]) * np.sqrt(12.0 / 2.0 / 1.5**4)
    previous = np.full(3, np.inf)
    for count in (3, 4, 5, 6, 7):
        probe = locked_link("polynomial", count)
        squares = eigh(stiffness_of(probe), probe.mass_matrix(np.zeros(count)), eigvals_only=True)
        frequencies = np.sqrt(squares[:3])
        assert np.all(frequencies > exact * (1 - 1e-9)), count
        assert np.all(frequencies < previous * (1 + 1e-9)), count
        previous = frequencies
    assert_allclose(previous, exact, rtol=1e-3)


@pytest.mark.parametrize(
    ("direction", "axis", "turn"),
    [("y", 1, (2, 1.0)), pytest.param("z", 2, (1, -1.0), marks=pytest.mark.slow)],
)
def test_static_deflection(direction, axis, turn):
    """A cubic is exact: F l^3/(3 EI) at the tip under a force there, M l^2/(2 EI) under a moment."""
    probe = locked_link("polynomial", 2, direction)
    K, length, EI = stiffness_of(probe), 1.5, 12.0
    force, moment = np.zeros(3), np.zeros(3)
    force[axis], moment[turn[0]] = 0.2, turn[1] * 0.3
    for load, expected in [
        ((force, (0, 0, 0)), 0.2 * length**3 / 3),
        ((np.zeros(3), moment), 0.3 * length**2 / 2),
    ]:
        # Linear in the loads at the undeformed shape.
        delta = np.linalg.solve(K, probe.load_forces(np.zeros(2), 0, 1.0, *load))
        assert_allclose(probe.points(delta)[-1][axis], expected / EI, rtol=1e-12)


@pytest.mark.parametrize(
    "mu", [pytest.param("2.0", marks=pytest.mark.slow), "{eta: [0, 0.6, 1.5], values: [3.0, 2.0, 1.0]}"]
)
def test_modal_damping_ratios(mu):
    """Of a locked link with shapes that are not orthogonal: every natural mode has the ratio asked for."""
    zetas = np.array([0.02, 0.05, 0.11])
    probe = made_of(
        "gravity: [0, 0, 0]\n"
        f"links: [{{length: 1.5, mu: {mu}, EI: 12.0, damping: {zetas.tolist()},\n"
        "          modes: {family: polynomial, count: 3}}]\njoints: [{type: fixed}]\n"
    )
    M, K, zero = probe.mass_matrix(np.zeros(3)), stiffness_of(probe), np.zeros((3, 3))
    D = np.column_stack([probe.bias(np.zeros(3), unit) for unit in np.eye(3)])
    companion = np.block([[zero, np.eye(3)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    poles = eig(companion)[0]
    poles = poles[poles.imag > 0]
    poles = poles[np.argsort(np.abs(poles))]
    assert_allclose(-poles.real / np.abs(poles), zetas, rtol=1e-8)

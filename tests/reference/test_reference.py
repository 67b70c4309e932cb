"""The oracle itself against textbooks, hand calculations and its own definition."""

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
    random_state,
    scale_deflections,
)
from numpy.testing import assert_allclose
from scipy.linalg import eig, eigh, expm

from flexarm.spec import parse_arm
from reference.lagrangian import STATIONS, Oracle, oracle
from reference.shapes import BAR, BENDING, mode_shape, wave_number

ROUND_OFF = 1e-12
"""Relative: sums of a few hundred terms in double precision."""

CLAMPED_FREE_WAVE_NUMBERS = (1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349)
"""Roots of cos b cosh b = -1: Blevins, Formulas for Natural Frequency and Mode Shape (1979), Table 8-1."""


def made_of(text: str) -> Oracle:
    return Oracle(parse_arm("name: probe\nrun: {duration: 1.0, sample: 0.1}\n" + text))


def assert_close(actual, expected, tolerance=ROUND_OFF):
    assert_allclose(actual, expected, rtol=0, atol=tolerance * np.max(np.abs(expected)))


# -- mode shapes --------------------------------------------------------------------------------------------

XI = np.linspace(0.0, 1.0, 41)


@pytest.mark.parametrize(
    ("family", "direction"), [(f, "y") for f in BENDING] + [(f, "torsion") for f in BAR], ids=str
)
def test_slope_and_curvature_are_derivatives(family, direction):
    h = 1e-5
    for k in range(1, 5):
        left, here, right = (mode_shape(family, direction, k, XI + step) for step in (-h, 0.0, h))
        slope_error = (right.value - left.value) / (2 * h) - here.slope
        curvature_error = (right.slope - left.slope) / (2 * h) - here.curvature
        # Central differences: (k pi h)^2 / 6 of the derivative.
        assert np.max(np.abs(slope_error)) < 1e-7 * np.max(np.abs(here.slope))
        assert np.max(np.abs(curvature_error)) < 1e-7 * np.max(np.abs(here.curvature))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_boundary_conditions(k):
    start, end = (mode_shape("clamped-free", "y", k, np.array(x)) for x in (0.0, 1.0))
    assert_allclose([start.value, start.slope, end.curvature], 0.0, atol=1e-10)
    assert_allclose(end.value, 2.0 * (-1) ** (k + 1), rtol=1e-12)

    start, end = (mode_shape("clamped-clamped", "y", k, np.array(x)) for x in (0.0, 1.0))
    assert_allclose([start.value, start.slope, end.value, end.slope], 0.0, atol=1e-11)

    start, end = (mode_shape("hinged", "y", k, np.array(x)) for x in (0.0, 1.0))
    assert_allclose([start.value, start.slope, start.curvature, end.curvature], 0.0, atol=1e-12)


def test_clamped_free_wave_numbers():
    assert_allclose([wave_number(k, -1) for k in range(1, 5)], CLAMPED_FREE_WAVE_NUMBERS, rtol=1e-10)


def test_clamped_clamped_shape_as_published():
    """[FL17] (63), with the exact 4.7300407449 and 1.0178094107 for its rounded numbers."""
    b, s = 4.7300407449, 1.0178094107
    published = np.sin(b * XI) - s * np.cos(b * XI) - np.sinh(b * XI) + s * np.cosh(b * XI)
    assert_allclose(mode_shape("clamped-clamped", "y", 1, XI).value, published, atol=1e-8)


def test_tip_normalisation():
    for k in (1, 2):
        tip = mode_shape("clamped-free", "z", k, np.array(1.0), "tip")
        assert_allclose(tip.value, 1.0, rtol=1e-15)


# -- known mechanics ----------------------------------------------------------------------------------------


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
    assert_allclose(points, [[0, 0, 0.2], [1, -0.3, 0.2], [1, -0.3, 0.7]], atol=1e-15)


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


@pytest.mark.parametrize(("direction", "axis", "turn"), [("y", 1, (2, 1.0)), ("z", 2, (1, -1.0))])
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


@pytest.mark.parametrize("mu", ["2.0", "{eta: [0, 0.6, 1.5], values: [3.0, 2.0, 1.0]}"])
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


# -- its own definition -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_quadrature_is_converged(name):
    state = random_state(arm(name))
    once, twice = oracle(arm(name)), Oracle(arm(name), stations=2 * STATIONS)
    assert_close(once.mass_matrix(state.theta), twice.mass_matrix(state.theta), 1e-13)
    assert_close(once.bias(state.theta, state.theta_d), twice.bias(state.theta, state.theta_d), 1e-13)


@pytest.mark.parametrize("name", ARMS)
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
    for row, joint in zip(
        probe.joint_rows, [joint for joint in arm(name).joints if joint.type == "revolute"], strict=True
    ):
        rate_d = state.theta_d[row]
        resistance[row] += joint.friction.viscous * rate_d
        resistance[row] += joint.friction.coulomb * np.tanh(rate_d / joint.friction.smoothing)
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


# -- small end rotations ------------------------------------------------------------------------------------


def orders(name: str, difference) -> np.ndarray:
    """Measured order in delta of |difference(factor)| while all modal quantities are halved three times."""
    norms = np.array([np.linalg.norm(difference(0.1 * 0.5**k)) for k in range(4)])
    measured = np.log2(norms[:-1] / norms[1:])
    print(name, "differences", norms, "orders", measured)
    return measured


@pytest.mark.parametrize("name", FLEXIBLE_CHAINS)
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


# -- the arms themselves ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
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

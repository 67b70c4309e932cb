"""The case of Korayem, Yao and Basu (1994): published parameters, values derived twice, limits."""

import numpy as np
import pytest
from breadth import thinned
from korayem_1994 import KORAYEM, korayem, korayem_arm, korayem_data, korayem_solution
from paths import ROBOTS
from reference.inverse_motion import PublishedInverse
from reference.lagrangian import oracle

import flexarm
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.task.reference_trajectory import reference_trajectory

L, MU = 1.05, 0.405
TWO_INTEGRATORS = 1e-8  # relative; both run with tolerances of 1e-12 in every step


def at(data, name, t):
    return data[name][np.abs(data["time"] - t).argmin()]


def desired(t):
    return np.array([L - 0.1 * t**2, L + 0.01 * t]), np.array([-0.2 * t, 0.01]), np.array([-0.2, 0.0])


@pytest.fixture(scope="module")
def simply_supported():
    return korayem_data("simply_supported", "causal")


def test_the_trajectory_is_the_published_one():
    values = reference_trajectory(KORAYEM)([0.0, 0.5, 3.0])
    for k, t in enumerate((0.0, 0.5, 3.0)):
        for found, expected in zip(values, desired(t), strict=True):
            np.testing.assert_allclose(found[k], expected, rtol=0, atol=1e-14)


def test_values_at_the_start_and_after_half_a_second(simply_supported):
    """Torques, angles and amplitudes to their last digit but one."""
    data = simply_supported
    np.testing.assert_allclose(at(data, "torque", 0.0), [0.03501, 0.01167], rtol=0, atol=1e-5)
    np.testing.assert_allclose(at(data, "torque", 0.5), [-0.07532, 0.04450], rtol=0, atol=1e-5)
    np.testing.assert_allclose(np.degrees(at(data, "joint_angle", 0.5)), [0.2891, 91.7092], rtol=0, atol=1e-4)
    np.testing.assert_allclose(at(data, "mode_amplitude", 0.5)[0], 3.70204e-03, rtol=0, atol=1e-8)
    np.testing.assert_allclose(at(data, "mode_amplitude", 0.5)[1], -5.72327e-04, rtol=0, atol=1e-9)


def test_it_starts_undeformed_with_consistent_joint_rates(simply_supported):
    data = simply_supported
    assert not np.any(data["mode_amplitude"][0])
    assert not np.any(data["mode_velocity"][0])
    np.testing.assert_allclose(data["joint_angle"][0], [0.0, np.pi / 2], atol=1e-10)
    # tip rate (0, b): x_d = -L (q1_d + q2_d) and y_d = L q1_d with q1 = 0, q2 = pi/2
    np.testing.assert_allclose(data["joint_velocity"][0], [0.01 / L, -0.01 / L], atol=1e-12)


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_eq_25_to_the_letter_on_the_independent_oracle_gives_the_same(count):
    arm = korayem_arm("simply_supported", count)
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"rtol": 1e-12, "atol": 1e-14})})
    published = PublishedInverse(oracle(arm), desired)
    y = published.start(np.array([0.0, np.pi / 2]))
    end = published.integrate(y, 0.5)
    theta_dd, torque = published.accelerations(0.5, end)
    data, n = make_inverse_method("causal").solve(inverse_problem(arm, KORAYEM)).datasets(), oracle(arm).n_dof
    joints, modes = oracle(arm).joint_rows, oracle(arm).mode_rows
    for name, expected in {
        "joint_angle": end[:n][joints],
        "mode_amplitude": end[:n][modes],
        "joint_velocity": end[n:][joints],
        "mode_velocity": end[n:][modes],
        "joint_acceleration": theta_dd[joints],
        "torque": torque,
    }.items():
        found = at(data, name, 0.5)
        error = np.abs(found - expected).max() / np.abs(expected).max()
        assert error < TWO_INTEGRATORS, f"{name}: {error:.1e}"


@pytest.mark.slow
def test_published_equations_give_the_published_peak_and_those_of_the_independent_oracle():
    """1.33 N m with products of deflections left out, 1.25 N m with whole equations and finite rotations."""
    arm = flexarm.load_arm(ROBOTS / "korayem_1994_pinned_as_published.yaml")
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"rtol": 1e-12, "atol": 1e-14})})
    data = make_inverse_method("causal").solve(inverse_problem(arm, KORAYEM)).datasets()
    peaks = np.abs(data["torque"]).max(axis=0)
    np.testing.assert_allclose(peaks, [1.33, 0.0478], rtol=2e-3)
    whole = korayem_data("simply_supported", "causal")
    np.testing.assert_allclose(np.abs(whole["torque"]).max(axis=0)[0], 1.25, rtol=3e-3)
    np.testing.assert_allclose(data["torque"][0], [0.03501, 0.01167], rtol=0, atol=1e-5)

    published = PublishedInverse(oracle(arm), desired, without_products=True)
    end = published.integrate(published.start(np.array([0.0, np.pi / 2])), 0.5)
    _, torque = published.accelerations(0.5, end)
    found = at(data, "torque", 0.5)
    assert np.abs(found - torque).max() / np.abs(torque).max() < TWO_INTEGRATORS


@pytest.mark.parametrize(
    ("formulation", "peak"),
    thinned([("lagrangian", 1.976), ("elastodynamics", 1.969), ("gibbs-appell", 1.920)]),
)
def test_torques_are_those_of_the_formulation_that_moves_the_arm(formulation, peak):
    """With small rotations formulations differ; a torque of another one than the motion's would be neither's."""
    arm = korayem_arm("simply_supported")
    run = arm.run.model_copy(update={"formulation": formulation})
    arm = arm.model_copy(update={"link_rotation": "small", "run": run})
    result = flexarm.inverse(arm, KORAYEM, method="causal")
    assert np.abs(result.torque).max(axis=0)[0] == pytest.approx(peak, abs=2e-3)
    equations, k = flexarm.motion_equations(arm), 150
    theta, rates, second = (
        np.array([result[f"joint_{joint}"][k], result[f"mode_{mode}"][k]]).T.ravel()
        for joint, mode in (
            ("angle", "amplitude"),
            ("velocity", "velocity"),
            ("acceleration", "acceleration"),
        )
    )
    forces = equations.inverse_dynamics(theta, rates, second)
    np.testing.assert_allclose(result.torque[k], forces[[0, 2]], rtol=1e-10)
    np.testing.assert_allclose(forces[[1, 3]], 0, atol=1e-10)


def test_rigid_torques_are_those_of_the_textbook():
    """Two uniform links in a horizontal plane, Asada and Slotine: all terms written out."""
    data = korayem_data("clamped", "rigid")
    q2 = data["joint_angle"][:, 1]
    (v1, v2), (a1, a2) = data["joint_velocity"].T, data["joint_acceleration"].T
    m = MU * L**3
    tau_2 = m * ((1 / 3 + np.cos(q2) / 2) * a1 + a2 / 3 + np.sin(q2) / 2 * v1**2)
    tau_1 = m * (
        (5 / 3 + np.cos(q2)) * a1
        + (1 / 3 + np.cos(q2) / 2) * a2
        - np.sin(q2) * v1 * v2
        - np.sin(q2) / 2 * v2**2
    )
    np.testing.assert_allclose(data["torque"], np.column_stack([tau_1, tau_2]), rtol=0, atol=1e-14)
    np.testing.assert_array_equal(data["torque"], data["rigid_torque"])
    assert not np.any(data["mode_amplitude"])


def test_rigid_joint_angles_put_the_tip_on_the_path():
    data = korayem_data("clamped", "rigid")
    x, y = (L - 0.1 * data["time"] ** 2, L + 0.01 * data["time"])
    cosine = (x**2 + y**2) / (2 * L**2) - 1  # law of cosines
    np.testing.assert_allclose(data["joint_angle"][:, 1], np.arccos(cosine), atol=1e-9)
    assert data["tip_error"].max() < 1e-9


@pytest.mark.slow
def test_bounded_torques_tend_to_the_rigid_ones_as_the_links_get_stiffer():
    """Away from the ends, where the third rate of the run-up jumps: first order in 1/EI."""
    errors = []
    for stiffness in (16.0, 64.0, 256.0):
        data = korayem_data("clamped", "stable", 1, stiffness)
        inside = (data["time"] > 1.0) & (data["time"] < 2.0)
        errors.append(np.abs(data["torque"] - data["rigid_torque"])[inside].max())
    rates = np.diff(np.log(errors)) / np.log(1 / 4)
    assert np.all(np.abs(rates - 1) < 0.05), f"errors {errors}, rates {rates}"


@pytest.mark.slow
def test_causal_joint_angles_tend_to_the_rigid_ones_and_torques_do_not():
    """An undeformed start excites a vibration whose torque K delta does not depend on EI.

    At t = 0 the torques are (0.03501, 0.01167) N m for any EI, the rigid ones both 0.02977 N m. So "the torques tend to
    the rigid ones" holds for the bounded motion (above) and, integrated forward, for the joint angles only. The links
    are alike, so link 2 shakes link 1 in resonance: its amplitude grows like omega t / EI, and the angles tend to the
    rigid ones with the order 1/2.
    """
    errors = []
    for stiffness in (1.0, 4.0, 16.0):
        data = korayem_data("simply_supported", "causal", 1, stiffness)
        np.testing.assert_allclose(data["torque"][0], [0.03501, 0.01167], rtol=0, atol=1e-5)
        np.testing.assert_allclose(data["rigid_torque"][0], [0.02977, 0.02977], rtol=0, atol=2e-4)
        errors.append(np.abs(data["joint_angle"] - data["rigid_joint_angle"])[data["time"] <= 1.0].max())
    rates = np.diff(np.log(errors)) / np.log(1 / 4)
    assert np.all(np.abs(rates - 0.5) < 0.06), f"errors {errors}, rates {rates}"


def test_equal_links_resonate():
    """The zeros are a double pair on the imaginary axis with a single eigenvector: amplitudes grow linearly."""
    zeros = korayem("simply_supported").zero_dynamics.zeros
    np.testing.assert_allclose(np.sort(zeros.imag), [-20.0884, -20.0884, 20.0884, 20.0884], atol=1e-3)
    data = korayem_data("simply_supported", "causal")
    peaks = [
        np.abs(data["mode_amplitude"][(data["time"] > t) & (data["time"] < t + 0.5), 0]).max()
        for t in (0.5, 1.5, 2.5)
    ]
    np.testing.assert_allclose(np.diff(peaks), np.diff(peaks).mean(), rtol=0.15)


def test_clamped_links_diverge_and_the_message_names_the_way_out():
    solution = korayem_solution("clamped", "causal")
    assert solution.attributes["status"] == "incomplete"
    assert 0.05 < solution.times[-1] < 1.0
    for words in ("stopped at t = ", "clamped-free link", "non-minimum-phase", "stable"):
        assert words in solution.message


def test_the_diverging_motion_grows_with_the_unstable_zero():
    """Distance from the bounded motion grows like exp(19.29 t) while it is small."""
    found, bounded = korayem_solution("clamped", "causal"), korayem_solution("clamped", "stable")
    times = found.times[(found.times > 0.04) & (found.times < 0.12)]
    modes = list(korayem("clamped").chain.coordinates.all_modes)
    distance = np.linalg.norm((found.at(times)[0] - bounded.at(times)[0])[:, modes], axis=1)
    growth = np.polyfit(times, np.log(distance), 1)[0]
    zero = korayem("clamped").zero_dynamics.unstable_zeros[0].real
    assert growth == pytest.approx(zero, rel=0.2)

"""Stable inversion: the tip stays on its path, deflections stay bounded, and the forward dynamics confirms it."""

import numpy as np
import pytest
from korayem_1994 import KORAYEM, korayem, korayem_arm, korayem_data, korayem_solution
from paths import ROBOTS

import flexarm
from flexarm.errors import ModelError, SolverError
from flexarm.simulation.forces.piecewise_polynomials import even_mesh
from flexarm.simulation.inverse.methods.actuation import actuation_interval
from flexarm.simulation.inverse.methods.bounded_motion import BoundedMotionProblem
from flexarm.simulation.inverse.methods.stable_inversion import StableInversion
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.simulation.inverse.verification.verification import refusal, verified_error, verify

TIP = 1e-6  # m, what the tip may be off its path
VERIFIED = 1e-4  # m, the same for the open-loop simulation
cases = pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])


@cases
def test_the_tip_follows_its_path(count):
    """At times that are no points of the mesh."""
    solution = korayem_solution("clamped", "stable", count)
    times = np.linspace(0, 3, 1237)
    found, _ = korayem("clamped", count).kinematics.map(solution.at(times)[0])
    expected = np.column_stack([1.05 - 0.1 * times**2, 1.05 + 0.01 * times])
    assert np.linalg.norm(found - expected, axis=1).max() < TIP
    assert korayem_data("clamped", "stable", count)["tip_error"].max() < TIP


@cases
def test_deflections_are_bounded_and_at_rest_at_the_far_ends(count):
    data = korayem_data("clamped", "stable", count)
    assert np.abs(data["link_deflection"]).max() < 0.12  # m; links of 1.05 m
    for end in (0, -1):
        assert np.abs(data["mode_amplitude"][end]).max() < 1e-6 * np.abs(data["mode_amplitude"]).max()
        assert np.abs(data["mode_velocity"][end]).max() < 1e-5 * np.abs(data["mode_velocity"]).max()


@cases
def test_the_forward_dynamics_confirms_it(count):
    assert verified_error(korayem_solution("clamped", "stable", count)) < VERIFIED


@pytest.mark.slow
def test_a_wrong_torque_would_not_be_confirmed():
    """The rigid torques lead the flexible arm's tip millimetres away."""
    found = verify(korayem_solution("clamped", "rigid"))
    assert found.error > 10 * VERIFIED
    assert "is refuted" in refusal(korayem_solution("clamped", "stable"), found)


@pytest.mark.slow
def test_a_motion_that_is_refuted_is_marked(monkeypatch):
    """Other than the motion of the rigid arm, which is not meant to lead the flexible one."""
    monkeypatch.setattr("flexarm.simulation.inverse.verification.verification.REFUTED", 1e-15)
    arm = korayem_arm("clamped")
    found = {name: flexarm.inverse(arm, KORAYEM, method=name, verify=True) for name in ("stable", "rigid")}
    assert found["stable"].status == "incomplete"
    assert f"by {found['stable'].attributes['verified_error']:.2g} m" in found["stable"].message
    assert found["rigid"].status == "complete"


@pytest.mark.slow
def test_actuation_is_longer_where_the_motion_has_not_died_out(monkeypatch):
    monkeypatch.setattr("flexarm.simulation.inverse.methods.actuation.DECAY", 0.01)
    found = StableInversion().solve(inverse_problem(korayem_arm("clamped"), KORAYEM))
    assert found.facts["pre"] > actuation_interval(korayem("clamped")).reference.pre
    modes = list(found.problem.chain.coordinates.all_modes)
    for end in (0, -1):
        assert np.abs(found.motion[1][end][modes]).max() <= 1e-4 * np.abs(found.motion[1][:, modes]).max()
    given = StableInversion(pre=0.8).solve(inverse_problem(korayem_arm("clamped"), KORAYEM))
    assert given.facts["pre"] == 0.8


@cases
def test_deflections_need_no_forces_but_the_joint_torques(count):
    """The equations of motion, evaluated by another formulation, with what was found."""
    solution = korayem_solution("clamped", "stable", count)
    equations = flexarm.motion_equations(korayem_arm("clamped", count), formulation="gibbs-appell")
    data = solution.datasets()
    joints, modes = list(equations.coordinates.moving_joints), list(equations.coordinates.all_modes)
    for k in range(0, len(data["time"]), 29):
        forces = equations.inverse_dynamics(*(values[k] for values in solution.motion))
        np.testing.assert_allclose(forces[joints], data["torque"][k], atol=1e-12)
        np.testing.assert_allclose(forces[modes], 0, atol=1e-12)


def test_motions_belong_together():
    """Rates and accelerations are the derivatives of what they are said to be."""
    solution, h = korayem_solution("clamped", "stable"), 1e-4
    times = np.linspace(0.05, 2.95, 101)
    before, here, after = (solution.at(times + shift) for shift in (-h, 0.0, h))
    for k in (0, 1):
        np.testing.assert_allclose((after[k] - before[k]) / (2 * h), here[k + 1], atol=2e-4)


def on_mesh(step):
    """The problem, and its solution on an even mesh."""
    case = korayem("clamped")
    bounded = BoundedMotionProblem(case, actuation_interval(case, 1.5, 1.5))
    return bounded, bounded.solve(even_mesh(bounded.interval.reference.breaks, step))


@pytest.mark.slow
def test_halving_the_step_reduces_the_residual_at_the_order_of_the_method():
    """Defect of the polynomials between the Gauss points: order 4."""
    residuals = [on_mesh(step)[1].defects.max() for step in (0.01, 0.005, 0.0025)]
    orders = np.log2(residuals[:-1]) - np.log2(residuals[1:])
    assert np.all((orders > 3.6) & (orders < 4.2)), f"residuals {residuals}, orders {orders}"


@pytest.mark.slow
def test_states_at_the_mesh_have_twice_that_order():
    times = np.array([0.0, 1.5, 3.0])
    exact = on_mesh(0.004)[1].states(times)
    errors = [np.abs(on_mesh(step)[1].states(times) - exact).max() for step in (0.08, 0.04, 0.02)]
    orders = np.log2(errors[:-1]) - np.log2(errors[1:])
    assert np.all(orders > 6.8), f"errors {errors}, orders {orders}"


def test_pre_and_post_actuation_may_be_given_and_longer_ones_change_nothing():
    usual = korayem_solution("clamped", "stable")
    longer = StableInversion(pre=2.0, post=2.5).solve(korayem("clamped"))
    assert (longer.times[0], longer.times[-1]) == (-2.0, 5.5)
    times = np.linspace(0, 3, 50)
    for a, b in zip(usual.at(times), longer.at(times), strict=True):
        np.testing.assert_allclose(a, b, atol=2e-6 * np.abs(b).max())


def test_pre_actuation_shorter_than_the_run_up_are_refused():
    with pytest.raises(ModelError, match=r": pre: got 0.1 s, expected at least 0.75 s"):
        StableInversion(pre=0.1).solve(korayem("clamped"))


def test_run_up_and_run_out_join_the_path_smoothly():
    extended = ExtendedTrajectory(korayem("clamped").reference, 1.0, 1.0, 0.75)
    for t in (-0.75, 0.0, 3.0, 3.75):
        before, after = extended([t - 1e-9]), extended([t + 1e-9])
        for a, b in zip(before, after, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-6)
    for t in (-1.0, 4.0):
        assert not np.any([extended([t]).p_d, extended([t]).p_dd])
    times, h = np.linspace(-0.9, 3.9, 333), 1e-6
    np.testing.assert_allclose(
        (extended(times + h).p - extended(times - h).p) / (2 * h), extended(times).p_d, atol=1e-8
    )
    np.testing.assert_allclose(
        (extended(times + h).p_d - extended(times - h).p_d) / (2 * h), extended(times).p_dd, atol=1e-5
    )


def test_zeros_are_those_of_the_linear_equations():
    """Transmission zeros from joint torques to tip, as generalised eigenvalues of [M s^2 + K, B; C, 0]."""
    from scipy.linalg import eig

    problem = korayem("clamped", 2)
    equations = flexarm.motion_equations(korayem_arm("clamped", 2))
    theta, n = problem.start, equations.n_dof
    M, h = equations.mass_matrix(theta), 1e-6
    K = np.array(
        [
            equations.bias(theta + h * e, 0 * theta) - equations.bias(theta - h * e, 0 * theta)
            for e in np.eye(n)
        ]
    )
    C = problem.kinematics.rows(theta)[1]
    B = np.eye(n)[:, list(equations.coordinates.moving_joints)]
    size, r = n + B.shape[1], C.shape[0]
    left, right = np.zeros((size, size)), np.zeros((size, size))
    left[:n, :n], left[:n, n:], left[n:, :n] = K / (2 * h), B, C
    right[:n, :n] = -M
    squares = eig(left, right, right=False)
    squares = squares[np.isfinite(squares) & (np.abs(squares) < 1e6)]
    assert len(squares) == n - r
    expected = np.sort(np.sqrt(squares.real))
    np.testing.assert_allclose(problem.zero_dynamics.unstable_zeros.real, expected, rtol=1e-3)


def test_under_gravity_both_far_ends_are_static_equilibria():
    arm = flexarm.load_arm(ROBOTS / "payload_two_link.yaml")
    problem = inverse_problem(arm, flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml"))
    solution = StableInversion().solve(problem)
    data, equations = solution.datasets(), flexarm.motion_equations(arm)
    inside = (data["time"] >= 0) & (data["time"] <= 1)
    assert data["tip_error"][inside].max() < TIP
    assert verified_error(solution) < VERIFIED
    theta, theta_d, _ = solution.motion
    for end in (0, -1):
        assert np.abs(data["mode_amplitude"][end]).max() > 1e-4
        assert np.abs(theta_d[end]).max() < 1e-4 * np.abs(theta_d).max()
        held = equations.bias(theta[end], 0 * theta[end])
        np.testing.assert_allclose(held[list(equations.coordinates.all_modes)], 0, atol=1e-3)


def test_pinned_links_need_no_pre_actuation():
    """No unstable zeros: the bounded motion starts at rest, before the run-up."""
    solution = korayem_solution("simply_supported", "stable")
    assert solution.facts["unstable_zeros"] == ""
    assert (solution.facts["pre"], solution.facts["post"]) == (0.75, 0.75)
    modes = list(korayem("simply_supported").chain.coordinates.all_modes)
    assert not np.any(solution.motion[0][0][modes])
    assert solution.datasets()["tip_error"].max() < TIP


def test_a_joint_trajectory_bends_the_links_like_a_prescribed_motion():
    """In joint space the deflections are a forced vibration, which the forward simulation knows as well."""
    text = (
        (ROBOTS / "korayem_1994_clamped.yaml")
        .read_text()
        .replace("gravity: [0, 0, 0]", "gravity: [0, -9.81, 0]")
    )
    motions = ["0.3*t**3", "1.2 - 0.4*t**3"]
    drive = "drive:\n" + "".join(f'  - {{motion: "{motion}"}}\n' for motion in motions)
    text = text.replace("[0 deg, 90 deg], joint_rates: [0.0095238, -0.0095238]", "[0.0, 1.2]")
    text = text.replace("EI: 2.0394", "EI: 40.0")
    text = text.replace("duration: 3.0", "duration: 1.0")
    forward = flexarm.simulate(flexarm.parse_arm(text + drive))
    task = f'space: joint\nduration: 1.0\nsample: 0.01\npath: {{q1: "{motions[0]}", q2: "{motions[1]}"}}\n'
    inverse = flexarm.inverse(flexarm.parse_arm(text), flexarm.parse_trajectory(task), method="causal")
    for name in ("time", "joint_angle", "mode_amplitude", "torque", "point_position"):
        np.testing.assert_allclose(
            inverse[name], forward[name], atol=1e-6 * np.abs(forward[name]).max(), err_msg=name
        )


@pytest.mark.slow
def test_newton_that_fails_hints_at_a_remedy(monkeypatch):
    monkeypatch.setattr("flexarm.simulation.inverse.methods.mesh_refinement.ITERATIONS", 1)
    with pytest.raises(
        SolverError,
        match=r"finds no bounded motion: .* stalls after 1 corrections: .* at t = .*slower trajectory",
    ):
        StableInversion().solve(inverse_problem(korayem_arm("clamped"), KORAYEM))

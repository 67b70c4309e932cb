"""Joint angles from the place of the tip: postures, reach, singular stretches, and what is refused."""

import numpy as np
import pytest
from paths import ROBOTS

from flexarm import inverse, load_arm, load_trajectory, motion_equations, parse_arm, parse_trajectory
from flexarm.errors import ModelError
from flexarm.simulation.inverse.problem import inverse_problem

PLANAR = """\
name: planar
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 1.0}, {length: 0.8, mu: 1.0}]
"""
THREE = PLANAR.replace("{length: 0.8, mu: 1.0}", "{length: 0.8, mu: 1.0}, {length: 0.3, mu: 1.0}")


def problem(arm, trajectory):
    return inverse_problem(parse_arm(arm), parse_trajectory(trajectory, source="task.yaml"))


def refused(arm, trajectory):
    with pytest.raises(ModelError) as caught:
        problem(arm, trajectory)
    assert caught.value.exit_code == 2
    assert str(caught.value).startswith("task.yaml: ")
    return str(caught.value)


@pytest.mark.parametrize(("elbow", "sign"), [("positive", 1), ("negative", -1)])
def test_the_elbow_can_be_chosen(elbow, sign):
    found = problem(
        PLANAR, f"duration: 1\nline: {{from: [0.9, 0.5], to: [0.5, 0.9]}}\nelbow: {elbow}\n"
    ).start
    distance = np.hypot(0.9, 0.5)
    inner = np.arccos((1 + 0.64 - distance**2) / 1.6)
    assert found[1] == pytest.approx(sign * (np.pi - inner), abs=1e-9)


def test_the_posture_next_to_near_is_taken():
    text = "duration: 1\nline: {from: [0.9, 0.5], to: [0.5, 0.9]}\nnear: [90 deg, -100 deg]\n"
    assert problem(PLANAR, text).start[1] < 0
    assert problem(PLANAR, text.replace("[90 deg, -100 deg]", "[0, 100 deg]")).start[1] > 0


def test_the_arm_own_posture_is_the_next_choice():
    text = "duration: 1\nline: {from: [0.9, 0.5], to: [0.5, 0.9]}\n"
    assert problem(PLANAR + "initial: {joints: [60 deg, -60 deg]}\n", text).start[1] < 0


def test_an_elbow_that_does_not_exist_is_reported():
    one = "name: one\ngravity: [0, 0, 0]\nlinks: [{length: 1.0, mu: 1.0}]\n"
    text = "duration: 1\npath: {y: 0.5 + 0.1*t**2}\nelbow: negative\nnear: [0]\n"
    assert problem(one, text.replace("elbow: negative\n", "")).start[0] == pytest.approx(np.pi / 6)


def test_out_of_reach_names_time_and_missing_distance():
    """The tip leaves the reach of 1.8 m at t = 0.8 s; the next sample after that is 1/300 s later."""
    message = refused(PLANAR, "duration: 1\npath: {x: 1 + t, y: 0}\nelbow: positive\n")
    assert "out of reach at t = 0.80" in message
    missing = float(message.split(": ")[-1].split(" m ")[0])
    time = float(message.split("t = ")[1].split(" s")[0])
    assert missing == pytest.approx(time - 0.8, rel=0.05)


def test_a_start_out_of_reach_is_reported():
    message = refused(PLANAR, "duration: 1\nline: {from: [2.5, 0], to: [1, 0]}\n")
    assert "out of reach at t = 0 s: 0.7 m are missing" in message


def test_a_target_too_near_is_out_of_reach_too():
    message = refused(PLANAR, "duration: 1\nline: {from: [1, 0], to: [0.1, 0]}\nnear: [0.5, -1.5]\n")
    assert "out of reach" in message


def test_a_singular_stretch_is_reported_with_its_time():
    """The tip touches the limit of its reach at t = 0.5 s."""
    message = refused(PLANAR, 'duration: 1\npath: {x: "1.8 - (t - 0.5)**2", y: 0}\nelbow: positive\n')
    assert "singular stretch at t = 0." in message
    assert abs(float(message.split("t = ")[1].split(" s")[0]) - 0.5) < 0.05


def test_a_coordinate_that_no_joint_moves_is_named():
    message = refused(PLANAR, "duration: 1\npath: {x: 1 + 0.1*t, z: 0}\n")
    assert "no joint moves z of the tip, there is nothing to prescribe" in message


def test_more_task_rows_than_joints_are_refused():
    message = refused(PLANAR, "duration: 1\npath: {x: 1, y: 0.1*t, yaw: 0}\n")
    assert "got 3 task rows (x, y, yaw), expected at most 2" in message


def test_locked_and_missing_joints_cannot_follow():
    locked = THREE + "joints: [{}, {type: fixed}, {}]\n"
    assert "joint 2 is locked" in refused(locked, "space: joint\nduration: 1\npath: {q2: t}\n")
    assert "joint 4 is not among the arm's 3" in refused(THREE, "space: joint\nduration: 1\npath: {q4: t}\n")
    assert "near: got 3 angles, expected 2" in refused(locked, "duration: 1\npath: {x: 1}\nnear: [0, 0, 0]\n")


@pytest.mark.slow
def test_the_tip_can_be_turned_as_well():
    """Three joints, position and angle: yaw is the sum of the joint angles."""
    text = 'duration: 1\npath: {x: "1.2 - 0.3*t**2", y: 0.4, yaw: "3 + t**2"}\nnear: [-0.5, 1.5, 2.0]\n'
    result = inverse(parse_arm(THREE), parse_trajectory(text))
    yaw = 3 + np.clip(result.time, 0, 1) ** 2
    inside = (result.time >= 0) & (result.time <= 1)
    turned = result.joint_angle.sum(axis=1) - yaw
    np.testing.assert_allclose((turned[inside] + np.pi) % (2 * np.pi) - np.pi, 0, atol=1e-8)
    assert result.turn_error.max() < 1e-8
    assert result.tip_error.max() < 1e-8


def test_spare_joints_move_with_the_least_rates():
    """Three joints for two coordinates: the rates have no part along the null space of the Jacobian."""
    text = "duration: 1\nline: {from: [1.2, 0.4], to: [0.6, 1.1]}\nnear: [-0.5, 1.0, 0.8]\n"
    arm = parse_arm(THREE)
    result = inverse(arm, parse_trajectory(text), method="rigid", operational_space=True)
    for k in range(0, result.n_samples, 17):
        null = np.linalg.svd(result.jacobian_joints[k])[2][2:]
        np.testing.assert_allclose(null @ result.joint_velocity[k], 0, atol=1e-9)
    assert result.tip_error.max() < 1e-8
    equations = motion_equations(arm)
    forces = equations.inverse_dynamics(
        result.joint_angle[150], result.joint_velocity[150], result.joint_acceleration[150]
    )
    np.testing.assert_allclose(forces, result.torque[150], atol=1e-12)
    rates = np.gradient(result.joint_velocity, result.time, axis=0, edge_order=2)
    np.testing.assert_allclose(rates[2:-2], result.joint_acceleration[2:-2], atol=2e-2)


@pytest.fixture(scope="module")
def circle():
    arm = load_arm(ROBOTS / "spatial_six_joint.yaml")
    return inverse(arm, load_trajectory(ROBOTS / "trajectories" / "circle.yaml"), verify=True)


@pytest.mark.slow
def test_a_spatial_arm_of_six_joints_goes_round_a_circle(circle):
    """Gravity on, links 2 and 3 flexible in two directions: tip within 1e-5 m."""
    assert circle.status == "complete"
    assert circle.tip_error.max() < 1e-5
    assert circle.attributes["verified_error"] < 1e-4
    tip = circle.point_position[:, -1] - [1.2, 0.2, 0.5]
    np.testing.assert_allclose(np.linalg.norm(tip, axis=1), 0.2, atol=1e-5)
    np.testing.assert_allclose(tip[:, 0], 0, atol=1e-5)


@pytest.mark.slow
def test_its_links_sag_and_its_torques_carry_the_weight(circle):
    bent = np.abs(circle.link_deflection[:, :, 1]).max(axis=(0, 2))
    assert np.all(bent[[1, 2]] > 1e-3)
    assert not np.any(bent[[0, 3, 4, 5]])
    equations = motion_equations(circle.arm)
    held = equations.bias(circle.theta()[0], np.zeros(equations.n_dof))[
        list(equations.coordinates.moving_joints)
    ]
    np.testing.assert_allclose(circle.torque[0], held, atol=1e-3)

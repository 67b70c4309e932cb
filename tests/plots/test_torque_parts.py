"""The picture of torques of combined drives: parts thin, sum thick, limits dashed."""

import numpy as np
import pytest
from paths import ROBOTS

import flexarm


@pytest.fixture(scope="module")
def result():
    return flexarm.simulate(flexarm.load_arm(ROBOTS / "servo_arm.yaml"))


def test_parts_add_up_to_the_sum(result):
    figure = flexarm.plot(result, "torques")
    assert len(figure.axes) == 2
    for axes, torque in zip(figure.axes, result.torque.T, strict=True):
        parts = [line.get_ydata() for line in axes.lines if line.get_gid() == "part"]
        (total,) = (line.get_ydata() for line in axes.lines if line.get_gid() == "sum")
        np.testing.assert_allclose(np.sum(parts, axis=0), total, atol=1e-9)
        np.testing.assert_array_equal(total, torque)
        assert sum(line.get_gid() == "limit" for line in axes.lines) == 2
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["proportional", "derivative", "integral", "gravity", "limit", "torque", "motor's limit"]


def test_a_joint_without_a_drive_has_no_row():
    text = (ROBOTS / "servo_arm.yaml").read_text()
    start = text.index("  - pd: {kp: 40")
    free = text[:start] + "  - null\n" + text[text.index("run:") :]
    figure = flexarm.plot(flexarm.simulate(flexarm.parse_arm(free)), "torques")
    assert [axes.get_title(loc="left") or axes.get_title() for axes in figure.axes] == ["joint 1"]


def test_limits_are_those_at_the_motors_speed_and_no_two_parts_look_alike():
    """A motor behind a spring: at the stall torque the sum is on the limit that its own rate leaves it."""
    text = """
name: elastic
gravity: [0, -9.81, 0]
links: [{length: 0.6, mu: 2}, {length: 0.6, mu: 1}]
joints:
  - {stiffness: 900, motor: {inertia: 1e-4, gear: 100, stall_torque: 0.2, no_load_speed: 300}, limits: [-0.3, 1]}
  - {motor: {gear: 50, resistance: 2, torque_constant: 0.05}}
drive:
  - {torque: 1, pd: {kp: 300, kd: 40, ki: 200, reference: 1.2}, gravity_compensation: true, saturate: true}
  - {voltage: 5*sin(3*t)}
run: {duration: 1, sample: 0.001}
"""
    result = flexarm.simulate(flexarm.parse_arm(text))
    axes = flexarm.plot(result, "torques").axes[0]
    (total,) = (line.get_ydata() for line in axes.lines if line.get_gid() == "sum")
    limits = [line.get_ydata() for line in axes.lines if line.get_gid() == "limit"]
    held = result.torque_limit[:, 0] != 0
    distance = np.min([np.abs(limit - total) for limit in limits], axis=0)
    assert held.mean() > 0.3
    np.testing.assert_allclose(distance[held], 0, atol=1e-9)
    looks = [(line.get_color(), line.get_linestyle()) for line in axes.get_legend().get_lines()]
    assert len(set(looks)) == len(looks) == 10

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

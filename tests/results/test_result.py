"""The Result itself: access by name, and coordinates."""

import copy

import numpy as np
import pytest
from paths import ROBOTS
from synthetic_results import synthetic_result

from flexarm.description.reading.loader import parse_arm


def test_arrays_by_key_and_by_attribute():
    result = synthetic_result()
    np.testing.assert_array_equal(result["joint_angle"], result.joint_angle)
    assert "joint_angle" in result
    assert "joint_angel" not in result
    assert len(result) == len(list(result))
    assert {"joint_angle", "attributes", "save"} <= set(dir(result))


def test_unknown_names_suggest_the_nearest():
    result = synthetic_result()
    with pytest.raises(KeyError, match="did you mean 'joint_angle'"):
        result["joint_angel"]
    with pytest.raises(AttributeError, match="did you mean 'torque'"):
        _ = result.torques


def test_arrays_and_attributes_cannot_be_changed():
    result = synthetic_result()
    with pytest.raises(ValueError, match="read-only"):
        result.time[0] = 1.0
    with pytest.raises(TypeError):
        result.attributes["kind"] = "other"


def test_results_can_be_copied():
    result = synthetic_result(samples=5)
    np.testing.assert_array_equal(copy.copy(result).time, result.time)


def test_repr_tells_arm_status_and_samples():
    text = repr(synthetic_result(samples=11))
    assert "usoro-two-link" in text
    assert "complete" in text
    assert "11 samples to t = 3 s" in text


def test_theta_holds_angles_and_amplitudes_in_the_papers_order():
    result = synthetic_result()
    q, delta = result.joint_angle, result.mode_amplitude
    expected = np.stack([q[:, 0], delta[:, 0], q[:, 1], delta[:, 1]], axis=1)
    np.testing.assert_array_equal(result.theta(), expected)
    np.testing.assert_array_equal(result.theta(np.array([3, 8])), expected[[3, 8]])


def test_theta_leaves_locked_joints_out():
    result = synthetic_result("single_link_cantilever")
    assert [joint.type for joint in result.arm.joints] == ["fixed"]
    np.testing.assert_array_equal(result.theta(), result.mode_amplitude)


def test_the_arm_is_the_one_described():
    text = (ROBOTS / "usoro_two_link.yaml").read_text()
    assert synthetic_result().arm == parse_arm(text)

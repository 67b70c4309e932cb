"""Linear models whose inputs are the references of PD drives: closed forms, transfer functions, small moves."""

import numpy as np
import pytest

import flexarm
from flexarm.errors import ModelError

BAR = "name: bar\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\ndrive: [{pd: {kp: 40, kd: 3, reference: 0}}]\n"
ARM = """\
name: arm
gravity: [0, 0, 0]
links:
  - {length: 1.0, mu: 1.0, EI: 40.0, modes: 2, damping: 0.02}
  - {length: 0.8, mu: 0.8, EI: 30.0, modes: 1}
initial: {joints: [0, 30 deg]}
drive:
  - {pd: {kp: 60, kd: 12, move: {to: 1e-5, duration: 0.8}}}
  - {pd: {kp: 25, kd: 4, move: {to: 30 deg, duration: 1}}}
run: {duration: 2.0, sample: 0.01, rtol: 1e-10, atol: 1e-15}
"""


def test_bar_in_closed_form():
    """q_dd = 40 (r - q) + 3 (r_d - q_d) for 1 kg m^2, so q / r = (3 s + 40) / (s^2 + 3 s + 40)."""
    model = flexarm.linearize(flexarm.parse_arm(BAR), inputs="reference", outputs=["joints"])
    assert (model.inputs, model.input_units) == (("r_1",), ("rad",))
    np.testing.assert_allclose(model.A, [[0, 1], [-40, -3]], rtol=1e-14)
    for s in (0.0, 2j, 1 + 5j):
        expected = (3 * s + 40) / (s**2 + 3 * s + 40)
        np.testing.assert_allclose(response(model, s), [[expected]], rtol=1e-12)
    np.testing.assert_allclose(model.zeros(["r_1"], ["q_1"]), [-40 / 3], rtol=1e-12)


def response(model, s):
    """Transfer matrix C (s I - A)^-1 B + D."""
    return model.C @ np.linalg.solve(s * np.eye(len(model.A)) - model.A, model.B) + model.D


def test_references_act_through_the_gains_of_their_drives():
    arm = flexarm.parse_arm(ARM)
    torque = flexarm.linearize(arm, joints="pd")
    model = flexarm.linearize(arm, inputs="reference")
    gains = np.array([[60, 12], [25, 4]])
    np.testing.assert_array_equal(model.gains, gains)
    for s in (3j, 0.5 + 20j, 200j):
        expected = response(torque, s) * (gains[:, 0] + s * gains[:, 1])
        np.testing.assert_allclose(response(model, s), expected, rtol=1e-9, atol=1e-12)
    zeros = np.sort_complex(model.zeros(["r_1", "r_2"], ["q_1", "q_2"]))
    own = torque.zeros(["tau_1", "tau_2"], ["q_1", "q_2"])
    np.testing.assert_allclose(zeros, np.sort_complex([*own, -5.0, -6.25]), rtol=1e-9)


def test_a_small_move_is_the_response_to_its_reference():
    from scipy.signal import lsim  # which takes a second to import

    arm = flexarm.parse_arm(ARM)
    model, result = flexarm.linearize(arm, inputs="reference"), flexarm.simulate(arm)
    time = np.linspace(0, 2, 4001)
    references = np.stack([arm.drive[0].pd.reference.at(time), np.zeros(time.size)], axis=1)
    _, outputs, _ = lsim((model.A, model.B, model.C, model.D), references, time)
    deviation = result.joint_angle - result.joint_angle[0]
    # straight lines between the instants, and what is of second order in a move of 1e-5 rad
    np.testing.assert_allclose(deviation, outputs[::20, :2], rtol=0, atol=3e-5 * np.abs(deviation).max())


def test_only_regulated_joints_have_references():
    arm = flexarm.parse_arm(ARM.replace("{pd: {kp: 60, kd: 12, move: {to: 1e-5, duration: 0.8}}}", "null"))
    assert flexarm.linearize(arm, inputs="reference").inputs == ("r_2",)
    free = flexarm.parse_arm(BAR.replace("{pd: {kp: 40, kd: 3, reference: 0}}", "null"))
    with pytest.raises(ModelError, match="no joint has a PD drive"):
        flexarm.linearize(free, inputs="reference")
    with pytest.raises(
        ModelError,
        match="got 'angle', expected torque, reference, voltage, force@LINK:AT:AXIS, base:AXIS or a disturbance",
    ):
        flexarm.linearize(free, inputs="angle")

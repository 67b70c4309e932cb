"""Sensors as outputs of linear models: closed forms, and the equations of motion evaluated beside the model."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS

import flexarm

TEXT = """\
name: arm
gravity: [0, 0, 0]
links:
  - {length: 1.0, mu: 2.0, EI: 200, modes: 2, damping: 0.01}
  - {length: 0.7, mu: 1.0, EI: 100, modes: 1}
initial: {joints: [20 deg, 40 deg]}
sensors:
  hub: {joint: 2, of: rate}
  speed: {velocity: {link: 2, at: 0.5}, along: x}
  felt: {acceleration: tip, along: y, frame: link}
  gauge: {strain: {link: 1, at: 0.1}, distance: 0.01, bias: 1}
"""


def test_accelerations_have_a_direct_part():
    """C and D by what the accelerations of the equations of motion do to the sensor: P theta_dd."""
    arm = flexarm.parse_arm(TEXT)
    model = flexarm.linearize(arm, outputs=["hub", "speed", "felt", "gauge", "tip"])
    assert model.outputs == ("hub", "speed", "felt", "gauge", "tip_x", "tip_y")
    assert model.output_units == ("rad/s", "m/s", "m/s^2", "1", "m", "m")
    n, q = len(model.motion.rows), np.deg2rad(60)
    tip = model.C[4:, :n]
    across = np.array([-np.sin(q), np.cos(q)]) @ tip  # axis y of the undeformed link 2
    np.testing.assert_allclose(model.C[2], across @ model.A[n:], rtol=1e-9, atol=1e-9 * np.abs(model.A).max())
    np.testing.assert_allclose(model.D[2], across @ model.B[n:], rtol=1e-9)
    assert not np.delete(model.D, 2, axis=0).any()
    np.testing.assert_array_equal(model.C[0], np.eye(2 * n)[n + model.states.index("q_2")])
    np.testing.assert_allclose(model.C[1, :n], 0)


def test_model_and_run_begin_alike():
    """Just after a torque sets in from rest, all sensors are D times it, within what a small torque leaves."""
    small = 1e-6
    drive = f"drive: [{{torque: {small}}}, {{torque: {-2 * small}}}]\n"
    arm = flexarm.parse_arm(TEXT + drive)
    model = flexarm.linearize(arm, outputs=["hub", "speed", "felt"])
    result = flexarm.simulate(arm)
    first = [result.sensor(name)[0] for name in model.outputs]
    np.testing.assert_allclose(first, model.D @ [small, -2 * small], rtol=1e-6, atol=1e-15)


def test_zeros_of_rates_are_those_of_the_positions_and_the_origin():
    arm = flexarm.parse_arm(
        "name: bar\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3, EI: 50, modes: 2}]\n"
        "sensors: {v: {velocity: tip, along: y}, a: {acceleration: tip, along: y}}\n"
    )
    model = flexarm.linearize(arm, outputs=["tip", "v", "a"])
    of_tip, of_v, of_a = (model.zeros(["tau_1"], [name]) for name in ("tip_y", "v", "a"))
    np.testing.assert_allclose(np.sort_complex(of_v), np.sort_complex([*of_tip, 0]))
    np.testing.assert_allclose(np.sort_complex(of_a), np.sort_complex([*of_tip, 0, 0]))


def test_rates_follow_a_reference_at_once():
    """A bar of 1 kg m^2 that follows r by kp = 40, kd = 3: from r to its rate (3 s + 40) s / (s^2 + 3 s + 40)."""
    arm = flexarm.parse_arm(
        "name: bar\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"
        "drive: [{pd: {kp: 40, kd: 3, reference: 1}}]\n"
        "sensors: {rate: {joint: 1, of: rate}, a: {acceleration: tip, along: y}}\n"
    )
    model = flexarm.linearize(arm, inputs="reference", outputs=["rate"])
    s = 0.7 + 2.3j
    found = model.C @ np.linalg.solve(s * np.eye(2) - model.A, model.B) + model.D
    np.testing.assert_allclose(found, (3 * s + 40) * s / (s**2 + 3 * s + 40), rtol=1e-12)
    with pytest.raises(flexarm.ModelError, match="acceleration follows the rate of a reference"):
        flexarm.linearize(arm, inputs="reference", outputs=["a"])


def test_what_is_no_output_is_refused_in_words():
    arm = flexarm.parse_arm(TEXT.replace("{joint: 2, of: rate}", "{joint: 2, of: torque}"))
    with pytest.raises(flexarm.ModelError, match="torques and forces are no outputs"):
        flexarm.linearize(arm, outputs=["hub"])
    with pytest.raises(flexarm.ModelError, match=r"unknown output 'hubs', expected one of hub, speed.*'hub'"):
        flexarm.linearize(arm, outputs=["hubs"])
    turning = flexarm.parse_arm(
        (ROBOTS / "spin_up_beam.yaml").read_text() + "sensors: {v: {velocity: tip, along: y}}\n"
    )
    with pytest.raises(flexarm.ModelError, match=r"output v: .*about a steady rotation"):
        flexarm.linearize(turning, spin=2.0, outputs=["v"])

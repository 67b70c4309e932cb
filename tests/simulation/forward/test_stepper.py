"""Arms moved period by period: the motion is that of simulate, controllers in Python do what described ones do."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from paths import ROBOTS
from scipy.linalg import expm, solve_continuous_are

import flexarm

RULER = (ROBOTS / "lqr_arm.yaml").read_text().partition("controllers:")[0]
T = 1e-3
RUN = f"run: {{duration: 0.2, sample: {T}, rtol: 1e-10, atol: 1e-14}}\n"
TOLERANCE = 1e-9
"""Of damped motions of order 1 at rtol 1e-10: both integrations are off by some tens of it."""
NAMES = ["hub", "bent", "root", "hub_rate", "tip_speed", "middle_speed"]
TWO_LINKS = """
name: two
links:
  - {length: 1, mu: 2, EI: 100, modes: {count: 1}, damping: {ratio: 0.01}}
  - {length: 0.8, mu: 1}
initial: {joints: [-90 deg, 20 deg]}
"""
NOISY = """
sensors:
  q: {joint: 1, noise: 0.01, delay: 0.01, resolution: 0.001}
  rate: {joint: 1, of: rate, noise: 0.02, period: 0.007}
  exact: {joint: 1}
controllers:
  u: {gain: -3, inputs: q, period: 0.005}
disturbances:
  ripple: {torque: 1, noise: 0.1, period: 0.004}
drive: [{controller: u, torque: "0.5*step(t - 0.0333)"}]
run: {duration: 0.5, sample: 0.01, rtol: 1e-10, atol: 1e-12, seed: 3}
"""
ROD = "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"


@cache
def noisy():
    return flexarm.parse_arm(ROD + NOISY)


def outputs(stepper, inputs):
    return np.array([stepper.step(u)[0] for u in inputs])


@pytest.mark.parametrize(
    "own", ["", "pd: {kp: 20, ki: 5, kd: 2, reference: 0.3*t}, gravity_compensation: true"]
)
def test_constant_inputs_are_a_torque(own):
    run = "run: {duration: 1, sample: 0.02, rtol: 1e-10, atol: 1e-12}\n"
    drive = f"drive: [{{{own}}}, null]\n" if own else ""
    stepper = flexarm.parse_arm(TWO_LINKS + drive + run).stepper(0.02, outputs=["joints", "tip"])
    assert stepper.inputs == ("torque[1]", "torque[2]")
    assert stepper.outputs == ("q_1", "q_2", "tip_x", "tip_y")
    found = np.array([stepper.reset()[0], *outputs(stepper, [(0.7, -0.2)] * 50)])
    torque = f"drive: [{{torque: 0.7{', ' * bool(own)}{own}}}, {{torque: -0.2}}]\n"
    result = flexarm.simulate(flexarm.parse_arm(TWO_LINKS + torque + run))
    expected = np.hstack([result.joint_angle, result.tip[:, :2]])
    np.testing.assert_allclose(
        found, expected, atol=100 * TOLERANCE
    )  # gravity and nothing that damps the joints


def test_held_inputs_are_steps_of_a_torque():
    run = "run: {duration: 0.3, sample: 0.01, rtol: 1e-10, atol: 1e-14}\n"
    stepper = flexarm.parse_arm(RULER + run).stepper(0.01, outputs=["hub", "gauge", "felt", "tip"])
    u = np.repeat([0.05, -0.08, 0.0], 10)
    found = outputs(stepper, u)
    torque = 'drive: [{torque: "0.05 - 0.13*step(t - 0.1) + 0.08*step(t - 0.2)"}]\n'
    result = flexarm.simulate(flexarm.parse_arm(RULER + torque + run))
    expected = [result.sensor("hub"), result.sensor("gauge"), result.tip[:, 0], result.tip[:, 1]]
    np.testing.assert_allclose(found[:, [0, 1, 3, 4]], np.transpose(expected)[1:], atol=TOLERANCE)
    felt = result.sensor("felt")[1:]
    smooth = np.append(u[1:] == u[:-1], False)  # at a step of the torque: before it, and after
    np.testing.assert_allclose(found[smooth, 2], felt[smooth], atol=1e4 * TOLERANCE)  # (2 pi 18 Hz)^2
    assert np.abs(found[[9, 19], 2] - felt[[9, 19]]).min() > 0.1


def test_pd_in_python_is_the_one_described():
    """At 1 kHz on the ruler, which reads what the stepper gives."""
    start = "initial: {joints: [0.15]}\n"
    gain = "controllers: {pd: {gain: [-2, -0.25], inputs: [hub, hub_rate], period: 0.001}}\ndrive: [{controller: pd}]\n"
    result = flexarm.simulate(flexarm.parse_arm(RULER + gain + start + RUN))
    stepper = flexarm.parse_arm(RULER + start + RUN).stepper(T, outputs=["hub", "hub_rate"])
    (y, _), found = stepper.reset(), []
    for k in range(200):
        found.append(y)
        y, t = stepper.step(-2 * y[0] - 0.25 * y[1])
        assert t == (k + 1) * T
    assert np.abs(np.array(found)[:, 0] - result.sensor("hub")[:-1]).max() < 1e-9
    np.testing.assert_allclose(
        np.array(found)[:, 1], result.sensor("hub_rate")[:-1], atol=1e-7
    )  # rates of 30/s


def test_regulator_in_python_closes_the_exact_discrete_loop():
    """x_k+1 = e^(A T) x_k + int e^(A s) ds B u_k, u_k = -K x_k."""
    start = 1e-4
    arm = flexarm.parse_arm(f"{RULER}initial: {{joints: [{start}]}}\n{RUN}")
    model = flexarm.linearize(arm, outputs=["tip", *NAMES])
    C = model.C[[model.outputs.index(name) for name in ["tip_y", *NAMES]]]
    Q = 400 * np.outer(C[0], C[0]) + np.diag([20, 0, 0, 0.2, 0, 0])
    K = model.B.T @ solve_continuous_are(model.A, model.B, Q, np.array([[4.0]])) / 4
    gain = K @ np.linalg.inv(C[1:])
    exponential = expm(np.block([[model.A, model.B], [np.zeros((1, 7))]]) * T)
    x, stepper = start * np.eye(6)[0], arm.stepper(T, ["torque[1]"], NAMES)
    y, _ = stepper.reset()
    for _ in range(200):
        y, _ = stepper.step(-gain @ y)
        x = exponential[:6, :6] @ x - exponential[:6, 6] * (K @ x)
        assert abs(y[0] - x[0]) < 1e-8 * start / 1e-4


def test_own_controllers_noise_and_break_points_go_on():
    """Clocks of 4, 5 and 7 ms and a step of the torque within periods of 2 ms: as simulate has them."""
    stepper = noisy().stepper(0.002)
    found = np.array([stepper.reset()[0], *outputs(stepper, [0.0] * 249)])[::5]
    result = flexarm.simulate(noisy())
    for k, name in enumerate(stepper.outputs):
        np.testing.assert_allclose(found[:, k], result.sensor(name)[:-1], atol=TOLERANCE, err_msg=name)
    with pytest.raises(flexarm.ModelError, match=r"known up to t = 0.5 s \(raise run.duration\)"):
        outputs(stepper, [0.0] * 2)
    assert stepper.state.time == 0.5


def test_state_and_copy_give_the_same_bits():
    stepper = noisy().stepper(0.002)
    u = np.sin(np.arange(100))
    outputs(stepper, u[:40])
    state, other = stepper.state, stepper.copy()
    found = outputs(stepper, u[40:])
    outputs(other, -u[:7])  # an independent one
    assert (outputs(stepper.copy(), u[:9]) != outputs(other, u[:9])).any()
    stepper.reset(seed=8)
    stepper.state = other.state = state
    for one in (stepper, other, stepper.copy()):
        one.state = state
        assert (outputs(one, u[40:]) == found).all()


def test_seeds():
    stepper = noisy().stepper(0.002)
    first = outputs(stepper, [0.0] * 20)
    runs = {}
    for seed in (3, 4):
        stepper.reset(seed)
        runs[seed] = outputs(stepper, [0.0] * 20)
    assert (runs[3] == first).all()
    assert (runs[4] != first).any()


def test_a_state_may_be_changed():
    """A rod without gravity moves on from any angle and rate that it is given."""
    stepper = flexarm.parse_arm(ROD).stepper(0.01)
    stepper.state = replace(stepper.state, time=0.5, y=np.array([0.2, 3.0]))
    y, t = stepper.step(2.0)  # inertia 1 kg m^2
    assert t == pytest.approx(0.51)
    np.testing.assert_allclose(y, 0.2 + 0.03 + 1e-4, rtol=1e-12)


def test_inputs_stay_within_the_limits_of_a_motor():
    motor = "joints: [{motor: {inertia: 0.01, gear: 1, stall_torque: 2, no_load_speed: 1000}}]\n"
    arm = flexarm.parse_arm(
        f"{ROD}{motor}drive: [{{torque: 1, saturate: true}}]\nsensors: {{m: {{joint: 1, of: torque}}}}\n"
    )
    stepper = arm.stepper(0.001)
    y, _ = stepper.step(5.0)
    np.testing.assert_allclose(y, 2.0, rtol=1e-2)
    y, _ = stepper.step(-0.4)
    np.testing.assert_allclose(y, 0.6, rtol=1e-9)


def test_beside_a_prescribed_motion():
    run = "drive: [{motion: 0.2*sin(3*t)}, PLACE]\nrun: {duration: 0.5, sample: 0.05, rtol: 1e-10, atol: 1e-12}\n"
    arm = flexarm.parse_arm(TWO_LINKS + run.replace("PLACE", "null"))
    stepper = arm.stepper(0.05)
    assert stepper.inputs == ("torque[2]",)
    result = flexarm.simulate(flexarm.parse_arm(TWO_LINKS + run.replace("PLACE", "{torque: 0.1}")))
    np.testing.assert_allclose(
        outputs(stepper, [0.1] * 10)[:, -1], result.joint_angle[1:, 1], atol=100 * TOLERANCE
    )


def test_torques_act_on_the_motors_of_elastic_joints():
    rod = ROD + "joints: [{stiffness: 50, motor: {inertia: 0.01, gear: 10}}]\n"
    run = "run: {duration: 0.5, sample: 0.05, rtol: 1e-10, atol: 1e-12}\n"
    stepper = flexarm.parse_arm(rod + run).stepper(0.05)
    result = flexarm.simulate(flexarm.parse_arm(f"{rod}drive: [{{torque: 0.5}}]\n{run}"))
    found = outputs(stepper, [0.5] * 10)
    np.testing.assert_allclose(found, result.joint_angle[1:], atol=100 * TOLERANCE)


def test_a_step_that_fails_changes_nothing():
    arm = flexarm.parse_arm(TWO_LINKS + "run: {duration: 1, sample: 0.1, max_steps: 20}\n")
    stepper = arm.stepper(0.001)
    for _ in range(100):  # the limit is that of each
        stepper.step([0.0, 0.0])
    before = stepper.state
    with pytest.raises(flexarm.SolverError, match=r"two: stopped at t = .*limit of 20 steps"):
        stepper.step([1e6, 0.0])
    after = stepper.state
    assert before.time == after.time
    assert (before.y == after.y).all()
    assert before.pace == after.pace


@pytest.mark.parametrize(
    ("more", "arguments", "message"),
    [
        ("", {"inputs": ["torque[3]"]}, r"two: unknown input 'torque\[3\]', expected torque\[1\] or torque\[2\] \(did"),
        ("", {"inputs": ["voltage"]}, "two: unknown input 'voltage', expected"),
        ("", {"inputs": "torque[1]"}, "inputs: got .*, expected a list of names"),
        ("", {"inputs": ["torque[1]"] * 2}, r"input torque\[1\] is named twice"),
        ("", {"outputs": ["tipp"]}, "two: unknown output 'tipp', expected one of .*did you mean 'tip'"),
        ("", {"outputs": []}, "outputs: got none, expected at least one name"),
        ("", {"outputs": ["deflection@2:1"]}, "nothing that moves is measured"),
        ("", {"period": 0}, "period: got 0, expected a finite number above 0"),
        ("", {"period": -0.1}, "period: got -0.1, expected"),
        ("", {"period": np.nan}, "period: got nan, expected"),
        ("drive: [{motion: t}, null]\n", {"inputs": ["torque[1]"]}, "joint 1 has a prescribed motion"),
        ("drive: [{motion: t}, {motion: t}]\n", {"inputs": ["torque[1]"]}, "joint 1 has a prescribed motion"),
        ("joints: [{type: fixed}, {}]\ninitial: {joints: [0.1]}\n", {"inputs": ["torque[1]"]}, "joint 1 does not move"),
        ("joints: [{limits: [-2, 2]}, {}]\n", {}, r"a stepper moves no arm with limits \(simulate does\)"),
        ("run: {duration: 1, sample: 0.1, method: radau}\n", {}, "method: radau, but a stepper integrates by dop853"),
    ],
)  # fmt: skip
def test_wrong_arguments(more, arguments, message):
    described = TWO_LINKS.partition("initial")[0] if "initial" in more else TWO_LINKS
    arm = flexarm.parse_arm(described + more)
    with pytest.raises(flexarm.ModelError, match=message) as caught:
        arm.stepper(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("u", "message"),
    [
        ([1.0, 2.0], r"u: got an array of shape \(2,\), expected 1 number, torque\[1\]"),
        ([[1.0]], r"u: got an array of shape \(1, 1\)"),
        ("x", "u: got 'x', expected 1 number"),
        ([np.eye(2), 3], "u: got .*, expected 1 number"),
        (None, r"u: got \[nan\], expected finite numbers"),
        ([np.inf], r"u: got \[inf\], expected finite numbers"),
    ],
)
def test_wrong_inputs(u, message):
    stepper = flexarm.parse_arm(ROD).stepper()
    with pytest.raises(flexarm.ModelError, match=message) as caught:
        stepper.step(u)
    assert "\n" not in str(caught.value)
    assert stepper.state.time == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"time": 0.0015}, "state.time: got 0.0015, expected a multiple of the period"),
        ({"time": np.nan}, "state.time: got nan, expected a finite number"),
        ({"y": np.zeros(3)}, r"state.y: got an array of shape \(3,\), expected 2 finite numbers"),
        ({"y": np.array([0, np.nan])}, "state.y: got .*, expected 2 finite numbers"),
    ],
)
def test_wrong_states(change, message):
    stepper = flexarm.parse_arm(ROD).stepper()
    with pytest.raises(flexarm.ModelError, match=message):
        stepper.state = replace(stepper.state, **change)


def test_wrong_seeds_and_objects():
    stepper = flexarm.parse_arm(ROD).stepper()
    with pytest.raises(flexarm.ModelError, match=r"seed: got -1, expected a whole number from 0"):
        stepper.reset(-1)
    with pytest.raises(flexarm.ModelError, match="state: got int, expected the state of a stepper"):
        stepper.state = 3

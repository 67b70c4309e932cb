"""PD drives of what sensors measure and of instants: the same blocks written by hand, limits, rests, other commands."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.errors import SpecError

LINK = "{length: 0.45, mu: 0.13333333333333333, EI: 0.2494, modes: {family: clamped-free, count: 2}, damping: 0.005}"
ARM = f"""
name: ruler
gravity: [0, 0, 0]
links: [{LINK}]
joints: [{{motor: {{inertia: 3.9e-7, gear: 70, stall_torque: 0.002}}, friction: {{viscous: 0.004}}}}]
payload: {{mass: 0.05}}
run: {{duration: 0.5, sample: 0.01, seed: 3}}
"""
GAINS = "kp: 2, kd: 0.25, ki: 1, derivative_filter: 50 Hz"
REFERENCE = "0.3*min(t/0.2, 1)"


def blocks(period="", read="hub", windup=""):
    """Controllers that a PD drive is, as one types them."""
    return f"""
controllers:
  r: {{reference: "{REFERENCE}"}}
  e: {{sum: [1, -1], inputs: [r, {read}]{period}}}
  pid: {{pid: {{{GAINS}{windup}}}, inputs: e{period}}}
"""


def driven(keys, saturate=False):
    return (
        f"drive: [{{pd: {{{GAINS}, reference: '{REFERENCE}', {keys}}}, saturate: {str(saturate).lower()}}}]\n"
    )


@pytest.mark.parametrize(
    ("keys", "sensor", "typed", "period"),
    thinned([
        ("measure: hub", "joint: 1", "joint: 1", ""),
        ("measure: hub, period: 0.002", "joint: 1, noise: 1e-4", "joint: 1, noise: 1e-4", ", period: 0.002"),
        # the delay is half a period, a period, and two and a half
        ("measure: hub, period: 0.002, delay: 0.001", "joint: 1, noise: 1e-4",
         "joint: 1, noise: 1e-4, period: 0.002, offset: 0.001", ", period: 0.002"),
        ("measure: hub, period: 0.002, delay: 0.002", "joint: 1", "joint: 1, period: 0.002, delay: 0.002",
         ", period: 0.002"),
        ("measure: hub, period: 0.002, delay: 0.005", "joint: 1, resolution: 1e-3",
         "joint: 1, resolution: 1e-3, period: 0.002, offset: 0.001, delay: 0.004", ", period: 0.002"),
    ]),
)  # fmt: skip
@pytest.mark.parametrize("saturate", [False, True])
def test_a_measured_pd_is_its_blocks_written_by_hand(keys, sensor, typed, period, saturate):
    """Same states, same instants, same numbers; also at the limit of the motor, where the integral does not wind up."""
    short = flexarm.simulate(
        flexarm.parse_arm(f"{ARM}sensors: {{hub: {{{sensor}}}}}\n{driven(keys, saturate)}")
    )
    windup = ", anti_windup: true" if saturate else ""
    drive = f"drive: [{{controller: pid, saturate: {str(saturate).lower()}}}]\n"
    hand = flexarm.simulate(
        flexarm.parse_arm(f"{ARM}sensors: {{hub: {{{typed}}}}}\n{blocks(period, windup=windup)}{drive}")
    )
    assert np.abs(hand.joint_angle).max() > 0.1
    for name in ("joint_angle", "torque", "sensor_value"):
        np.testing.assert_allclose(getattr(short, name), getattr(hand, name), rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(short.controller("pd_1"), short.controller_output[:, -1])
    if saturate:
        assert np.abs(short.torque).max() == pytest.approx(0.14)


def test_without_a_sensor_it_measures_its_joint():
    own = flexarm.simulate(flexarm.parse_arm(f"{ARM}{driven('period: 0.002')}"))
    named = flexarm.simulate(
        flexarm.parse_arm(f"{ARM}sensors: {{hub: {{joint: 1}}}}\n{driven('measure: hub, period: 0.002')}")
    )
    np.testing.assert_array_equal(own.joint_angle, named.joint_angle)


def test_behind_a_spring_it_measures_the_motor():
    """As the plain PD does: a fast filter brings the two together, but for the kick at the start that it leaves."""
    elastic = ARM.replace("joints: [{", "joints: [{stiffness: 20, ")
    plain, filtered = (
        flexarm.simulate(
            flexarm.parse_arm(
                f"{elastic}drive: [{{pd: {{kp: 2, kd: 0.25, reference: 0.3*sin(3*t)**2{filter}}}}}]\n"
            )
        )
        for filter in ("", ", derivative_filter: 2000")
    )
    assert np.abs(plain.joint_angle - filtered.joint_angle).max() < 2e-3 * np.abs(plain.joint_angle).max()
    assert flexarm.parse_arm(f"{elastic}{driven('period: 0.01')}").sensors[0][1].of == "motor"


def test_a_sampled_integral_does_not_wind_up():
    """The recursion written out: x_k+1 = x_k + T (e_k + (torque - demand)/kp), the torque that of the period before."""
    text = (
        "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"
        "joints: [{motor: {inertia: 0, gear: 1, stall_torque: 0.5}}]\n"
        "drive: [{pd: {kp: 4, kd: 3, ki: 2, reference: 1, derivative_filter: 5, period: 0.02}, saturate: true}]\n"
        "run: {duration: 3, sample: 0.02}\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    T, w = 0.02, 2 * np.pi * 5
    # bilinear: (I - A T/2) x_k+1 = (I + A T/2) x_k + B T u_k of x = int e, and of the filter's output
    A, B, C = np.diag([0, -w]), np.array([1, w]), np.array([2, -3 * w])
    back = np.linalg.inv(np.eye(2) - A * T / 2)
    D, C, B, A = 4 + 3 * w + C @ back @ B * T / 2, C @ back, back @ B * T, back @ (np.eye(2) + A * T / 2)
    q = q_d = excess = 0.0
    x, found = np.zeros(2), []
    for _ in range(150):
        found.append(q)
        e = 1 - q
        u = float(C @ x + D * e)
        torque = min(max(u, -0.5), 0.5)
        x = A @ x + B * e + [T * excess / 4, 0]
        excess = torque - u
        q, q_d = q + T * q_d + T**2 / 2 * torque, q_d + T * torque
    np.testing.assert_allclose(result.joint_angle[:-1, 0], found, atol=1e-9)
    wound = flexarm.simulate(
        flexarm.parse_arm(
            f"{text.partition('drive')[0]}controllers:\n  r: {{reference: 1}}\n"
            "  e: {sum: [1, -1], inputs: [r, q], period: 0.02}\n"
            "  pid: {pid: {kp: 4, kd: 3, ki: 2, derivative_filter: 5}, inputs: e, period: 0.02}\n"
            "sensors: {q: {joint: 1}}\ndrive: [{controller: pid, saturate: true}]\nrun: {duration: 3, sample: 0.02}\n"
        )
    )
    assert wound.joint_angle.max() > 1.05 * result.joint_angle.max()


@pytest.mark.parametrize("keys", ["", ", period: 0.002", ", period: 0.002, delay: 0.003"])
def test_an_arm_starts_in_the_equilibrium_of_its_measured_pd(keys):
    """The integral holds the weight from the start on."""
    text = (
        "name: arm\nlinks: [{length: 1, mu: 2, EI: 300, modes: 2, damping: 0.1}]\n"
        "initial: {joints: [0.4], equilibrium: true}\n"
        f"drive: [{{pd: {{kp: 50, kd: 5, ki: 30, reference: 0.4, derivative_filter: 50{keys}}}}}]\n"
        "run: {duration: 1, sample: 0.01}\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert np.ptp(result.joint_angle) < 1e-9
    assert np.ptp(result.mode_amplitude, axis=0).max() < 1e-9
    np.testing.assert_allclose(result.torque_controller[:, 0], result.torque[:, 0])


def test_a_shaped_reference_is_that_of_the_arms_own_mode():
    text = (
        f"{ARM}drive: [{{pd: {{kp: 2, kd: 0.25, derivative_filter: 200, measure: hub, "
        "move: {to: 6 deg, duration: 0.25}, shaper: {type: zv, frequency: auto}}}]\nsensors: {hub: {joint: 1}}\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    exact = flexarm.simulate(flexarm.parse_arm(text.replace("derivative_filter: 200, measure: hub, ", "")))
    np.testing.assert_allclose(result.joint_angle, exact.joint_angle, atol=5e-4)
    drive = result.arm.drive[0]
    assert drive is not None
    assert "zv shaper at" in drive.described(result.arm.joints[0].kind)


def test_a_sampled_pd_is_shaped_at_the_mode_of_its_held_joint():
    """Not at that of a joint that moves freely under a torque that is held, 4.96 Hz."""
    text = (
        f"{ARM}drive: [{{pd: {{kp: 20, kd: 2.5, derivative_filter: 200, period: 0.001, "
        "move: {to: 6 deg, duration: 0.25}, shaper: {type: zv, frequency: auto}}}]\n"
    )
    shaper = flexarm.simulate(flexarm.parse_arm(text)).arm.drive[0].own_shaper
    assert shaper.modes[0].frequency == pytest.approx(1.8, abs=0.1)


def test_other_commands_take_it_as_a_pd_of_its_joint():
    """Modes, linear models and equilibria of small, slow motions; tracking; sweeps over its gains."""
    measured = flexarm.parse_arm(f"{ARM}{driven('period: 0.002')}")
    plain = flexarm.parse_arm(
        f"{ARM}{driven('measure: x')}".replace(", measure: x", "").replace(", derivative_filter: 50 Hz", "")
    )
    poles = [flexarm.natural_modes(arm, joints="pd").modes.poles for arm in (measured, plain)]
    np.testing.assert_allclose(*poles, rtol=1e-9)
    models = [flexarm.linearize(arm, inputs="reference") for arm in (measured, plain)]
    np.testing.assert_allclose(models[0].A, models[1].A, rtol=1e-9, atol=1e-9)
    stiffer = measured.replace("drive[0].pd.kp", 3.0)
    terms = dict(stiffer.controllers)["pd_1"].pid
    assert terms is not None
    assert terms.kp == 3
    angles = [flexarm.simulate(arm).joint_angle for arm in (measured, stiffer)]
    assert np.abs(angles[0] - angles[1]).max() > 1e-3


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("measure: hubb", "drive[0].pd.measure: got 'hubb', which is no sensor (did you mean 'hub'?)"),
        ("measure: rate", "drive[0].pd.measure: rate measures in rad/s, but the reference of joint 1 is in rad"),
        ("measure: other", "sensors.other.joint: got joint 7, but"),
        ("delay: 0.001", "drive[0].pd.delay: a delay needs a period"),
        ("measure: slow, period: 0.01, delay: 0.01", "drive[0].pd.delay: slow has a period of its own"),
        ("measure: hub, period: 0.01, delay: 0.01", "drive[0].pd.delay: hub is read by g too"),
        ("measure: noisy", "sensors.noisy.noise: a noise needs a period"),
        ("period: 0.01, delay: 20", "drive[0].pd.delay: got 2000 periods"),
        ("period: 1e-9", "drive[0].pd.period: got 1e-09 s"),
        ("derivative_filter: fast", "drive[0].pd.derivative_filter: got 'fast', expected a frequency > 0 in Hz"),
        ("period: 0.01, kd: 1", "drive[0].pd.kd: the rate of what is measured, or sampled, needs a filter"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_one_line(keys, words):
    rate = "" if "kd" in keys else "kd: 0, "
    text = (
        f"{ARM}sensors: {{hub: {{joint: 1}}, slow: {{joint: 1, period: 0.02}}, noisy: {{joint: 1, noise: 1}}}}\n"
        f"controllers: {{g: {{gain: 1, inputs: hub}}}}\ndrive: [{{pd: {{kp: 1, {rate}reference: 0, {keys}}}}}]\n"
    )
    if "noisy" not in keys:
        text = text.replace(", noisy: {joint: 1, noise: 1}", "")
    more = {"measure: rate": "rate: {joint: 1, of: rate}, ", "measure: other": "other: {joint: 7}, "}
    text = text.replace("slow:", f"{more.get(keys, '')}slow:")
    with pytest.raises(SpecError) as caught:
        flexarm.parse_arm(text)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_names_of_its_blocks_are_taken():
    with pytest.raises(SpecError, match=r"drive\[0\]\.pd: its blocks take the name 'pd_1_error'"):
        flexarm.parse_arm(f"{ARM}{driven('period: 0.01')}controllers: {{pd_1_error: {{reference: 1}}}}\n")


def test_anti_windup_needs_a_drive_that_saturates():
    text = f"{ARM}sensors: {{hub: {{joint: 1}}}}\n{blocks(windup=', anti_windup: true')}drive: [{{controller: pid}}]\n"
    with pytest.raises(SpecError, match="pid is the controller of no drive that saturates"):
        flexarm.parse_arm(text)
    with pytest.raises(SpecError, match="got anti_windup, which needs ki and kp > 0"):
        flexarm.parse_arm(text.replace("kp: 2", "kp: 0"))

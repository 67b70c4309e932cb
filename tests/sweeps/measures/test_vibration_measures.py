"""Settling time, overshoot, ring time and residual vibration, of known oscillations and of simulated ones."""

import numpy as np
import pytest
from scipy.optimize import brentq

from flexarm import parse_arm
from flexarm.analysis.settling import rest_value, settling_time, turning_points
from flexarm.simulation.forces.break_points import last_change
from flexarm.simulation.forward.free_motion import prepare_free_motion
from flexarm.sweeps.measures.run_reduction import Recording, RunReduction
from flexarm.sweeps.measures.scalar_measures import scalar_measures
from flexarm.sweeps.parameters.keys import KeyFault

RATIO, FREQUENCY = 0.129, 0.456  # of a mode
OMEGA = 2 * np.pi * FREQUENCY
DECAY, DAMPED = RATIO * OMEGA, OMEGA * np.sqrt(1 - RATIO**2)
SAMPLE = 0.001

SERVO = """\
name: servo
gravity: [0, 0, 0]
links: [{{length: 1, mu: 3}}]        # 1 kg m^2 about its joint
drive: [{{pd: {{kp: {kp}, kd: {kd}, reference: {reference}}}}}]
run: {{duration: {duration}, sample: {sample}, rtol: 1e-9, atol: 1e-12}}
"""


def servo(duration: float, reference="0.5"):
    """A link whose PD drive makes it a mode of that frequency and damping ratio."""
    kp, kd = OMEGA**2, 2 * DECAY
    return parse_arm(SERVO.format(kp=kp, kd=kd, reference=reference, duration=duration, sample=SAMPLE))


def recorded(arm, *names):
    recording = Recording.of(names, (), arm.run.duration, arm)
    run = prepare_free_motion(arm)
    reduction = RunReduction(recording, arm)
    for block in run.blocks():
        reduction.add(block)
    return reduction.finish(run)[0]


def step_deviation(t):
    """1 - q of a step response from rest."""
    return np.exp(-DECAY * t) * (np.cos(DAMPED * t) + DECAY / DAMPED * np.sin(DAMPED * t))


def exact_settling_time(part: float) -> float:
    """The deviation at its extremes, t = k pi / DAMPED, is exp(-DECAY t); after the last outside it enters the band."""
    last = int(np.log(1 / part) / (DECAY * np.pi / DAMPED))
    here, there = last * np.pi / DAMPED, (last + 1) * np.pi / DAMPED
    return brentq(lambda t: abs(step_deviation(t)) - part, here, here + (there - here) / 2)


def test_a_mode_of_12_9_per_cent_and_0_456_hz_settles_to_2_per_cent_in_time():
    """The rule of thumb 4 / (zeta omega) gives 10.8 s, the envelope 10.6 s, the last way into the band 10.2 s."""
    assert abs(4 / DECAY - 10.8) < 0.05
    exact = exact_settling_time(0.02)
    envelope = np.log(1 / 0.02 / np.sqrt(1 - RATIO**2)) / DECAY
    assert exact < envelope == pytest.approx(10.6, abs=0.05)
    found, overshoot = recorded(servo(15.0), "settling_time:joint_angle[0]:2%", "overshoot:joint_angle[0]")
    assert found == pytest.approx(exact, abs=1.1 * SAMPLE)
    assert overshoot == pytest.approx(np.exp(-DECAY * np.pi / DAMPED), rel=1e-5)


@pytest.mark.parametrize(
    ("name", "shortest"), [("joint_angle[0]", 1.0), pytest.param("tip[1]", 1.5, marks=pytest.mark.slow)]
)
def test_what_still_rings_at_the_end_has_not_settled(name, shortest):
    """After 5 s the mode still swings by 16 %; wherever the run ends, it has not settled to 5 %.

    Of the tip, whose goal is not known, it takes more than half a period to see that it swings at all.
    """
    for duration in np.linspace(shortest, 7.9, 24):
        assert np.isnan(recorded(servo(round(duration, 3)), f"settling_time:{name}:5%")[0]), duration


def test_the_reference_is_the_goal_where_there_is_one():
    """A joint that rests 10 % off its reference has not settled to 5 % of it; as such it has."""
    arm = parse_arm(
        SERVO.format(kp=100, kd=20, reference="0.1", duration=3.0, sample=SAMPLE)
        + "loads: [{at: tip, moment: [0, 0, -1]}]\n"
    )
    reference, itself = recorded(
        arm, "settling_time:joint_angle[0]:5%", "settling_time:joint_velocity[0]:-1:1"
    )
    assert np.isnan(reference)
    assert itself == 0.0
    (tip,) = recorded(arm, "settling_time:tip[1]:5%")
    assert 0.3 < tip < 1.0


def decay(t, ratio=0.02, frequency=1.0):
    return np.exp(-2 * np.pi * ratio * frequency * t) * np.cos(2 * np.pi * frequency * t)


@pytest.mark.parametrize("end", np.linspace(3.0, 12.0, 46))
def test_no_instant_of_a_lasting_vibration_looks_settled(end):
    """A vibration of constant amplitude 1 about 3, begun at 0, wherever it is cut off, in bands down from its own."""
    t = np.arange(0.0, end, SAMPLE)
    values = 3 - 3 * np.cos(2 * np.pi * 0.4 * t) * np.where(t < 1.25 / 2, 1, 1 / 3)
    for band in (0.9, 0.5, 0.2, 0.05):
        assert np.isnan(settling_time(t, values, 3 - band, 3 + band))
        if band <= 0.5:  # of a goal that is not known one has to see more than the band is wide
            middle = rest_value(values, lambda middle, band=band: np.full(middle.shape, band))
            assert np.isnan(settling_time(t, values, middle - band, middle + band)), (end, band)


def test_ring_time_and_residual_vibration_after_a_slew():
    """exp(-2 pi 0.02 t) falls to 5 % after log(20) / (2 pi 0.02) = 23.8 s; the last peak beyond is less than a half
    period before.
    """
    t = np.arange(0.0, 40.0, SAMPLE)
    values = 2.0 + 0.3 * decay(t)
    reach = 0.05 * 0.3
    exact = np.log(20) / (2 * np.pi * 0.02)
    found = settling_time(t, values, 2 - reach, 2 + reach)
    assert exact - 0.5 < found <= exact
    rest = rest_value(values, lambda middle: np.full(middle.shape, reach))
    assert rest == pytest.approx(2.0, abs=reach / 10)


SLEW = """\
name: slew
gravity: [0, 0, 0]
links: [{length: 1, mu: 1, EI: 20, damping: 0.03, modes: 2}]
drive: [{motion: "min(t/0.5, 1) - sin(2*pi*min(t/0.5, 1))/(2*pi)"}]
run: {duration: 8.0, sample: 0.001}
"""
DEFLECTION = "link_deflection[0,-1,1]"


def test_a_slew_rings_from_its_end_on():
    arm = parse_arm(SLEW)
    assert last_change(arm) == pytest.approx(0.5)
    names = f"ring_time:{DEFLECTION}", f"ring_time:{DEFLECTION}:0.5 s", f"residual_vibration:{DEFLECTION}"
    ring, same, residual = recorded(arm, *names)
    assert ring == same
    frequency = 3.516015 * np.sqrt(20)  # rad/s; the mode of a cantilever of 1 m and 1 kg/m
    assert ring == pytest.approx(np.log(20) / (0.03 * frequency), abs=np.pi / frequency)
    (later,) = recorded(arm, f"residual_vibration:{DEFLECTION}:{0.5 + 2 * np.pi / frequency}")
    assert later / residual == pytest.approx(np.exp(-2 * np.pi * 0.03), rel=0.02)


def test_a_slew_that_still_rings_has_no_ring_time():
    arm = parse_arm(SLEW.replace("duration: 8.0", "duration: 2.0"))
    assert np.isnan(recorded(arm, f"ring_time:{DEFLECTION}")[0])
    assert recorded(arm, f"residual_vibration:{DEFLECTION}")[0] > 0


def test_arms_without_changes_ring_from_the_start():
    assert last_change(servo(1.0)) == 0.0


def test_first_order_approach():
    """exp(-t) enters 5 % at log 20 = 3.0 s; a run of 3.2 s does not tell whether it stays."""
    for end, settled in ((3.2, False), (6.0, True)):
        t = np.arange(0.0, end, SAMPLE)
        found = settling_time(t, 1 - np.exp(-t), 0.95, 1.05)
        assert found == pytest.approx(np.log(20), abs=SAMPLE) if settled else np.isnan(found)


def test_what_never_moves_has_settled_at_once():
    t = np.linspace(0, 1, 11)
    assert settling_time(t, np.zeros(11), -1.0, 1.0) == 0.0
    assert rest_value(np.full(11, 2.5), np.zeros_like) == 2.5


def test_turning_points():
    values = np.array([0, 0, 1, 2, 1.8, 2.1, 0, -1, -1, 1])
    assert turning_points(values, 0.5) == [0, 5, 7]
    assert turning_points(values, 5.0) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("overshoot", ["overshoot:QUANTITY"]),
        ("overshoot:joint_angle[0]:5%", ["overshoot:QUANTITY"]),
        ("overshoot:joint_angle", ["joint_angle[0]"]),
        ("ring_time:tip[0]:a", ["FROM, in s"]),
        ("ring_time:tip[0]:1:2", ["FROM, in s"]),
        ("residual_vibration:tip[4]", ["out of range"]),
        ("overshot:tip[0]", ["overshoot:QUANTITY"]),
    ],
)
def test_names_that_are_wrong(name, words):
    with pytest.raises(KeyFault) as caught:
        scalar_measures([name], servo(1.0))
    assert all(word in f"{caught.value.message} ({caught.value.hint})" for word in words)

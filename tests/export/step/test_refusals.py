"""What an exported step refuses or leaves to its caller, in words."""

import pytest
from paths import ROBOTS

import flexarm
from flexarm.errors import FlexarmError
from flexarm.export.step.c_step import c_step

ROD = "name: rod\nlinks: [{length: 1, mu: 2}]\n"
FUNCTION = ROD + (
    "sensors: {q: {joint: 1}}\n"
    "controllers: {mine: {inputs: q, function: law, period: 0.001}}\ndrive: [{controller: mine}]\n"
)
TWO = "name: two\nlinks: [{length: 1, mu: 2}, {length: 1, mu: 2}]\n"
BEAM = (
    "name: beam\npayload: {mass: 1}\n"
    "links: [{length: 1, mu: 2, EI: 100, modes: {family: clamped-loaded, count: 1, tip: auto}}]\n"
)
SAMPLED = ROD + (
    "sensors: {q: {joint: 1, noise: 0.01, period: 0.003}}\n"
    "disturbances: {ripple: {torque: 1, noise: 0.1, period: 0.003}}\n"
)


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        (ROD + "contact: {walls: [{point: [0, -2, 0], normal: [0, 1, 0]}]}\n", {}, "finds no events.*walls"),
        (ROD + "joints: [{limits: [-1, 1]}]\n", {}, "finds no events.*limits"),
        (ROD + "joints: [{friction: {coulomb: 1, smoothing: 0}}]\n", {}, "sticks?.*friction.smoothing"),
        (TWO + 'drive: [{motion: "abs(t - 0.5)"}, null]\n', {}, "motion jumps at t = 0.5 s"),
        (FUNCTION, {}, "controllers.mine is a Python function"),
        (ROD, {"period": 0}, "period: got 0"),
        (ROD, {"period": float("nan")}, "period: got nan"),
        (ROD, {"substeps": 0}, "substeps: got 0"),
        (ROD, {"method": "euler"}, "unknown method 'euler'"),
        (ROD, {"inputs": ["torque[2]"]}, r"unknown input 'torque\[2\]'"),
        (ROD, {"outputs": ["tipp"]}, "unknown output 'tipp'.*did you mean 'tip'"),
        (ROD, {"parameters": ["links[0].m"]}, "unknown key"),
        (ROD, {"parameters": ["run.duration"]}, "how a motion is computed"),
        (ROD, {"parameters": ["links[0].mu", "links[0].mu"]}, "named twice"),
        (ROD, {"parameters": ["links[0].length"]}, "not depend on .*length linearly"),
        (BEAM, {"parameters": ["payload.mass"]}, "not depend on payload.mass linearly"),
        (
            ROD + "payload: {mass: 1, offset: [0.1, 0, 0]}\n",
            {"parameters": ["payload.mass", "payload.offset[0]"]},
            "products of|linearly",
        ),
        (SAMPLED, {"period": 0.001 * 2**0.5}, "sampling period of 0.003 s is no multiple"),
    ],
)
def test_refused_in_a_line(text, arguments, words):
    arm = flexarm.parse_arm(text)
    with pytest.raises(FlexarmError, match=words) as refused:
        c_step(arm, **arguments)
    assert "\n" not in str(refused.value)


def test_noise_is_left_to_the_caller():
    (note,) = c_step(flexarm.parse_arm(SAMPLED)).notes
    assert "noise of q, ripple is left out" in note


def test_signals_that_break_off_within_steps_are_said():
    arm = flexarm.parse_arm(ROD + 'drive: [{torque: "step(t - 0.01234)"}]\n')
    (note,) = c_step(arm).notes
    assert "0.01234 s" in note
    assert c_step(arm, period=0.00617).notes == ()


def test_tables_become_arrays():
    text = c_step(flexarm.load_arm(ROBOTS / "shaped_slew.yaml")).text
    assert "static const double" in text


def test_damping_ratios_that_follow_a_number_are_named():
    damped = ROD.replace("mu: 2", "mu: 2, EI: 100, modes: {family: clamped-free, count: 1}, damping: DAMPING")
    text = damped + "payload: {mass: 1}\n"
    with pytest.raises(FlexarmError, match="a ratio follows it, that of a retardation does not"):
        c_step(flexarm.parse_arm(text.replace("DAMPING", "0.01")), parameters=["payload.mass"])
    c_step(flexarm.parse_arm(text.replace("DAMPING", "{retardation: 1e-4}")), parameters=["payload.mass"])
    c_step(
        flexarm.parse_arm(text.replace("DAMPING", "{mass: 0.1, stiffness: 1e-4}")),
        parameters=["payload.mass"],
    )

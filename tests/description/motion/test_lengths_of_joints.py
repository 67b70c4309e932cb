"""Positions of prismatic joints are numbers: an angle is refused wherever it is typed, with its line and key."""

import pytest

import flexarm
from flexarm.errors import SpecError

TEXT = """\
name: slider
links: [{length: 0, body: {mass: 1}}, {length: 1, mu: 1}]
joints: [{type: prismatic, axis: [1, 0, 0]}, {}]
initial: {joints: [0.1, 30 deg]}
drive:
  - DRIVE
  - {pd: {kp: 1, kd: 1, reference: 30 deg}}
run: {duration: 1, sample: 0.1}
"""
MOVE = "to: 0.5, duration: 0.5"


@pytest.mark.parametrize(
    ("drive", "key"),
    [
        ("{move: {to: 10 deg, duration: 1}}", "drive[0].move.to"),
        ("{move: {to: 1, from: 10 deg, duration: 1}}", "drive[0].move.from"),
        ("{pd: {kp: 1, kd: 1, reference: 10 deg}}", "drive[0].pd.reference"),
        ("{pd: {kp: 1, kd: 1, move: {to: 10 rad, duration: 1}}}", "drive[0].pd.move.to"),
        (f"{{move: [{{{MOVE}}}, {{to: 10 deg, duration: 0.2}}]}}", "drive[0].move[1].to"),
    ],
)
def test_angles_in_drives(drive, key):
    with pytest.raises(SpecError) as caught:
        flexarm.parse_arm(TEXT.replace("DRIVE", drive))
    (problem,) = caught.value.problems
    assert (problem.key, problem.line) == (key, 6)
    assert problem.message == "got an angle, expected a number in m: joint 1 slides"


@pytest.mark.parametrize(
    "drive",
    [
        "{move: {to: 0.5, duration: 1}}",
        "{pd: {kp: 1, kd: 1, reference: 0.2}}",
        '{pd: {kp: 1, kd: 1, reference: "0.2*sin(t)"}}',
        '{motion: "0.1 + 0.2*sin(t)"}',
        "{torque: 5}",
    ],
)
def test_numbers_and_expressions_are_metres(drive):
    assert flexarm.parse_arm(TEXT.replace("DRIVE", drive)).joints[0].type == "prismatic"


def test_jumps_are_named_in_the_joints_unit():
    with pytest.raises(SpecError, match=r"the position jumps by 0\.5 m at t = 0\.5 s"):
        flexarm.parse_arm(TEXT.replace("DRIVE", '{motion: "0.1 + 0.5*step(t - 0.5)"}'))


def test_an_angle_keeps_its_value():
    """That it was typed with a unit is remembered beside its value."""
    arm = flexarm.parse_arm(TEXT.replace("DRIVE", "null"))
    assert arm.initial.joints == (0.1, 30 * 3.141592653589793 / 180)
    assert arm == flexarm.parse_arm(TEXT.replace("DRIVE", "null").replace("30 deg]", "0.5235987755982988]"))

"""Limits of joints as bounds of inverse motions, carried loads, postures and equilibria."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.errors import ModelError, SpecError

SHOULDER, ELBOW = "{motor: {inertia: 2e-5", "{mass: 0.5, motor"
JOINTS = "{space: joint, duration: 1, path: {q1: 0.5*t**2, q2: 1 - t}}"


@pytest.fixture(scope="module")
def line():
    return flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml")


def limited(limits: str, joint: str = SHOULDER, text: str = "") -> flexarm.Arm:
    text = text or (ROBOTS / "payload_two_link.yaml").read_text()
    return flexarm.parse_arm(text.replace(joint, f"{{limits: {limits}, {joint[1:]}"))


def refused(command, *arguments, **options) -> str:
    with pytest.raises(ModelError) as caught:
        command(*arguments, **options)
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize("command", [flexarm.inverse, flexarm.payload])
def test_a_tip_task_that_leaves_the_limits_is_refused(command, line):
    message = refused(command, limited("[-2, 1.4]", ELBOW), line)
    assert "leads joint 2 beyond its limits, -2 to 1.4 rad, from t = 0 s on, as far as 1.93" in message
    assert "initial.joints" in message


def test_a_joint_task_that_leaves_the_limits_is_refused_before_it_is_solved():
    trajectory = flexarm.parse_trajectory(JOINTS)
    arm = limited("[-1, 0.32]")
    solved = []
    message = refused(flexarm.inverse, arm, trajectory, progress=lambda *done: solved.append(done))
    assert (
        "joint 1 beyond its limits, -1 to 0.32 rad, from t = 0.8033 s on, as far as 0.5 rad at t = 1 s"
        in message
    )
    assert not solved


@pytest.mark.slow
def test_the_bent_arm_is_judged_by_its_own_angles(line):
    """With the limit between the rigid arm's angle and the bent arm's the bent arm may pass, the loaded one may not."""
    free = flexarm.inverse(limited("[-2, 2]"), line, verify=False)
    bent, rigid = free.joint_angle[:, 0].min(), free.rigid_joint_angle[:, 0].min()
    assert rigid < bent
    between = limited(f"[{(bent + rigid) / 2}, 2]")
    assert flexarm.inverse(between, line, verify=False).status == "complete"
    assert "joint 1 beyond" in refused(flexarm.payload, between, line)
    message = refused(flexarm.inverse, limited(f"[{bent + 1e-4}, 2]"), line, verify=False)
    assert f"as far as {bent:.6g} rad" in message


@pytest.mark.slow
def test_limits_that_are_kept_change_nothing(line):
    free = flexarm.inverse(flexarm.load_arm(ROBOTS / "payload_two_link.yaml"), line)
    found = flexarm.inverse(limited("[-2, 1.6]"), line)
    np.testing.assert_array_equal(found.torque, free.torque)
    assert found.attributes["verified_error"] == free.attributes["verified_error"]


def test_postures_and_equilibria_beyond_the_limits_are_refused():
    arm = limited("[-1, 1]")
    hanging = refused(flexarm.static_equilibrium, arm)
    assert (
        "the equilibrium has joint 1 at -1.5708 rad, beyond its limits, -1 to 1 rad (stops are left out"
        in hanging
    )
    posture = refused(flexarm.natural_modes, arm, at=[1.2, 0])
    assert "the posture has joint 1 at 1.2 rad" in posture
    text = (ROBOTS / "payload_two_link.yaml").read_text()
    settled = limited("[-1, 1]", text=text.replace("initial: {", "initial: {equilibrium: true, "))
    for command in (flexarm.simulate, flexarm.check_arm):
        assert "the equilibrium next to initial.joints has joint 1 at -1.5708" in refused(command, settled)


def test_prescribed_motions_keep_to_the_limits():
    """By an expression, a cubic spline that overshoots its points, a move; hold stays where the arm starts."""
    text = (ROBOTS / "payload_two_link.yaml").read_text()

    def driven(drive: str) -> flexarm.Arm:
        return limited("[-0.5, 0.7]", text=f"{text}\ndrive: [{drive}, null]\n")

    for drive in ("{motion: sin(3*t)}", "{motion: {times: [0, 0.3, 0.6, 1], values: [0, 0.69, 0.69, 0]}}"):
        with pytest.raises(SpecError, match=r"leads joint 1 beyond its limits, -0\.5 to 0\.7 rad, from t = "):
            driven(drive)
    with pytest.raises(SpecError, match=r"drive\[0\]\.move: .*as far as 1 rad at t = 1 s"):
        driven("{move: {to: 1, duration: 1}}")
    assert driven("{motion: hold}").limited_joints == ()

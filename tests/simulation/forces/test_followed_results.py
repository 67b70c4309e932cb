"""Joints that follow the result of an inverse run, with its torque fed forward."""

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.errors import SpecError

TRAJECTORY = """
space: joint
duration: 1.0
path: {q1: "-pi/2 + 0.8*t**3*(10 - 15*t + 6*t**2)", q2: "0.3 + 0.6*t**3*(10 - 15*t + 6*t**2)"}
sample: 0.002
"""
LINKS = {
    "rigid": "links: [{length: 1, mu: 5}, {length: 1, mu: 5}]",
    "flexible": "links: [{length: 1, mu: 5, EI: 1000, modes: 2, damping: {ratio: 0.01}}, "
    "{length: 1, mu: 5, EI: 1000, modes: 2, damping: {ratio: 0.01}}]",
}
OPEN_LOOP = 1e-8
RIGID_TORQUE, OWN_TORQUE = 0.01, 1e-7  # rad
PD = "kp: 3000, kd: 300"


def text(kind, drive="", duration=1.0):
    return f"""
name: two
gravity: [0, -9.81, 0]
{LINKS[kind]}
initial: {{joints: [-90 deg, 0.3], equilibrium: {str(kind == "flexible").lower()}}}
run: {{duration: {duration}, sample: 0.01, rtol: 1e-10, atol: 1e-12}}
{f"drive: [{drive}, {drive}]" if drive else ""}
"""


def followed(more="", gains="kp: 0, kd: 0", name="inverse.h5"):
    return f"{{pd: {{{gains}, reference: {{result: {name}{more}}}}}}}"


def exact(t):
    s = np.minimum(t, 1) ** 3 * (10 - 15 * np.minimum(t, 1) + 6 * np.minimum(t, 1) ** 2)
    return np.stack([-np.pi / 2 + 0.8 * s, 0.3 + 0.6 * s], axis=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("followed")
    flexarm.inverse(
        flexarm.parse_arm(text("rigid")), flexarm.parse_trajectory(TRAJECTORY), output=folder / "inverse.h5"
    )
    flexarm.inverse(
        flexarm.parse_arm(text("flexible")),
        flexarm.parse_trajectory(TRAJECTORY),
        output=folder / "flexible.h5",
    )
    flexarm.simulate(flexarm.parse_arm(text("rigid", duration=0.1)), output=folder / "forward.h5")
    one = flexarm.parse_arm("name: one\nlinks: [{length: 1, mu: 1}]")
    path = flexarm.parse_trajectory("space: joint\nduration: 1\npath: {q1: t**2}")
    flexarm.inverse(one, path, output=folder / "one.h5")
    return folder


def load(folder, drive, kind="rigid", duration=1.0):
    (folder / "arm.yaml").write_text(text(kind, drive, duration), encoding="utf-8")
    return flexarm.load_arm(folder / "arm.yaml")


@pytest.mark.slow
def test_the_torque_alone_reproduces_the_motion(folder):
    result = flexarm.simulate(load(folder, followed()))
    np.testing.assert_allclose(result.joint_angle, exact(result.time), atol=OPEN_LOOP)
    np.testing.assert_array_equal(result.torque, result.torque_feedforward)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "allowed"),
    [pytest.param("inverse.h5", RIGID_TORQUE, marks=pytest.mark.slow), ("flexible.h5", OWN_TORQUE)],
)
def test_feed_forward_keeps_a_flexible_arm_near_its_path(folder, name, allowed):
    """Torques of its rigid twin, and its own; the controller alone leaves 36 mrad."""
    arms = [load(folder, followed(more, PD, name), "flexible") for more in ("", ", feedforward: false")]
    with_it, without = (flexarm.simulate(arm) for arm in arms)
    errors = [np.abs(each.joint_angle - exact(each.time)).max() for each in (with_it, without)]
    assert errors[0] < allowed
    assert errors[1] > 0.03
    assert "torque_feedforward" not in without


@pytest.mark.slow
def test_the_description_of_a_result_stands_by_itself(folder):
    arm = load(folder, followed(gains=PD))
    assert "inverse.h5" not in arm.text
    again = flexarm.parse_arm(arm.text)
    assert again == arm
    results = [flexarm.simulate(each) for each in (arm, again)]
    np.testing.assert_array_equal(*(each.joint_angle for each in results))
    assert results[0].arm == arm


@pytest.mark.slow
def test_after_the_end_of_the_result_its_last_values_hold(folder):
    arm = load(folder, followed(gains=PD), duration=2.0)
    result = flexarm.simulate(arm)
    assert np.ptp(result.torque_feedforward[result.time > 1], axis=0).max() == 0
    np.testing.assert_allclose(result.joint_angle[-1], exact(np.ones(1))[0], atol=1e-6)
    warnings = "\n".join(flexarm.check_arm(arm).warnings)
    assert "joint 2: the result that it follows ends at 1 s, the run at 2 s" in warnings


def test_check_tells_a_start_away_from_the_motion(folder):
    arm = load(folder, followed(gains=PD)).replace("initial.joints[1]", 0.2)
    assert "joint 2 starts at 0.2, the motion that it follows at 0.3" in "\n".join(
        flexarm.check_arm(arm).warnings
    )


FAULTS = {
    "missing.h5": "missing.h5",
    "forward.h5": "got a forward result, expected an inverse one",
    "one.h5": "got a result of 1 joint, expected 2",
    "arm.yaml": "cannot read",
    "damaged.h5": "cannot read",
}


@pytest.mark.parametrize(("name", "message"), FAULTS.items())
def test_a_file_that_is_no_such_result(folder, name, message):
    if name == "damaged.h5":
        content = bytearray((folder / "inverse.h5").read_bytes())
        content[len(content) // 2] ^= 255
        (folder / name).write_bytes(content)
    with pytest.raises(SpecError, match=message) as raised:
        load(folder, followed(name=name))
    assert all(problem.key.startswith("drive[") for problem in raised.value.problems)
    assert len(str(raised.value).splitlines()) == 2  # one for each joint that names it


def test_units_of_joints_are_those_of_the_result(folder):
    sliding = text("rigid") + "joints: [{type: prismatic, axis: [1, 0, 0]}, {}]\n"
    motion = flexarm.parse_trajectory("space: joint\nduration: 1\npath: {q1: 0.1*t**4, q2: 0.3}")
    arm = flexarm.parse_arm(sliding.replace("-90 deg", "0"))
    flexarm.inverse(arm, motion, output=folder / "sliding.h5", overwrite=True)
    message = r"drive\[0\].pd.reference.result: got a motion of joint 1 in m, expected one in rad"
    with pytest.raises(SpecError, match=message) as raised:
        load(folder, followed(name="sliding.h5"))
    assert len(raised.value.problems) == 1  # joint 2 turns in both


def test_a_run_does_not_replace_the_result_that_it_follows(folder):
    arm, path = load(folder, followed()), folder / "inverse.h5"
    before = path.read_bytes()
    (folder / "link.h5").symlink_to(path)
    for name in ("inverse.h5", "link.h5"):
        with pytest.raises(
            flexarm.ResultError, match="is the result that the arm follows; choose another name"
        ):
            flexarm.simulate(arm, output=folder / name, overwrite=True)
    assert path.read_bytes() == before


REACH = """
space: tip
duration: 1.0
line: {from: [1.05, 1.05], to: [0.90, 1.15], law: quintic}
elbow: positive
sample: 0.002
"""


@pytest.mark.slow
def test_pre_actuation_is_followed_too(tmp_path):
    """The torques of a stable inversion alone, from rest before the tip moves: 0.7 s later it begins its line."""
    arm = flexarm.load_arm(ROBOTS / "korayem_1994_clamped.yaml")
    inverse = flexarm.inverse(arm, flexarm.parse_trajectory(REACH), output=tmp_path / "inverse.h5")
    pre = -inverse.time[0]
    assert pre > 0.5
    drive = followed()
    text, _, _ = arm.text.partition("initial:")
    text += f"initial: {{joints: {inverse.joint_angle[0].tolist()}}}\ndrive: [{drive}, {drive}]\n"
    text += f"run: {{duration: {pre + 1}, sample: 0.01}}\n"
    result = flexarm.simulate(flexarm.parse_arm(text, folder=tmp_path))
    np.testing.assert_allclose(result.point_position[-1, -1, :2], [0.90, 1.15], atol=2e-6)


@pytest.mark.slow
def test_the_motor_of_an_elastic_joint_is_followed_by_its_own_angle_and_torque(tmp_path):
    """What drives measure is the motor: with the joint's angle the controller would work against the torque."""
    elastic = "{stiffness: 2000, damping: 1, motor: {inertia: 1e-4, gear: 100}, limits: [-2, 2]}"
    arm = f"{text('rigid')}joints: [{elastic}, {elastic}]\n"
    # a path with a continuous third rate
    law = "t**4*(35 - 84*t + 70*t**2 - 20*t**3)"
    path = f"space: joint\nduration: 1\npath: {{q1: -pi/2 + 0.8*{law}, q2: 0.3 + 0.6*{law}}}\nsample: 0.0005"
    inverse = flexarm.inverse(
        flexarm.parse_arm(arm), flexarm.parse_trajectory(path), output=tmp_path / "inverse.h5"
    )
    motors = [float(angle) for angle in inverse.motor_angle[0]]
    arm, drive = (
        arm.replace("joints: [-90 deg, 0.3]", f"joints: [-90 deg, 0.3], motors: {motors}"),
        followed(gains=PD),
    )
    result = flexarm.simulate(flexarm.parse_arm(f"{arm}drive: [{drive}, {drive}]", folder=tmp_path))
    s = result.time**4 * (35 - 84 * result.time + 70 * result.time**2 - 20 * result.time**3)
    expected = np.stack([-np.pi / 2 + 0.8 * s, 0.3 + 0.6 * s], axis=1)
    np.testing.assert_allclose(result.joint_angle, expected, atol=OWN_TORQUE)
    assert np.abs(result.motor_angle - expected).max() > 1e-3

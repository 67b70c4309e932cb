"""Joints whose motion the arm prescribes, spare joints, whole poses, loads, friction: confirmed, and checked apart."""

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from reference.lagrangian import oracle

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.verification.verification import verified_error

VERIFIED = 1e-6  # m, rad
LINK = "{length: LENGTH, mu: 1.0, EI: 20.0, modes: {family: clamped-free, count: 1}, damping: 0.01}"
LINKS = "[" + ", ".join(LINK.replace("LENGTH", length) for length in ("0.5", "0.5", "0.3")) + "]"
THREE = f"name: three\nlinks: {LINKS}\ngravity: [0, -9.81, 0]\npayload: {{mass: 0.1}}\n"
LINE = "duration: 2\nline: {from: [0.8, 0.2], to: [0.6, 0.5], law: nonic}\n"
JOINTS = "space: joint\nduration: 2\nline: {from: [0, 0.5], to: [0.5, 1.0], law: nonic}\n"
MOTIONS = {
    "held": "hold",
    "at rest at both ends": "0.3*sin(pi*t/4)**4",
    "moving at both ends": "0.3*sin(t)",
    "table": "{times: [0, 0.7, 1.4, 2], values: [0, 0.1, 0.25, 0.3]}",
}


def three(motion, start="[0, 0.5, 0]"):
    return flexarm.parse_arm(
        f"{THREE}initial: {{joints: {start}}}\ndrive: [null, null, {{motion: {motion!r}}}]\n"
        if isinstance(motion, str) and not motion.startswith("{")
        else f"{THREE}initial: {{joints: {start}}}\ndrive: [null, null, {{motion: {motion}}}]\n"
    )


@pytest.mark.parametrize(
    ("name", "space"), thinned([(name, space) for name in MOTIONS for space in ("tip", "joint")])
)
def test_a_prescribed_joint_moves_as_prescribed(name, space):
    arm, task = three(MOTIONS[name]), {"tip": LINE, "joint": JOINTS}[space]
    result = flexarm.inverse(arm, flexarm.parse_trajectory(task + "sample: 0.02\n"), verify=True)
    assert result.status == "complete"
    assert result.attributes["task"] == ("x, y, q3" if task == LINE else "q1, q2, q3")
    assert result.attributes["verified_error"] < VERIFIED
    inside = (result.time >= 0) & (result.time <= 2)
    t = result.time[inside]
    expected = {
        "held": 0 * t,
        "at rest at both ends": 0.3 * np.sin(np.pi * t / 4) ** 4,
        "moving at both ends": 0.3 * np.sin(t),
    }
    if name in expected:
        np.testing.assert_allclose(result.joint_angle[inside, 2], expected[name], atol=1e-8)
    assert np.abs(result.torque[:, 2]).max() > 0.05  # what the motion takes


@pytest.mark.slow
def test_a_held_joint_is_a_locked_one():
    """The same motion and torques as with joint 3 fixed at its angle."""
    trajectory = flexarm.parse_trajectory(LINE + "elbow: positive\nsample: 0.02\n")
    held = three("hold", "[0, 0.5, 0.4]")
    locked = flexarm.parse_arm(THREE + "joints: [{}, {}, {type: fixed, angle: 0.4}]\n")
    found = [flexarm.inverse(arm, trajectory, method="stable", pre=0.2, post=0.2) for arm in (held, locked)]
    for name in ("joint_angle", "mode_amplitude", "torque"):
        np.testing.assert_allclose(found[0][name], found[1][name], atol=2e-5 * np.abs(found[1][name]).max())


@pytest.mark.slow
def test_a_simulation_with_that_motion_takes_the_same_torque():
    """Joint 3 driven by its motion, the others by the torques found: the tip stays on its path."""
    result = flexarm.inverse(three("0.3*sin(pi*t/4)**4"), flexarm.parse_trajectory(LINE + "sample: 0.002\n"))
    inside = (result.time >= 0) & (result.time <= 0.5)
    times = result.time[inside].tolist()
    tables = [
        f"{{torque: {{times: {times}, values: {result.torque[inside, i].tolist()}, interpolation: cubic}}}}"
        for i in (0, 1)
    ]
    theta, theta_d = result.theta()[inside][0], result.theta_d()[inside][0]
    rows = {"joints": [0, 2, 4], "modes": [1, 3, 5]}
    text = (
        f"{THREE}drive: [{tables[0]}, {tables[1]}, {{motion: '0.3*sin(pi*t/4)**4'}}]\n"
        f"initial: {{joints: {theta[rows['joints']].tolist()}, modes: {theta[rows['modes']].tolist()}, "
        f"joint_rates: {theta_d[rows['joints']].tolist()}, mode_rates: {theta_d[rows['modes']].tolist()}}}\n"
        "run: {duration: 0.5, sample: 0.002}\n"
    )
    simulated = flexarm.simulate(flexarm.parse_arm(text))
    desired = result.tip_desired[inside]
    assert np.abs(simulated.point_position[:, -1] - desired).max() < VERIFIED
    np.testing.assert_allclose(simulated.torque[:, 2], result.torque[inside, 2], atol=1e-5)


BAD_MOTIONS = {
    "kinked": (
        "'0.3*abs(t - 0.7)'",
        LINE,
        r"rate of the path jumps by 0\.6 at t = 0\.7 s in drive\[2\]\.motion of three",
    ),
    "undefined": (
        "'sqrt(1 - t)'",
        LINE,
        r"three: drive\[2\]\.motion: 'sqrt\(1 - t\)' has no finite value at t = 1\.0",
    ),
    "short": (
        "{times: [0, 0.5, 1], values: [0, 0.1, 0.2]}",
        LINE,
        r"drive\[2\]\.motion: the table ends at 1 s",
    ),
    "twice": (
        "'0.3*t'",
        "space: joint\nduration: 1\npath: {q1: 0.1, q3: 0.2}\n",
        r"joint 3 is prescribed twice, as q3 here and by drive\[2\]\.motion of the arm three \(remove one",
    ),
    "too many": (
        "'0.3*sin(t)'",
        "duration: 1\npath: {x: 0.8, y: 0.3, yaw: 0.1}\n",
        r"got 4 task rows \(x, y, yaw, q3\), expected at most 3",
    ),
}


@pytest.mark.parametrize("name", BAD_MOTIONS)
def test_motions_that_cannot_be_are_refused(name):
    motion, task, message = BAD_MOTIONS[name]
    arm = flexarm.parse_arm(
        f"{THREE}drive: [null, null, {{motion: {motion}}}]\nrun: {{duration: 0.5, sample: 0.1}}\n"
    )
    with pytest.raises(ModelError, match=message):
        flexarm.inverse(arm, flexarm.parse_trajectory(task))


@pytest.mark.slow
def test_spare_joints_of_a_flexible_arm_turn_with_least_rates():
    trajectory = flexarm.parse_trajectory(LINE + "near: [-0.3, 0.8, 0.4]\nsample: 0.02\n")
    result = flexarm.inverse(flexarm.parse_arm(THREE), trajectory, verify=True, operational_space=True)
    assert result.attributes["verified_error"] < VERIFIED
    for J, rates in zip(result.jacobian_joints[::9], result.joint_velocity[::9], strict=True):
        null = np.linalg.svd(J)[2][2:]
        np.testing.assert_allclose(null @ rates, 0, atol=1e-9)


@pytest.mark.slow
def test_a_spare_joint_that_is_prescribed_keeps_its_posture():
    """The other way out: joint 1 stands still, so that a closed path of the tip ends in the posture it began in."""
    circle = "duration: 2\ncircle: {center: [0.7, 0.3], radius: 0.1, law: nonic}\nnear: [-0.3, 0.8, 0.4]\n"
    arm = flexarm.parse_arm(
        f"{THREE}initial: {{joints: [-0.3, 0.8, 0.4]}}\ndrive: [{{motion: hold}}, null, null]\n"
    )
    ends = {}
    for name, description in {"least rates": flexarm.parse_arm(THREE), "held": arm}.items():
        angles = flexarm.inverse(description, flexarm.parse_trajectory(circle), method="rigid").joint_angle
        ends[name] = np.abs(angles[-1] - angles[0]).max()
    assert ends["held"] < 1e-9
    assert ends["least rates"] > 1e-3


POSES = {
    "position and angle in the plane": (
        flexarm.parse_arm(THREE),
        "duration: 2\npath: {x: '0.8 - 0.1*sin(pi*t/4)**4', y: '0.3 + 0.1*sin(pi*t/4)**4', "
        "yaw: '0.2*sin(pi*t/4)**4'}\n",
    ),
    "position and orientation in space": (
        flexarm.load_arm(ROBOTS / "spatial_six_joint.yaml"),
        "duration: 2\npath: {x: 1.2, y: '0.2 + 0.2*sin(pi*t/4)**4', z: '0.5 + 0.1*sin(pi*t/4)**4', "
        "yaw: '0.2*sin(pi*t/4)**4', pitch: 0.3, roll: 0.5}\n",
    ),
}


@pytest.mark.parametrize("name", thinned(POSES, every=2))
def test_whole_poses_of_the_tip(name):
    arm, trajectory = POSES[name]
    result = flexarm.inverse(arm, flexarm.parse_trajectory(trajectory + "sample: 0.02\n"), verify=True)
    assert result.attributes["verified_error"] < VERIFIED
    assert max(result.tip_error.max(), result.turn_error.max()) < VERIFIED


LOADS = {
    "switched on": "[{at: tip, force: [0, '-2*step(t - 0.63)', 0]}]",
    "constant": "[{at: tip, force: [2, -3, 0]}]",
    "in time": "[{at: tip, force: ['1 + sin(3*t)', '-2*cos(2*t)', 0]}, "
    "{at: {link: 1, at: 0.5}, moment: [0, 0, '0.5*t']}]",
    "spread": "[{at: {link: 1, to: 0.5}, distributed: ['2*t', -3, 0]}, "
    "{at: {link: 2}, distributed: [0, '4*cos(t)', 0], frame: link}]",
    "with the link": "[{at: tip, force: [0, '-2*sin(t)', 0], frame: link}]",
}


@pytest.mark.parametrize("name", thinned(LOADS, every=4))
def test_loads_are_carried(name):
    """Before and after the trajectory they are what they are at its ends, and the arm rests there."""
    arm = flexarm.parse_arm(f"{THREE}joints: [{{}}, {{}}, {{type: fixed}}]\nloads: {LOADS[name]}\n")
    result = flexarm.inverse(
        arm, flexarm.parse_trajectory(LINE + "elbow: positive\nsample: 0.02\n"), verify=True
    )
    assert result.attributes["verified_error"] < VERIFIED
    reference, theta = oracle(arm), result.theta()
    for k, t in ((0, 0.0), (-1, 2.0)):
        forces = reference.bias(theta[k], np.zeros(reference.n_dof))
        for load in arm.loads:
            force, moment, density = (
                [x if isinstance(x, float | int) else float(x.at(np.array([t]))[0]) for x in vector]
                for vector in (load.force, load.moment, load.distributed)
            )
            if load.stretch is not None:
                forces -= reference.line_forces(theta[k], load.link, *load.stretch, density, load.frame)
            else:
                at = load.link, load.station
                forces -= reference.load_forces(theta[k], *at, force, moment, frame=load.frame)
        np.testing.assert_allclose(forces[reference.joint_rows], result.torque[k, :2], atol=1e-4)
        np.testing.assert_allclose(forces[reference.mode_rows], 0, atol=1e-4)


@pytest.mark.slow
def test_friction_is_the_smoothed_law_of_simulations():
    friction = "joints: [{friction: {viscous: 0.4, coulomb: 0.3, smoothing: 0.05}}, {}, {type: fixed}]\n"
    trajectory = flexarm.parse_trajectory(LINE + "elbow: positive\n")
    without, rubbing = (
        flexarm.inverse(flexarm.parse_arm(THREE + joints), trajectory, method="rigid")
        for joints in ("joints: [{}, {}, {type: fixed}]\n", friction)
    )
    rate = rubbing.joint_velocity[:, 0]
    np.testing.assert_allclose(
        rubbing.torque[:, 0] - without.torque[:, 0], 0.4 * rate + 0.3 * np.tanh(rate / 0.05), atol=1e-10
    )
    flexible = flexarm.inverse(flexarm.parse_arm(THREE + friction), trajectory, verify=True)
    assert flexible.attributes["verified_error"] < VERIFIED


@pytest.mark.slow
def test_an_arm_that_stands_upright_is_verified_in_pieces():
    """Open loop it would fall over within the motion: no torque as a function of time keeps it up for 4 s."""
    text = THREE.replace("[0, -9.81, 0]", "[-9.81, 0, 0]") + "joints: [{}, {}, {type: fixed}]\n"
    trajectory = flexarm.parse_trajectory(LINE.replace("duration: 2", "duration: 4") + "elbow: positive\n")
    solution = make_inverse_method("stable").solve(inverse_problem(flexarm.parse_arm(text), trajectory))
    assert verified_error(solution) < VERIFIED


@pytest.mark.slow
def test_a_path_through_a_wall_is_refused():
    walls = "contact: {restitution: 0.5, walls: [{point: [0, HEIGHT], normal: [0, -1]}], points: O4}\n"
    trajectory = flexarm.parse_trajectory(LINE + "elbow: negative\n")
    arm = THREE + "joints: [{}, {}, {type: fixed}]\n" + walls
    with pytest.raises(
        ModelError,
        match=r"leads O4 into wall 1 at t = 1\.1.* s, 0\.1 m deep; inverse dynamics leaves contact",
    ):
        flexarm.inverse(flexarm.parse_arm(arm.replace("HEIGHT", "0.4")), trajectory)
    assert flexarm.inverse(flexarm.parse_arm(arm.replace("HEIGHT", "0.6")), trajectory).status == "complete"

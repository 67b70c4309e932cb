"""Arms imported from URDF files have the kinematics and dynamics that Pinocchio finds for the same files.

The files are those of the package example-robot-data, Pinocchio is the package pin; the tests are skipped without them.
"""

import importlib.metadata
import re
from pathlib import Path

import numpy as np
import pytest

from flexarm import import_urdf, motion_equations, parse_arm
from flexarm.urdf.kinematic_tree import KinematicTree
from flexarm.urdf.serial_chain import chain_to
from flexarm.urdf.urdf_file import read_urdf

pytest.importorskip("yourdfpy", reason="yourdfpy is not installed")
pin = pytest.importorskip("pinocchio", reason="Pinocchio (pin) is not installed")

STATES = 20
CLOSE = 1e-10
"""Largest difference over the largest value; both sides round off some 1e-13 of it."""

ROBOTS = {
    "ur3": ("ur_description/urdf/ur3_robot.urdf", "tool0"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "tool0"),
    "ur10": ("ur_description/urdf/ur10_robot.urdf", "tool0"),
    "panda": ("panda_description/urdf/panda.urdf", "panda_hand_tcp"),
    "kinova": ("kinova_description/robots/kinova.urdf", "j2s6s200_end_effector"),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", "link_eef"),
    "z1": ("z1_description/urdf/z1.urdf", None),
    "so101": ("so_arm_description/urdf/so101.urdf", None),
    "talos": ("talos_data/robots/talos_reduced.urdf", "arm_left_7_link"),
    "tiago": ("tiago_description/robots/tiago.urdf", "arm_7_link"),
}
"""Robot -> its file, and the link that is the tip (None: that to which most joints lead)."""


def urdf_of(name):
    try:
        files = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("example-robot-data is not installed")
    found = [Path(str(file.locate())) for file in files if str(file).endswith(f"robots/{ROBOTS[name][0]}")]
    if not found:
        pytest.skip(f"example-robot-data has no {ROBOTS[name][0]}")
    return found[0]


def without_friction(text):
    """Pinocchio's equations have none."""
    return re.sub(r"^    friction: .*\n", "", text, flags=re.MULTILINE)


def difference(found, expected):
    return np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))


@pytest.mark.parametrize("name", ROBOTS)
def test_kinematics_and_dynamics_are_those_of_pinocchio(name):
    path, tip = urdf_of(name), ROBOTS[name][1]
    imported = import_urdf(path, tip=tip)
    equations = motion_equations(parse_arm(without_friction(imported.text)))

    tree = KinematicTree(read_urdf(path))
    tip = tip or tree.usual_tip()[0]
    joints = [link.joint.name for link in chain_to(tree, tip).links]
    whole = pin.buildModelFromUrdf(str(path))
    locked = [k for k, one in enumerate(whole.names) if k and one not in joints]
    model = pin.buildReducedModel(whole, locked, pin.neutral(whole)) if locked else whole
    assert list(model.names)[1:] == joints
    data, frame = model.createData(), model.getFrameId(tip, pin.FrameType.BODY)

    random = np.random.default_rng(20)
    worst = dict.fromkeys(("points", "mass matrix", "bias", "forward dynamics", "joint wrenches"), 0.0)
    for _ in range(STATES):
        theta = random.uniform(-np.pi, np.pi, model.nv)
        theta_d, theta_dd, tau = random.normal(size=(3, model.nv))
        q = pin.integrate(model, pin.neutral(model), theta)
        pin.framesForwardKinematics(model, data, q)
        places = [data.oMi[k].translation for k in range(1, model.njoints)] + [data.oMf[frame].translation]
        mass_matrix = pin.crba(model, data, q)
        mass_matrix = np.triu(mass_matrix) + np.triu(mass_matrix, 1).T
        points = equations.points(theta)
        pairs = {
            "points": (points[[*range(len(joints)), -1]], np.array(places)),
            "mass matrix": (equations.mass_matrix(theta), mass_matrix),
            "bias": (equations.bias(theta, theta_d), pin.nonLinearEffects(model, data, q, theta_d)),
            "forward dynamics": (
                equations.forward_dynamics(theta, theta_d, tau),
                pin.aba(model, data, q, theta_d, tau),
            ),
        }
        pin.rnea(model, data, q, theta_d, theta_dd)
        transmitted = np.array([data.f[k].vector for k in range(1, model.njoints)])
        wrenches = np.hstack(equations.joint_wrenches(theta, theta_d, theta_dd))
        pairs["joint wrenches"] = wrenches[: len(joints)], transmitted
        for what, (found, expected) in pairs.items():
            far = difference(found, expected)
            assert far < CLOSE, (what, theta)
            worst[what] = max(worst[what], far)
    print(f"{name}, {model.nv} joints:", {what: f"{value:.1e}" for what, value in worst.items()})

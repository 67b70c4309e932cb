"""Arms from URDF: their dynamics, from a closed form and from bodies put together, and their flexible links."""

import re

import numpy as np
import pytest
from paths import ROBOTS
from urdf.small_robots import SKEW, changed

from flexarm import check_arm, import_urdf, motion_equations, simulate
from flexarm.urdf.rigid_bodies import Body, combined, inertia_fault, pose_of, roll_pitch_yaw

pytest.importorskip("yourdfpy", reason="yourdfpy is not installed")

SLIDE_ARM = ROBOTS / "urdf" / "slide_arm.urdf"
TUBE = {"material": {"E": 70e9, "nu": 0.33}, "section": "{shape: tube, diameter: 0.06, thickness: 2e-3}"}

# Link of the shipped arm (0 carriage, 1 upper arm, 2 forearm), place in its plane, mass, inertia about its normal.
PARTS = [
    (0, (0, 0), 12, 0),
    (1, (0.6, 0), 3.6, 0.44),
    (2, (0.45, 0), 1.8, 0.125),
    (2, (0.3, 0.06), 0.25, 2e-4),
    (2, (0.95, 0), 0.7, 1e-3),
    (2, (1.0, 0.02), 0.05, 1e-5),
    (2, (1.0, -0.02), 0.05, 1e-5),
]


def mass_matrix(shoulder, elbow):
    """Of the shipped arm, which moves in a plane: sum of m J^T J + I j^T j over its parts."""
    matrix = np.zeros((3, 3))
    for link, (x, y), mass, inertia in PARTS:
        angle = (0, shoulder, shoulder + elbow)[link]
        out = np.array([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])
        boom = 1.2 * np.array([np.cos(shoulder), np.sin(shoulder)]) if link == 2 else np.zeros(2)
        jacobian = np.zeros((2, 3))
        jacobian[0, 0] = 1
        if link:
            jacobian[:, 1] = [-(boom + out)[1], (boom + out)[0]]
        if link == 2:
            jacobian[:, 2] = [-out[1], out[0]]
        turn = np.array([0, link > 0, link == 2], float)
        matrix += mass * jacobian.T @ jacobian + inertia * np.outer(turn, turn)
    return matrix


def test_the_shipped_arm_has_the_mass_matrix_of_its_parts():
    imported = import_urdf(SLIDE_ARM, tip="grip")
    equations = motion_equations(imported.arm)
    for shoulder, elbow in np.random.default_rng(1).uniform(-3, 3, (5, 2)):
        found = equations.mass_matrix([0.3, shoulder, elbow])
        assert found == pytest.approx(mass_matrix(shoulder, elbow), rel=1e-12, abs=1e-12)
    assert equations.points([0.3, 0, np.pi / 2])[-1] == pytest.approx([1.5, 0, 1.27])


def test_it_runs_and_keeps_its_energy_without_friction():
    text = "".join(
        line
        for line in import_urdf(SLIDE_ARM).text.splitlines(True)
        if "friction" not in line and "limits" not in line
    )
    from flexarm import parse_arm

    result = simulate(parse_arm(text))
    energy = result.energy_total
    assert abs(energy - energy[0]).max() < 1e-7 * abs(energy).max()


def test_what_is_written_is_readable_and_says_what_was_decided():
    imported = import_urdf(SLIDE_ARM)
    text = imported.text
    assert imported.arm.text == text
    assert imported.remarks[0] == "4 joints from rail to left_finger; as many lead to camera"
    assert "joints camera_mount and right_slide" in imported.remarks[1]
    assert imported.remarks[-1] == "not used: 1 transmission, 2 visual, 4 limits of velocity, 1 mimic"
    for words in (
        *imported.remarks,
        "type: prismatic  # slide",
        "inertia: [0.00317, ",
        "friction: {viscous: 20, coulomb: 5}",
        "motor: {stall_torque: 400}",
        "# forearm, camera, hand, grip, right_finger",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) < 250


@pytest.mark.parametrize("flexible", [[], ["two", "three"]])
def test_numbers_are_written_as_they_were_typed(tmp_path, flexible):
    """Turns of frames and sums of bodies leave round-off: 0.30000000000000004, 0.5999999999999999."""
    robots = SKEW, changed(('xyz="0 0.4 0.1"', 'xyz="0.3 0.4 0"'), ("0 1.5707963267948966 0.7", "0 0.25 0.7"))
    for k, text in enumerate(robots):
        (path := tmp_path / f"skew_{k}.urdf").write_text(text)
        written = import_urdf(path, flexible=flexible, **({"EI": (2000.0, 300.0)} if flexible else {})).text
        assert re.findall(r"\d*\.\d*(?:0{6}|9{6})\d+", written) == []
        assert flexible or k or "1.5707963267948966" in written


def test_a_start_lies_within_the_limits(tmp_path):
    arm = imported_skew(tmp_path)
    assert arm.initial.joints == (0, 1, 0, 0)
    assert [joint.limits and joint.limits.range for joint in arm.joints] == [None, (0.5, 1.5), (-1, 1), None]
    assert arm.joints[1].motor.stall_torque is None  # its effort is 0: not known
    assert arm.joints[2].friction.coulomb == 2


def imported_skew(tmp_path, **options):
    path = tmp_path / "skew.urdf"
    path.write_text(SKEW)
    return import_urdf(path, **options).arm


@pytest.mark.parametrize("flexible", [["one"], ["two"], ["ring"], ["three"], ["one", "two", "three"]])
def test_a_link_that_is_flexible_lies_where_the_rigid_one_does(tmp_path, flexible):
    stiff = {"EI": (2000.0, 300.0)}
    if flexible == ["ring"]:  # a part without mass
        with pytest.raises(Exception, match="ring cannot be flexible: it has no mass"):
            imported_skew(tmp_path, flexible=flexible, **stiff)
        return
    rigid, soft = imported_skew(tmp_path), imported_skew(tmp_path, flexible=flexible, **stiff)
    assert soft.mass == pytest.approx(rigid.mass, rel=1e-14)
    assert sum(link.n_modes for link in soft.links) == 4 * len(flexible)
    before, after = motion_equations(rigid), motion_equations(soft)
    angles = list(after.coordinates.moving_joints)
    for q in np.random.default_rng(2).uniform(-2, 2, (4, 3)):
        theta = np.zeros(after.n_theta)
        theta[angles] = q
        assert after.points(theta)[-1] == pytest.approx(before.points(q)[-1], abs=1e-12)
        if flexible == ["three"]:
            continue
        # What is carried beyond the links that bend has its place and its inertia: forces on the last joint
        held = np.ix_(angles[-1:], angles[-1:])
        assert after.mass_matrix(theta)[held] == pytest.approx(before.mass_matrix(q)[-1:, -1:], rel=1e-12)


def test_a_joint_turns_its_flexible_link_in_the_plane_of_y():
    arm = import_urdf(SLIDE_ARM, tip="grip", flexible=["upper_arm", "forearm"], **TUBE).arm
    assert [joint.axis for joint in arm.joints[1:3]] == [(0, 0, 1), (0, 0, 1)]
    second = np.pi / 64 * (0.06**4 - 0.056**4)
    assert arm.links[1].EI.y.values[0] == pytest.approx(70e9 * second)
    assert arm.links[1].GJ.values[0] == pytest.approx(70e9 / 2.66 * 2 * second)
    assert arm.links[1].mu.values[0] == pytest.approx(3)
    assert not [line for line in check_arm(arm).warnings if "sample" not in line]


def test_bodies_are_put_together_by_parallel_axes():
    rod = Body(2.0, np.array([0.5, 0, 0]), np.diag([0, 2 / 12, 2 / 12]))
    both = combined([rod, rod.seen_from(pose_of(np.eye(3), np.array([1.0, 0, 0])))])
    assert both.mass == 4
    assert both.center == pytest.approx([1, 0, 0])
    assert both.inertia == pytest.approx(np.diag([0, 4 * 4 / 12, 4 * 4 / 12]))
    turned = rod.seen_from(pose_of(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]), np.zeros(3)))
    assert turned.center == pytest.approx([0, 0.5, 0])
    assert turned.inertia == pytest.approx(np.diag([2 / 12, 0, 2 / 12]))


@pytest.mark.parametrize(
    ("moments", "words"),
    [((1, 1, 1), ""), ((1, 1, 2), ""), ((1, 1, 2.1), "exceeds the sum"), ((-1, 1, 1), "negative")],
)
def test_an_inertia_fulfils_the_triangle_inequality(moments, words):
    assert words in inertia_fault(np.diag(np.array(moments, float)))
    assert bool(words) == bool(inertia_fault(np.diag(np.array(moments, float))))


@pytest.mark.parametrize("pitch", [0.3, np.pi / 2, -np.pi / 2, 2.0, np.pi / 2 - 1e-9])
def test_angles_of_a_rotation_give_it_back(pitch):
    def rotation(roll, pitch, yaw):
        (a, b, c), (d, e, f) = np.cos([roll, pitch, yaw]), np.sin([roll, pitch, yaw])
        about_x = np.array([[1, 0, 0], [0, a, -d], [0, d, a]])
        about_y = np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
        about_z = np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]])
        return about_z @ about_y @ about_x

    turn = rotation(0.4, pitch, -1.1)
    assert rotation(*roll_pitch_yaw(turn)) == pytest.approx(turn, abs=1e-14)


def test_flexibility_needs_one_stiffness(tmp_path):
    for options, words in (
        ({"flexible": "one"}, "needs either EI, or material and section"),
        ({"flexible": "one", "EI": 1.0, **TUBE}, "needs either EI"),
        ({"flexible": "one", "material": TUBE["material"]}, "needs either EI"),
        ({"EI": 1.0}, "of which there is none"),
        ({"flexible": ["one", "one"], "EI": 1.0}, "flexible already"),
        ({"flexible": "thre", "EI": 1.0}, "did you mean 'three'"),
        ({"flexible": "world", "EI": 1.0}, "belongs to the base"),
        ({"flexible": "one", "EI": -1.0}, "EI: got -1.0, expected a finite number above 0"),
        ({"flexible": "one", "material": "steel", "section": TUBE["section"]}, "expected keys and values"),
        ({"tip": "tol"}, "did you mean 'tool'"),
        ({"tip": "world"}, "no joint between it and the root world moves"),
    ):
        with pytest.raises(Exception, match=words):
            imported_skew(tmp_path, **options)


def test_names_that_are_no_names_of_arms(tmp_path):
    path = tmp_path / "odd.urdf"
    path.write_text(
        changed(('name="skew"', 'name="-my robot: 2&#10;x"'), ('name="a"', 'name="a&#10;links: 3"'))
    )
    imported = import_urdf(path)
    assert imported.arm.name == "my-robot-2-x"
    assert "# a links: 3" in imported.text

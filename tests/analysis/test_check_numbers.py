"""Numbers of a check: stiffness, inertia about joints, rotors, frequencies and damping of the whole arm."""

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.analysis.checks.check_tables import arm_rows, joint_rows, link_rows, section_note

ARM = """\
name: two
links:
  - {length: 1.2, mu: 2.0, EI: 300.0, modes: 2, damping: 0.005}
  - {length: 0.8, mu: 1.0, EI: {y: 200.0, z: 50.0}, modes: 2, damping: 0.005}
joints: [{motor: {inertia: 2.0e-5, gear: 100}}, {mass: 0.5, inertia: [0, 0, 0.02]}]
payload: {mass: 0.3}
initial: {joints: [0, 90 deg]}
"""


def test_inertia_about_a_joint_is_that_of_all_it_turns():
    """Rods m l^2 / 3, the second one upright at the end of the first; rotors as gear^2 J."""
    report = flexarm.check_arm(flexarm.parse_arm(ARM))
    second = 0.8 * 0.8**2 / 3 + 0.02 + 0.3 * 0.8**2
    beyond = (0.8 + 0.5 + 0.3) * 1.2**2 + second
    first = 2.4 * 1.2**2 / 3 + beyond + 100**2 * 2e-5
    np.testing.assert_allclose(report.joint_inertia, [first, second], rtol=1e-12)
    np.testing.assert_allclose(report.rotor_inertia, [0.2, 0.0], rtol=1e-12)


def test_fixed_joints_have_none():
    arm = flexarm.load_arm(ROBOTS / "single_link_cantilever.yaml")
    assert np.isnan(flexarm.check_arm(arm).joint_inertia[0])
    assert joint_rows(arm, flexarm.check_arm(arm))[1][2] == "fixed"


@pytest.mark.parametrize("name", ["space_arm", "spatial_three_link", "payload_two_link"])
def test_frequencies_and_damping_are_those_of_the_assembled_arm(name):
    """As flexarm modes finds them with the same joints locked, without weight and friction."""
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
    joints = [joint.model_copy(update={"friction": type(joint.friction)()}) for joint in arm.joints]
    initial = arm.initial.model_copy(update={"equilibrium": False})
    alone = {"gravity": (0.0, 0.0, 0.0), "joints": tuple(joints), "initial": initial}
    alone = arm.model_copy(update=alone)
    report = flexarm.check_arm(alone)
    modes = flexarm.natural_modes(alone, joints="locked").modes
    np.testing.assert_allclose(report.locked.frequencies, modes.natural_frequency[modes.n_rigid :], rtol=1e-5)
    np.testing.assert_allclose(report.locked.ratios, modes.damping_ratio[modes.n_rigid :], rtol=1e-4)


def test_half_a_per_cent_of_each_link_is_less_of_the_space_arm():
    """damping: 0.005 of each link by itself is 0.09 % of the slowest vibration of the arm with its joints held."""
    text = (ROBOTS / "space_arm.yaml").read_text()
    own = flexarm.check_arm(flexarm.parse_arm(text.replace("{ratio: 0.005, of: assembled}", "0.005")))
    assert own.locked.ratios[0] == pytest.approx(0.0009, abs=0.00002)
    assert own.locked.frequencies[0] == pytest.approx(0.661, abs=0.001)
    assembled = flexarm.check_arm(flexarm.load_arm(ROBOTS / "space_arm.yaml"))
    np.testing.assert_allclose(assembled.locked.ratios, 0.005, rtol=1e-6)
    assert "whole arm, joints locked" in dict(arm_rows(assembled))


def test_tables_show_mass_and_stiffness_along_a_link():
    arm = flexarm.parse_arm(
        ARM.replace("mu: 2.0", "mu: {eta: [0, 1.2], values: [3.0, 1.0]}").replace("EI: 300.0", "EI: 300.0")
    )
    rows = link_rows(arm, flexarm.check_arm(arm))
    assert rows[1][3:6] == ("1 to 3 kg/m", "300 N m^2", "")
    assert rows[2][3:6] == ("1 kg/m", "200 N m^2", "50 N m^2")
    assert section_note(arm) == ""


def test_the_height_of_a_section_bends_in_the_plane_of_the_joint():
    arm = flexarm.parse_arm(
        "name: strip\nlinks: [{length: 1, material: {E: 7.0e10, rho: 2700}, "
        "section: {shape: rectangle, height: 0.03, width: 0.002}, modes: 2}]\n"
    )
    rows = link_rows(arm, flexarm.check_arm(arm))
    assert rows[1][4:6] == (
        f"{7e10 * 0.002 * 0.03**3 / 12:.4g} N m^2",
        f"{7e10 * 0.03 * 0.002**3 / 12:.4g} N m^2",
    )
    assert section_note(arm).startswith("a section's height is along y and resists bending in xy")


DEGREES = """\
name: degrees
gravity: [0, 0, 0]
links: [{length: 1, mu: 3}, {length: 1, mu: 3}]
joints: [{}, {twist: 90}]
initial: {joints: [400 deg, -45]}
drive: [{pd: {kp: 10, kd: 5, reference: 45}}, {motion: "90"}]
run: {duration: 0.1, sample: 0.01}
"""


def test_angles_without_a_unit_beyond_a_turn_are_warned_of():
    arm = flexarm.parse_arm(DEGREES)
    for warnings in (flexarm.check_arm(arm).warnings, flexarm.run_warnings(flexarm.simulate(arm))):
        found = [text for text in warnings if "if degrees are meant" in text]
        assert [text.partition(":")[0] for text in found] == [
            "initial.joints[1]",
            "joints[1].twist",
            "drive[0].pd.reference",
            "drive[1].motion",
        ]
        assert found[2] == (
            'drive[0].pd.reference: 45 is an angle in radians, 7.16 turns; if degrees are meant, write "45 deg"'
        )


def test_angles_of_limits_springs_origins_and_moves_are_warned_of():
    arm = flexarm.parse_arm("""\
name: degrees
links: [{length: 1, mu: 3}, {length: 1, mu: 3}, {length: 1, mu: 3}, {length: 1, mu: 3}]
joints:
  - {limits: [-45, .inf]}
  - {limits: {range: [-6.28319, 90]}, origin: {xyz: [0, 0, 9], rpy: [90, 0, 0]}}
  - {stiffness: 100, rest: 20}
  - {type: prismatic, axis: [1, 0, 0], limits: [-45, 45]}
drive:
  - {move: {to: 30, duration: 1}}
  - {pd: {kp: 1, kd: 1, move: [{to: 30, duration: 1}]}}
  - null
  - {move: {to: 30, duration: 1}}
""")
    found = [
        text.partition(":")[0] for text in flexarm.check_arm(arm).warnings if "degrees are meant" in text
    ]
    assert sorted(found) == [
        "drive[0].move.to",
        "drive[1].pd.move[0].to",
        "joints[0].limits[0]",
        "joints[1].limits.range[1]",
        "joints[1].origin.rpy[0]",
        "joints[2].rest",
    ]


def test_angles_with_a_unit_and_turns_within_one_are_not():
    text = DEGREES.replace("twist: 90", "twist: 90 deg").replace("-45", "-45 deg")
    text = text.replace("reference: 45", "reference: 45 deg").replace('motion: "90"', 'motion: "6 + 40*t"')
    assert not [text for text in flexarm.check_arm(flexarm.parse_arm(text)).warnings if "degrees" in text]


def test_damping_and_places_that_are_round_off_are_zero():
    """Damped joints that swing beside, and about y, a link that is not damped."""
    arm = flexarm.parse_arm("""
name: carriage
links:
  - {length: 0, body: {mass: 20}}
  - {length: 1.2, mu: 1.5, EI: 400, modes: {family: clamped-free, count: 2}}
joints:
  - {type: prismatic, axis: [1, 0, 0], stiffness: 8000, damping: 5, motor: {inertia: 1e-3, gear: 100}}
  - {axis: [0, 1, 0], stiffness: 300, damping: 0.2, motor: {inertia: 1e-4, gear: 50}}
""")
    rows = dict(arm_rows(flexarm.check_arm(arm)))
    assert "6.346 Hz (0 %), 39.77 Hz (0 %)" in rows["whole arm, joints free"]
    assert "-0" not in rows["tip at the start"]


def test_deflections_out_of_all_proportion_are_checked_in_words():
    """Inertia grows with their square, and vibrations become as slow as rigid motions."""
    text = "name: bent\nlinks: [{length: 1.0, mu: 1.0, EI: 100, modes: 2}]\ninitial: {modes: [1e9, -1e9]}\n"
    report = flexarm.check_arm(flexarm.parse_arm(text))
    assert any("its end turns by" in warning for warning in report.warnings)

"""Whatever way an arm is typed, the rest of the program sees one form of it."""

import math

import paths
import pytest
from description.arm_texts import TWO_LINK, changed
from pydantic import ValidationError

from flexarm.description import load_arm, parse_arm
from flexarm.description.values.profile import Profile

ROBOTS = sorted(paths.ROBOTS.glob("*.yaml"))
MODES = "{family: clamped-free, count: 2}"


def test_defaults():
    arm = parse_arm("name: a\nlinks: [{length: 2, mu: 3}, {length: 1, mu: 1}]\n")
    assert arm.gravity == (0, -9.81, 0)
    assert [joint.type for joint in arm.joints] == ["revolute", "revolute"]
    assert arm.drive == (None, None)
    assert arm.initial.joints == arm.initial.joint_rates == (0, 0)
    assert arm.initial.modes == arm.initial.mode_rates == ()
    assert arm.links[0].mu == Profile(eta=(0, 1), values=(3, 3))
    assert arm.links[0].modes == arm.links[0].damping == ()
    assert (arm.run.method, arm.run.formulation, arm.link_rotation) == ("dop853", "articulated", "finite")


def test_a_number_for_EI_is_against_deflection_along_y():
    plain = parse_arm(TWO_LINK)
    assert plain.links[0].EI.y.values == (1000, 1000)
    assert plain.links[0].EI.z is None
    assert plain == parse_arm(changed(("EI: 1000.0", "EI: {y: 1000}")))


def test_stations_of_a_profile_become_fractions_of_the_length():
    taper = "mu: {eta: [0, 1, 4], values: [3, 2, 1]}"
    arm = parse_arm(changed(("length: 1.0", "length: 4.0"), ("mu: 5.0", taper)))
    assert arm.links[0].mu == Profile(eta=(0, 0.25, 1), values=(3, 2, 1))


def test_a_profile_of_EI_is_against_deflection_along_y():
    taper = "{eta: [0, 1], values: [3, 2]}"
    assert parse_arm(changed(("EI: 1000.0", f"EI: {taper}"))) == parse_arm(
        changed(("EI: 1000.0", f"EI: {{y: {taper}}}"))
    )


def test_one_set_of_modes_is_a_list_of_one():
    assert parse_arm(TWO_LINK) == parse_arm(changed((MODES, f"[{MODES}]")))


@pytest.mark.parametrize("typed", ["0.1", "[0.1]", "[0.1, 0.1]"])
def test_damping_has_one_entry_per_mode(typed):
    arm = parse_arm(changed(("EI: 1000.0", f"EI: 1000.0\n    damping: {typed}")))
    assert arm.links[0].damping == (0.1, 0.1)


@pytest.mark.parametrize("typed", ["[-90 deg]", "[-90 deg, 30 deg]"])
def test_fixed_joints_may_be_left_out_of_the_initial_state(typed):
    initial = parse_arm(changed(("[-90 deg]", f"{typed}, joint_rates: [2]"))).initial
    assert initial.joints == (math.radians(-90), math.radians(30))
    assert initial.joint_rates == (2, 0)


def test_without_initial_angles_fixed_joints_are_at_theirs():
    assert parse_arm(changed(("initial: {joints: [-90 deg]}\n", ""))).initial.joints == (0, math.radians(30))


def test_a_load_names_its_link():
    loads = "loads: [{at: tip, force: [0, 1, 0]}, {at: {link: 1, at: 0.25}, moment: [0, 0, 't']}]"
    tip, middle = parse_arm(changed(("loads: []", loads))).loads
    assert (tip.link, tip.station) == (1, 1.0)
    assert (middle.link, middle.station) == (0, 0.25)


def test_a_distributed_load_is_on_all_of_a_link_or_on_a_part():
    loads = (
        "loads: [{at: {link: 2}, distributed: [0, 1, 0]}, {at: {link: 1, to: 0.5}, distributed: [0, 0, 't']}]"
    )
    whole, half = parse_arm(changed(("loads: []", loads))).loads
    assert (whole.link, whole.stretch, whole.station) == (1, (0.0, 1.0), 0.5)
    assert (half.link, half.stretch) == (0, (0.0, 0.5))


@pytest.mark.parametrize("entry", ["null", "{}"])
def test_an_empty_drive_is_a_free_joint(entry):
    assert parse_arm(changed(("[null, null]", f"[{entry}, null]"))).drive == (None, None)


def test_finite_element_modes_have_clamped_free_ends_unless_given():
    arm = parse_arm(changed((MODES, "{family: finite-element, count: 2}")))
    assert (arm.links[0].modes[0].ends, arm.links[0].modes[0].elements) == ("clamped-free", 40)


def test_arms_are_frozen_and_compare_by_meaning():
    arm = parse_arm(TWO_LINK)
    assert arm == parse_arm("# other words\n" + TWO_LINK)
    assert hash(arm) == hash(parse_arm(TWO_LINK))
    assert arm != parse_arm(changed(("mu: 5.0", "mu: 5.1")))
    with pytest.raises(ValidationError):
        arm.name = "other"
    with pytest.raises(ValidationError):
        arm.links[0].length = 2.0


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_the_robots_are_valid_and_reproduced_by_their_own_text(path):
    arm = load_arm(path)
    if all(link.matrices is None for link in arm.links):  # the matrices of a file are in the text
        assert arm.text == path.read_text(encoding="utf-8")
    assert parse_arm(arm.text) == arm

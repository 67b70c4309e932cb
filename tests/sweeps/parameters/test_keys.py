"""Dotted keys reach every number of a description, typed or left to its default."""

import pytest
from paths import ROBOTS
from small_arm import small_arm

from flexarm import load_arm
from flexarm.sweeps.parameters.keys import KeyFault, parse_key
from flexarm.sweeps.parameters.variation import Variation


def varied(arm, **values):
    return Variation(arm.text, list(values)).arm(list(values.values()))


def test_keys_are_taken_apart():
    assert parse_key("links[0].EI") == ("links", 0, "EI")
    assert parse_key("links[*].modes[12].count") == ("links", "*", "modes", 12, "count")


@pytest.mark.parametrize("text", ["", "links[", "links[-1].EI", "links.0.EI", ".EI", "a b", "links[0]EI"])
def test_what_is_no_key(text):
    with pytest.raises(KeyFault, match="is not a key"):
        parse_key(text)


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("links[0].EI", 7.0, lambda arm: arm.links[0].EI.y.values[0]),
        ("links[0].damping", 0.03, lambda arm: arm.links[0].damping[0]),
        ("links[0].rotary_inertia[2]", 0.4, lambda arm: arm.links[0].rotary_inertia[2]),
        ("joints[0].friction.viscous", 0.5, lambda arm: arm.joints[0].friction.viscous),
        ("joints[0].motor.gear", 9.0, lambda arm: arm.joints[0].motor.gear),
        ("initial.joints[0]", 0.7, lambda arm: arm.initial.joints[0]),
        ("initial.modes[0]", 0.01, lambda arm: arm.initial.modes[0]),
        ("payload.mass", 2.0, lambda arm: arm.payload.mass),
        ("payload.offset[1]", 0.1, lambda arm: arm.payload.offset[1]),
        ("gravity[1]", -1.6, lambda arm: arm.gravity[1]),
        ("drive[0].torque", 3.0, lambda arm: arm.drive[0].torque),
        ("run.rtol", 1e-5, lambda arm: arm.run.rtol),
        ("links[0].modes.count", 3.0, lambda arm: arm.links[0].modes[0].count),
    ],
)
def test_a_number_typed_or_not_is_replaced_and_nothing_else(key, value, found):
    arm, base = varied(small_arm(), **{key: value}), small_arm()
    assert found(arm) == value
    changed = [name for name in type(arm).model_fields if getattr(arm, name) != getattr(base, name)]
    # A number of modes also changes how many initial amplitudes there are.
    assert changed == [key.partition("[")[0].partition(".")[0]] + ["initial"] * key.endswith("count")


def test_a_run_block_that_was_left_out_can_be_varied():
    arm = varied(small_arm((TEXT_RUN, "")), **{"run.rtol": 1e-4})
    assert (arm.run.rtol, arm.run.duration) == (1e-4, 1.0)


TEXT_RUN = "run: {duration: 0.2, sample: 0.01, rtol: 1e-7, atol: 1e-9}\n"


def test_a_star_sets_all_entries_alike():
    arm = load_arm(ROBOTS / "usoro_two_link.yaml")
    both = varied(arm, **{"links[*].EI": 300.0})
    assert [link.EI.y.values for link in both.links] == [(300.0, 300.0)] * 2


def test_a_stiffness_by_direction_is_reached_by_its_direction():
    arm = small_arm(("EI: 50.0", "EI: {y: 50.0, z: 80.0}"))
    assert varied(arm, **{"links[0].EI.z": 9.0}).links[0].EI.z.values[0] == 9.0
    with pytest.raises(KeyFault, match="is no number"):
        Variation(arm.text, ["links[0].EI"])


def test_one_point_leaves_nothing_behind_for_the_next():
    variation = Variation(small_arm().text, ["links[0].EI", "payload.mass"])
    first = variation.arm([7.0, 1.0])
    variation.arm([8.0, 2.0])
    assert variation.arm([7.0, 1.0]) == first


@pytest.mark.parametrize(
    ("key", "message", "hint"),
    [
        ("links[0].EII", "unknown key", "links[0].EI"),
        ("payloads.mass", "unknown key", "payload.mass"),
        ("run.rtoll", "unknown key", "run.rtol"),
        ("links[1].EI", "links has 1 entry", "count from 0"),
        ("links", "is no number", "links[0]"),
        ("run", "is no number", "run.duration"),
        ("name", "is no number", "small"),
        ("run.duration.s", "is a single value", ""),
        ("payload[0]", "is not a list", ""),
        ("loads[0].force[1]", "loads has 0 entries", ""),
    ],
)
def test_what_cannot_be_varied(key, message, hint):
    with pytest.raises(KeyFault) as caught:
        Variation(small_arm().text, [key])
    assert message in caught.value.message
    assert hint in caught.value.hint

"""Dry friction of joints that cannot be: one line each, which says what was expected."""

from __future__ import annotations

import pytest

import flexarm

ARM = """
name: arm
links: [{{length: 1, mu: 1}}]
joints: [{{friction: {friction}}}]
run: {{duration: 1, sample: 0.1}}
"""


@pytest.mark.parametrize(
    ("friction", "key", "words"),
    [
        ("{smoothing: 0}", "coulomb", "missing"),
        ("{viscous: 1, smoothing: 0}", "coulomb", "missing"),
        ("{viscous: 1, static: 2}", "coulomb", "missing"),
        ("{coulomb: 1, static: 2}", "static", "add smoothing: 0"),
        ("{coulomb: 2, static: 1, smoothing: 0}", "static", "got 1, expected at least coulomb (2)"),
        ("{coulomb: 1, smoothing: -1}", "smoothing", "got -1, expected a number >= 0"),
        ("{coulomb: 1, smoothing: .nan}", "smoothing", "got nan"),
        ("{coulomb: .inf, smoothing: 0}", "coulomb", "got inf"),
        ("{coulomb: 1, static: .inf, smoothing: 0}", "static", "got inf"),
        ("{coulomb: 1, static: rough, smoothing: 0}", "static", "got 'rough'"),
    ],
)
def test_bad_friction_is_told(friction, key, words):
    with pytest.raises(flexarm.SpecError) as failure:
        flexarm.parse_arm(ARM.format(friction=friction))
    assert f"joints[0].friction.{key}:" in str(failure.value)
    assert words in str(failure.value)
    assert len(str(failure.value).splitlines()) == 1


def test_no_dry_friction_sticks_nowhere():
    arm = flexarm.parse_arm(ARM.format(friction="{coulomb: 0, smoothing: 0}"))
    assert not arm.dry_joints
    assert "friction_torque" not in flexarm.simulate(arm)


@pytest.mark.parametrize("smoothing", [0.01, 0])
def test_accelerations_at_instants_are_not_known_of_an_arm_that_may_stick(smoothing):
    text = ARM.format(friction=f"{{coulomb: 1, smoothing: {smoothing}}}") + (
        "sensors: {acc: {acceleration: tip, along: x}}\n"
        "controllers: {c: {inputs: acc, gain: 0.1, period: 0.01}}\n"
        "drive: [{controller: c}]\n"
    )
    if smoothing:
        flexarm.parse_arm(text)
    else:
        with pytest.raises(
            flexarm.SpecError, match="acc measures an acceleration at instants, of an arm that walls"
        ):
            flexarm.parse_arm(text)

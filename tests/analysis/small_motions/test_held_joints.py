"""Joints held one by one, and floating bases, which are never held."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS
from reference import floating_beam

import flexarm
from flexarm.errors import ModelError

BOOM = """\
name: boom
base: planar
gravity: [0, 0, 0]
links:
  - {length: 1.0, mu: 100.0, rotary_inertia: [0, 0, 34.24]}      # the satellite
  - {length: 3.0, mu: 1.0, EI: 716.0, modes: 3}
  - {length: 3.0, mu: 1.0, EI: 716.0, modes: 3}
run: {duration: 12.0, sample: 0.005}
"""
EXACT = {"length": 6.0, "mu": 1.0, "EI": 716.0, "m": 100.0, "J": 34.24 + 100 / 12, "s": 0.5}
MODAL = 1e-4
"""Error of the first frequency with three modes of each half of the boom."""


def boom(more: str = "") -> flexarm.Arm:
    return flexarm.parse_arm(BOOM + more)


def test_the_characteristic_equation_has_the_known_limits():
    """A clamped-free and a free-free beam."""
    beam = {"length": 1.0, "mu": 1.0, "EI": 1.0, "s": 0.0}
    clamped = 2 * np.pi * floating_beam.frequencies(2, **beam, m=1e9, J=1e9)
    np.testing.assert_allclose(clamped, [3.516015, 22.034492], rtol=1e-6)
    free = 2 * np.pi * floating_beam.frequencies(2, **beam, m=1e-9, J=1e-12)
    np.testing.assert_allclose(free, [22.373285, 61.672823], rtol=1e-6)


def test_locked_joints_leave_a_floating_satellite_its_attitude():
    """A boom of 2 x 3 m on a free satellite rings at 0.7014 Hz; clamped to the ground it would at 0.416 Hz."""
    exact = floating_beam.frequencies(1, **EXACT)
    assert exact[0] == pytest.approx(0.7014, abs=5e-5)
    found = flexarm.natural_modes(boom(), joints="locked")
    assert found.modes.n_rigid == 3
    np.testing.assert_allclose(found.modes.natural_frequency[3], exact[0], rtol=MODAL)
    assert (found.held, found.roles.free, found.roles.attitude) == ((2, 3), (1,), 1)


def test_the_same_satellite_as_a_body_of_the_base():
    """Its attitude is a coordinate of its own; every joint has a motor and is locked, at any posture."""
    text = BOOM.replace(
        "  - {length: 1.0, mu: 100.0, rotary_inertia: [0, 0, 34.24]}      # the satellite\n", ""
    )
    for kind, inertia in (("planar", EXACT["J"]), ("free", [EXACT["J"]] * 3)):
        body = f"{{type: {kind}, mass: 100, inertia: {inertia}, attachment: [0.5, 0, 0]}}"
        arm = flexarm.parse_arm(text.replace("base: planar", f"base: {body}"))
        found = flexarm.natural_modes(arm, joints="locked")
        exact = floating_beam.frequencies(1, **EXACT)
        np.testing.assert_allclose(found.modes.natural_frequency[found.modes.n_rigid], exact[0], rtol=MODAL)
        assert (found.held, found.roles.free, found.roles.attitude) == ((1, 2), (), None)
        assert str(found.roles) == "joints 1, 2 held; the base floats"


def test_a_simulation_rings_at_that_frequency():
    """Joints held by prescribed motions; the attitude's zero crossings over 8 periods."""
    arm = boom("drive: [null, {motion: hold}, {motion: hold}]\n")
    found = flexarm.natural_modes(arm)
    assert (found.held, found.roles.prescribed) == ((2, 3), (2, 3))
    shape = found.shapes[3].real
    theta = 1e-4 * shape / np.abs(shape).max()
    layout = found.point.chain.coordinates
    initial = arm.initial.model_copy(
        update={
            "joints": tuple(theta[list(layout.moving_joints)]),
            "modes": tuple(theta[list(layout.all_modes)]),
            "base": tuple(theta[list(layout.base_theta)]),
        }
    )
    run = flexarm.simulate(arm.model_copy(update={"initial": initial}))
    angle = run.joint_angle[:, 0] - run.joint_angle[:, 0].mean()
    at = np.flatnonzero(angle[:-1] * angle[1:] < 0)
    crossings = run.time[at] + 0.005 * angle[at] / (angle[at] - angle[at + 1])
    assert 0.5 / np.diff(crossings).mean() == pytest.approx(0.7014, abs=2e-4)


def test_joints_are_held_one_by_one():
    """Holding a joint is what fixing it at its angle in the description does."""
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    for number in (1, 2):
        entries = ["{}", "{}"]
        entries[number - 1] = f"{{type: fixed, angle: {arm.initial.joints[number - 1]!r}}}"
        fixed = flexarm.parse_arm(arm.text + f"\njoints: [{', '.join(entries)}]\n")
        held = flexarm.natural_modes(arm, hold=[number])
        np.testing.assert_allclose(
            held.modes.natural_frequency, flexarm.natural_modes(fixed).modes.natural_frequency, rtol=1e-7
        )
        assert held.held == (number,)
        assert str(held.roles) == f"joint {number} held; joint {3 - number} free"


def test_all_held_one_by_one_is_locked():
    arm = flexarm.load_arm(ROBOTS / "spatial_three_link.yaml")
    one_by_one = flexarm.natural_modes(arm, hold=[1, 2, 3])
    locked = flexarm.natural_modes(arm, joints="locked")
    np.testing.assert_array_equal(one_by_one.modes.poles, locked.modes.poles)
    assert one_by_one.roles == locked.roles


def test_the_others_follow_their_drives():
    arm = flexarm.load_arm(ROBOTS / "spatial_three_link.yaml")
    found = flexarm.natural_modes(arm, joints="pd", hold=[2])
    assert (found.roles.held, found.roles.regulated) == ((2,), (1, 3))
    assert str(found.roles) == "joint 2 held; joints 1, 3 follow their PD drives"
    assert found.result().attributes["held_joints"] == "2"


def test_a_linear_model_leaves_held_joints_out():
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    model = flexarm.linearize(arm, hold=[1])
    assert model.inputs == ("tau_2",)
    assert model.outputs[0] == "q_2"
    assert "q_1" not in model.states + model.outputs
    free = flexarm.natural_modes(arm, hold=[1]).modes.all_poles
    np.testing.assert_allclose(
        np.sort(np.abs(model.modes.all_poles)), np.sort(np.abs(free)), rtol=1e-9, atol=1e-9
    )


def test_a_joint_behind_a_held_one_turns_steadily():
    text = "name: two\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 1}, {length: 1, mu: 1, EI: 9, modes: 2}]\n"
    arm = flexarm.parse_arm(text)
    held = flexarm.natural_modes(arm, spin=2, joint=2, hold=[1])
    prescribed = flexarm.natural_modes(
        flexarm.parse_arm(text + "drive: [{motion: hold}, null]\n"), spin=2, joint=2
    )
    np.testing.assert_array_equal(held.modes.poles, prescribed.modes.poles)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hold": [1]}, "joint 1 cannot be held: with base: planar it is the attitude"),
        ({"hold": [4]}, r"joint 4 is none of the arm's \(joints that can be held: 2, 3\)"),
        ({"hold": [2], "joints": "locked"}, "joints locked holds all joints"),
        ({"joints": "welded"}, "expected one of free, locked, pd"),
    ],
)
def test_what_cannot_be_held(options, message):
    with pytest.raises(ModelError, match=message):
        flexarm.natural_modes(boom(), **options)


def test_fixed_joints_and_the_one_that_turns_cannot_be_held():
    arm = flexarm.load_arm(ROBOTS / "single_link_cantilever.yaml")
    with pytest.raises(ModelError, match=r"joint 1 is fixed already \(no joint can be held\)"):
        flexarm.natural_modes(arm, hold=[1])
    blade = flexarm.parse_arm("name: b\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 1, EI: 1, modes: 2}]\n")
    with pytest.raises(ModelError, match="joint 1 turns steadily"):
        flexarm.natural_modes(blade, spin=1, hold=[1])

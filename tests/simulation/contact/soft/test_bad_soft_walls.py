"""Soft walls that cannot be: one line each, which says what was expected."""

from __future__ import annotations

import re

import numpy as np
import pytest
from soft_balls import MASS, ball

import flexarm
from flexarm.simulation.contact import event_driven
from flexarm.simulation.forces.walls.stiff_walls import stiff_walls

ARM = """
name: arm
links: [{{length: 1, mu: 1, EI: 10, modes: 1}}]
contact: {{walls: [{{point: [0, -3], normal: [0, 1]{wall}}}], {contact}}}
run: {{duration: 1, sample: 0.1}}
"""
FIRST = {"contact": "stiffness: 1e5", "wall": ""}
RIGID = {"contact": "restitution: 1"}


@pytest.mark.parametrize(
    ("change", "key", "words"),
    [
        ({"contact": "stiffness: 0"}, "contact.stiffness", "got 0, expected a number > 0"),
        ({"contact": "stiffness: -1e5"}, "contact.stiffness", "expected a number > 0"),
        ({"contact": "stiffness: .nan"}, "contact.stiffness", "got nan"),
        ({"contact": "stiffness: .inf"}, "contact.stiffness", "got inf"),
        ({"contact": "stiffness: 1e30"}, "contact.stiffness", "1e+30"),
        ({"contact": "stiffness: steel"}, "contact.stiffness", "got 'steel', expected a number"),
        ({"contact": "stiffness: 1e5, exponent: 0.9"}, "contact.exponent", "got 0.9, expected a number >= 1"),
        ({"contact": "stiffness: 1e5, exponent: .nan"}, "contact.exponent", "got nan"),
        ({"contact": "stiffness: 1e5, damping: -0.1"}, "contact.damping", "got -0.1, expected a number >= 0"),
        ({"contact": "stiffness: 1e5, damping: .inf"}, "contact.damping", "got inf"),
        ({"contact": "stiffness: 1e5, damping: 1, restitution: 0.5"}, "contact.damping", "expected one of them"),
        ({"wall": ", restitution: 0.5, damping: 0.3"}, "contact.walls[0].damping", "expected one of them"),
        ({"contact": "stiffness: 1e5, restitution: 0"}, "contact.restitution", "no damping of a soft wall"),
        ({"wall": ", restitution: 0"}, "contact.walls[0].restitution", "no damping of a soft wall"),
        ({"wall": ", damping: 1, approach_speed: 1"}, "contact.walls[0].approach_speed", "belongs to a restitution"),
        ({"wall": ", approach_speed: 0"}, "contact.walls[0].approach_speed", "got 0"),
        ({"contact": "stiffness: 1e5, friction: {kinetic: 0.3, static: 0.4}"}, "contact.friction.static", "soft"),
        ({"wall": ", friction: {kinetic: 0.3, static: 0.4}"}, "contact.walls[0].friction.static", "soft"),
        ({"wall": ", friction: {kinetic: 0.3, smoothing: 0}"}, "contact.walls[0].friction.smoothing", "got 0"),
        ({"contact": "stiffness: 1e5, impact_law: poisson"}, "contact.impact_law", "soft walls have no impacts"),
        (RIGID | {"wall": ", damping: 0.1"}, "contact.walls[0].damping", "the wall is rigid"),
        (RIGID | {"wall": ", exponent: 2"}, "contact.walls[0].exponent", "the wall is rigid"),
        ({"contact": "damping: 0.1"}, "contact.damping", "the wall is rigid"),
        ({"contact": "friction: {kinetic: 0.3, smoothing: 0.1}"}, "contact.friction.smoothing", "the wall is rigid"),
    ],
)  # fmt: skip
def test_bad_soft_walls_are_told(change, key, words):
    with pytest.raises(flexarm.SpecError) as failure:
        flexarm.parse_arm(ARM.format(**FIRST | change))
    assert f"{key}" in str(failure.value)
    assert words in str(failure.value)
    assert "\n" not in str(failure.value)


def test_both_kinds_may_stand_in_one_arm():
    text = ARM.format(contact="restitution: 0, friction: 0.2, impact_law: newton", wall="")
    soft = "{point: [0, -4], normal: [0, 1], stiffness: 1e4, restitution: 0.5, friction: {kinetic: 0.1, smoothing: 1}}"
    contact = flexarm.parse_arm(text.replace("walls: [", f"walls: [{soft}, ")).contact
    assert contact is not None
    assert contact.rigid == (1,)
    assert contact.restitutions == (0.0,)
    (wall,) = contact.soft
    assert (wall.number, wall.stiffness, wall.exponent, wall.friction, wall.smoothing) == (
        0,
        1e4,
        1.5,
        0.1,
        1.0,
    )
    assert wall.damping == pytest.approx(1.4327505, rel=1e-6)  # x (1 + e) = ln((1 + x) / (1 - e x))


def test_walls_take_of_all_what_they_do_not_say_themselves():
    text = ARM.format(
        contact="stiffness: 1e5, exponent: 2, damping: 3, friction: 0.3",
        wall=", restitution: 0.5, stiffness: 7",
    )
    second = "{point: [0, -4], normal: [0, 1], friction: 0}"
    contact = flexarm.parse_arm(text.replace("}], ", f"}}, {second}], ")).contact
    assert contact is not None
    own, common = contact.soft
    assert (own.stiffness, own.exponent, own.friction) == (7.0, 2.0, 0.3)
    assert own.damping == pytest.approx(1.4327505, rel=1e-6)
    assert (common.stiffness, common.exponent, common.damping, common.friction) == (1e5, 2.0, 3.0, None)


def test_a_point_that_starts_deep_inside_is_told_with_what_is_allowed():
    flexarm.simulate(ball("stiffness: 1e5", position="0, -0.05", velocity="0, 0", duration=0.02))
    with pytest.raises(flexarm.ModelError, match=r"0\.3 m inside wall 1, which is soft, but 0\.1 m at most"):
        flexarm.simulate(ball("stiffness: 1e5", position="0, -0.3"))


@pytest.mark.parametrize(("stiffness", "exponent"), [(1e13, 1), (1e18, 1.5)])
def test_a_wall_on_which_nothing_can_rest_is_told(stiffness, exponent):
    """Small vibrations about the depth at rest: with the stiffness there, of a difference quotient of the force."""
    contact = "stiffness: {}, exponent: " + str(exponent)
    stiff = ball(contact.format(stiffness), gravity="0, -9.81", duration=1)
    (text,) = stiff_walls(stiff)
    told = [float(number) for number in re.findall(r"(\S+) m deep.* with (\S+) s, (\S+) times", text)[0]]
    depth = (MASS * 9.81 / stiffness) ** (1 / exponent)
    depths = depth * np.array([1 - 1e-4, 1 + 1e-4])
    period = 2 * np.pi * np.sqrt(MASS * np.ptp(depths) / np.ptp(stiffness * depths**exponent))
    np.testing.assert_allclose(told, [depth, period, 1 / period], rtol=0.5)  # one digit of each
    advised = float(re.search(r"stiffness: (\S+), or none", text)[1])
    assert not list(stiff_walls(ball(contact.format(advised), gravity="0, -9.81", duration=1)))
    assert not list(
        stiff_walls(ball(contact.format(stiffness), gravity="0, 9.81", duration=1))
    )  # it falls away


@pytest.mark.slow
def test_touches_without_end_end_in_words(monkeypatch, caplog):
    """The damping of Hunt and Crossley vanishes with the speed, so that bounces die out slowly."""
    monkeypatch.setattr(event_driven, "MOST_EVENTS", 40)
    falling = {"gravity": "0, -9.81", "position": "0, 1e-4", "velocity": "0, 0", "duration": 1}
    arm = ball("stiffness: 1e13, exponent: 1, restitution: 0.4", **falling)
    result = flexarm.simulate(arm)
    assert result.status == "incomplete"
    assert "21 touches of soft walls" in result.message
    assert "rigid" in result.message
    (told,) = stiff_walls(arm)
    assert told in flexarm.check_arm(arm).warnings
    assert [record.message for record in caplog.records] == [f"ball: {told}"]

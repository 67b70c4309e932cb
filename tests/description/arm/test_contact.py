"""Walls and points of contact: what they mean, and what is wrong with them."""

from __future__ import annotations

import pytest

from flexarm.description import parse_arm
from flexarm.description.arm.walls import can_move
from flexarm.errors import SpecError

TEXT = """\
name: falling
base: planar
links: [{length: 1, mu: 1}, {length: 2, mu: 1}]
joints: [{}, {}]
initial: {base: [0, 1]}
contact:
  restitution: 0.5
  walls: [{point: [0, 0], normal: [0, 2]}]
  points: all
drive: [null, null]
run: {duration: 1, sample: 0.1}
"""
FLOOR, POINTS, PLANAR = "{point: [0, 0], normal: [0, 2]}", "points: all", "base: planar"
FREE = "base: free"


def changed(*changes):
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def places(points):
    return [place.name for place in parse_arm(changed((POINTS, f"points: {points}"))).contact.places(2)]


def test_points_that_may_touch():
    assert places("all") == ["O1", "O2", "O3"]
    assert places("O2") == ["O2"]
    assert places("[O3, O1]") == ["O3", "O1"]
    assert places("[all, {link: 1, at: 0.5}]") == ["O1", "O2", "O3", "link 1 at 0.5"]
    assert places("{link: 2, at: 0.25}") == ["link 2 at 0.25"]


def test_a_point_is_listed_once_by_its_own_name():
    assert places("[O1, O1, {link: 1, at: 0}, {link: 2, at: 1}, O3, {link: 2, at: 0}]") == ["O1", "O3", "O2"]


def test_every_wall_has_a_restitution_and_a_unit_normal():
    other = "{circle: {center: [1, 2], radius: 3, side: outside}, restitution: 0}"
    contact = parse_arm(changed((FLOOR, f"{FLOOR}, {other}"))).contact
    walls = contact.walls
    assert contact.restitutions == (0.5, 0.0)
    assert walls[0].normal == (0.0, 1.0, 0.0)
    assert walls[1].circle.center == (1.0, 2.0, 0.0)
    assert parse_arm(changed(("  restitution: 0.5\n", ""))).contact.restitutions == (1.0,)


def test_only_arms_that_float_or_touch_fly():
    assert parse_arm(TEXT).flies
    assert parse_arm(changed((PLANAR, "base: fixed"), ("{base: [0, 1]}", "{}"))).flies
    fixed = "name: a\nlinks: [{length: 1, mu: 1}]\n"
    assert not parse_arm(fixed).flies
    assert parse_arm(fixed + "base: planar\n").flies


def test_initial_pose_of_a_free_base():
    text = changed(
        (PLANAR, FREE),
        ("[{}, {}]", "[{type: fixed}, {}]"),
        ("{base: [0, 1]}", "{base: [1, 2, 3, 180 deg, 0, 0.5], base_rates: [0, 0, 0, 180 deg/s, 0, 0]}"),
    )
    initial = parse_arm(text).initial
    assert initial.base == pytest.approx((1, 2, 3, 3.141592653589793, 0, 0.5))
    assert initial.base_rates[3] == pytest.approx(3.141592653589793)


FAULTS = [
    ("restitution: 0.5", "restitution: 1.5", 7, "contact.restitution", ["got 1.5, expected a number <= 1"]),
    ("restitution: 0.5", "restitution: -0.1", 7, "contact.restitution", ["got -0.1, expected a number >= 0"]),
    ("restitution: 0.5", "restitution: .nan", 7, "contact.restitution", ["got nan"]),
    ("restitution: 0.5", "restitutoin: 0.5", 7, "contact.restitutoin", ["did you mean 'restitution'?"]),
    (f"[{FLOOR}]", "[]", 8, "contact.walls", ["at least one wall"]),
    (f"  walls: [{FLOOR}]\n", "", 6, "contact.walls", ["missing"]),
    (FLOOR, "floor", 8, "contact.walls[0]", ["got 'floor'", "{point: [0, 0], normal: [0, 1]}"]),
    ("[0, 2]", "[0, 0]", 8, "contact.walls[0].normal", ["points somewhere", "[0, 1]"]),
    ("[0, 2]", "[0]", 8, "contact.walls[0].normal", ["a list of 1", "2 numbers [x, y]"]),
    (FLOOR, "{point: [0, 0]}", 8, "contact.walls[0].normal", ["missing", "away from the wall"]),
    (FLOOR, f"{FLOOR[:-1]}, restitution: 2}}", 8, "contact.walls[0].restitution", ["a number <= 1"]),
    (
        FLOOR,
        "{circle: {center: [0, 0], radius: 0, side: inside}}",
        8,
        "contact.walls[0].circle.radius",
        ["got 0, expected a number > 0", "[m]"],
    ),
    (
        FLOOR,
        "{circle: {center: [0, 0], radius: 1, side: insde}}",
        8,
        "contact.walls[0].circle.side",
        ["one of inside, outside", "did you mean 'inside'?"],
    ),
    (POINTS, "points: [O4]", 9, "contact.points[0]", ["got 'O4', expected one of O1, O2, O3"]),
    (POINTS, "points: [O1, tip]", 9, "contact.points[1]", ["got 'tip', expected all, O1, O2"]),
    (POINTS, "points: []", 9, "contact.points", ["at least one point"]),
    (POINTS, "points: [{link: 3, at: 0.5}]", 9, "contact.points[0].link", ["got link 3", "2 links"]),
    (POINTS, "points: [{link: 1, at: 1.5}]", 9, "contact.points[0].at", ["a number <= 1"]),
    (PLANAR, FREE, 2, "base", ["joint 1 is revolute", "make joint 1 {type: fixed}"]),
    (PLANAR, "base: floor", 2, "base", ["got 'floor', expected one of fixed, planar, free"]),
    (PLANAR, "base: fixed", 5, "initial.base", ["only a floating base"]),
    ("{base: [0, 1]}", "{base: [0, 1, 2]}", 5, "initial.base", ["a list of 3, expected 2 for a planar base"]),
    ("{base: [0, 1]}", "{base_rates: [x, 1]}", 5, "initial.base_rates[0]", ["got 'x', expected a number"]),
    ("{base: [0, 1]}", "{equilibrium: true}", 5, "initial.equilibrium", ["floats has no equilibrium"]),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), FAULTS, ids=lambda value: str(value)[:50])
def test_a_fault_is_reported_with_line_key_and_words(old, new, line, key, words):
    with pytest.raises(SpecError) as caught:
        parse_arm(changed((old, new)), source="arm.yaml")
    (problem,) = [problem for problem in caught.value.problems if problem.key == key]
    assert problem.line == line
    assert all(word in str(problem) for word in words), str(problem)


@pytest.mark.parametrize(
    ("joints", "drive", "points", "key", "words"),
    [
        ("[{}, {}]", "[null, null]", "O1", "contact.points", "O1 cannot move: the base is fixed"),
        ("[{}, {}]", "[{motion: t}, null]", "[O3, O2]", "contact.points[1]", "O2 cannot move"),
        (
            "[{type: fixed}, {type: fixed}]",
            "[null, null]",
            "all",
            "contact.points",
            "no point of this arm can move",
        ),
    ],
)
def test_points_that_nothing_can_move(joints, drive, points, key, words):
    text = changed(
        (PLANAR, "base: fixed"), ("{base: [0, 1]}", "{}"), ("[{}, {}]", joints), ("[null, null]", drive),
        (POINTS, f"points: {points}"),
    )  # fmt: skip
    with pytest.raises(SpecError) as caught:
        parse_arm(text)
    (problem,) = caught.value.problems
    assert problem.key == key
    assert words in problem.message


def test_what_moves_a_point_of_an_arm_on_a_fixed_base():
    o1, o2, o3 = parse_arm(TEXT).contact.places(2)
    assert not can_move(o1, [True, True], [1, 1])
    assert can_move(o2, [True, False], [0, 0])
    assert not can_move(o2, [False, True], [0, 0])
    assert can_move(o2, [False, False], [1, 0])
    assert can_move(o3, [False, True], [0, 0])
    assert not can_move(o3, [False, False], [0, 0])

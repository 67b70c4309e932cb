"""Trajectories: every kind is read, every fault is reported with line and key."""

import re

import pytest

from flexarm.description import load_trajectory, parse_trajectory
from flexarm.errors import SpecError

KINDS = {
    "path": ('duration: 2.0\npath: {x: "1 - 0.1*t**2", y: 0.5}\n', ("x", "y"), 2.0),
    "waypoints": ("waypoints: {times: [0, 1, 3], y: [0, 1, 0], yaw: [0, 10 deg, 0]}\n", ("y", "yaw"), 3.0),
    "line": ("duration: 1.5\nline: {from: [0, 1, 2], to: [1, 1, 1]}\n", ("x", "y", "z"), 1.5),
    "circle": ("duration: 1.0\ncircle: {center: [0, 1], radius: 0.5}\n", ("x", "y"), 1.0),
    "table": ("table: |\n  t, x\n  0, 1\n  2, 3\ncolumns: [z]\n", ("z",), 2.0),
}
JOINTS = {
    "path": ("space: joint\nduration: 1\npath: {q2: t}\n", ("q2",)),
    "line": ("space: joint\nduration: 1\nline: {from: [0 deg, 1], to: [90 deg, 2]}\n", ("q1", "q2")),
    "table": ("space: joint\ntable: |\n  0 1 1\n  1 2 1\n", ("q1", "q2")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read(kind):
    text, coordinates, length = KINDS[kind]
    trajectory = parse_trajectory(text)
    assert (trajectory.kind, trajectory.coordinates, trajectory.length) == (kind, coordinates, length)
    assert parse_trajectory(trajectory.text) == trajectory


@pytest.mark.parametrize("kind", JOINTS)
def test_joints_are_named_q1_q2(kind):
    text, coordinates = JOINTS[kind]
    assert parse_trajectory(text).coordinates == coordinates


def test_angles_may_be_typed_in_degrees():
    line = parse_trajectory(JOINTS["line"][0]).line
    assert line.end == pytest.approx((1.5707963267948966, 2.0))


FAULTS = [
    ("duration: 1\n", None, "", "got no course, expected one of path, waypoints, line, circle, table"),
    (KINDS["path"][0] + KINDS["line"][0].split("\n")[1], None, "", "got path, line, expected one of"),
    ("path: {x: t}\n", None, "duration", "missing"),
    ("duration: 1\nwaypoints: {times: [0, 1], x: [0, 1]}\n", 1, "duration", "besides waypoints"),
    ("duration: 1\npath: {x: t, w: t}\n", 2, "path.w", "unknown coordinate 'w'"),
    ("duration: 1\npath: {q1: t}\n", 2, "path.q1", "space: tip has x, y, z"),
    ("space: joint\nduration: 1\npath: {x: t}\n", 3, "path.x", "space: joint has q1"),
    ("duration: 2\npath: {x: sqrt(1 - t)}\n", 2, "path.x", "no finite value at t = 1.002 s"),
    ("duration: 2\npath: {x: 3*tt}\n", 2, "path.x", "unknown name 'tt'"),
    ("duration: 2\npth: {x: t}\n", 2, "pth", "did you mean 'path'?"),
    ("duration: -2\npath: {x: t}\n", 1, "duration", "expected a number > 0"),
    ("duration: 5e-324\npath: {x: t}\n", 1, "duration", "got 4.94066e-324 s, expected a size from 1e-12"),
    (
        "duration: 2\npath: {x: t}\nsample: 1e6\n",
        3,
        "sample",
        "expected at most the length of the trajectory, 2 s",
    ),
    ("duration: .nan\npath: {x: t}\n", 1, "duration", "expected a finite number"),
    ("duration: 1\nline: {from: [0, 1], to: [1]}\n", 2, "line.to", "got 1 coordinates, expected 2"),
    (
        "duration: 1\nline: {from: [0, 5 deg], to: [1, 1]}\n",
        2,
        "line.from[1]",
        "got '5 deg', expected a number in m",
    ),
    ("duration: 1\nline: {from: [0], to: [1], law: quntic}\n", 2, "line.law", "did you mean 'quintic'?"),
    ("duration: 1\ncircle: {center: [0, 0], radius: 0}\n", 2, "circle.radius", "expected a number > 0"),
    (
        "duration: 1\ncircle: {center: [0, 0], radius: 1, normal: [1, 0, 0]}\n",
        2,
        "circle.normal",
        "without z",
    ),
    ("duration: 1\ncircle: {center: [0, 0], radius: 1, normal: [0, 0, 0]}\n", 2, "circle.normal", "length 0"),
    ("space: joint\nduration: 1\ncircle: {center: [0, 0], radius: 1}\n", 3, "circle", "space: tip"),
    ("waypoints: {times: [0, 2, 2], x: [0, 1, 2]}\n", 1, "waypoints.times[2]", "got 2.0 after 2.0"),
    ("waypoints: {times: [1, 2], x: [0, 1]}\n", 1, "waypoints.times[0]", "expected 0"),
    ("waypoints: {times: [0, 2], x: [0, 1, 2]}\n", 1, "waypoints.x", "got 3 x, expected 2"),
    (
        "waypoints: {times: [0, 2], x: [0, 1], ends: {y: [0, 1]}}\n",
        1,
        "waypoints.ends",
        "expected those of x",
    ),
    ("waypoints: {times: [0, 2], x: [0, 1], ends: still}\n", 1, "waypoints.ends", "expected rest, free"),
    ("duration: 1\npath: {x: t}\nends: rest\n", 3, "ends", "only a table has this key"),
    (
        "table: |\n  0 1\n  1 2\ncolumns: [x, y]\n",
        4,
        "columns",
        "got 2 names for a table of time and 1 columns",
    ),
    ("table: |\n  1 1\n  2 2\n", 1, "table", "got 1.0 s as the first time"),
    ("duration: 1\npath: {x: t}\nelbow: up\n", 3, "elbow", "positive, negative"),
    ("duration: 1\npath: {x: t}\nelbow: positive\nnear: [0]\n", 3, "elbow", "besides near"),
    ("duration: 1\npath: {x: t}\ndeviation: 0\n", 3, "deviation", "expected a number > 0"),
    (
        "duration: 1\ncircle: {center: [0], radius: 1}\n",
        2,
        "circle.center",
        "expected a list of 2 or 3 numbers",
    ),
    ("duration: 1\npath: 3\n", 2, "path", "expected keys and values"),
    ("duration: 1\npath: {}\n", 2, "path", "got no coordinate"),
    ("duration: 1\nline: 5\n", 2, "line", "expected keys and values"),
    ("duration: 1\nline: {from: [0]}\n", 2, "line.to", "missing"),
    ("waypoints: {times: [0, 1], x: 5}\n", 1, "waypoints.x", "expected a list"),
    ("waypoints: {times: [0, 1], x: [0, .nan]}\n", 1, "waypoints.x[1]", "expected a finite number"),
    ("table: nowhere.csv\n", 1, "table", "no folder to look for files in"),
    ("duration: 1\npath: {x: t}\nnear: [x]\n", 3, "near[0]", "expected a number in rad or an angle"),
]


@pytest.mark.parametrize(("text", "line", "key", "words"), FAULTS, ids=[fault[0][:50] for fault in FAULTS])
def test_a_fault_is_reported_with_line_key_and_words(text, line, key, words):
    with pytest.raises(SpecError) as caught:
        parse_trajectory(text, source="task.yaml")
    found = [problem for problem in caught.value.problems if problem.key == key]
    assert len(found) == 1, caught.value
    assert found[0].source == "task.yaml"
    assert found[0].line == line
    assert words in str(found[0])


@pytest.mark.parametrize("text", [fault[0] for fault in FAULTS])
def test_no_message_speaks_in_the_words_of_the_validation_library(text):
    with pytest.raises(SpecError) as caught:
        parse_trajectory(text)
    words = r"[Ii]nput|tuple|dict|str\b|instance|valid |union|None|True|False"
    assert not re.search(words, str(caught.value)), caught.value


TABLE_FAULTS = [
    ("t, x\n0, 1\n1, 2\n1, 3\n", 4, "got 1.0 after 1.0, expected an increasing first column"),
    ("t, x\n0, 1\n2, 2\n1, 3\n", 4, "got 1.0 after 2.0"),
    ("t, x\n0, 1\n1, nan\n2, 3\n", 3, "expected finite numbers"),
    ("t, x\n0, 1\n1, inf\n", 3, "expected finite numbers"),
    ("t, x\n0, 1\n1\n", 3, "expected at least 2"),
    ("t, x\n0, 1\n1, two\n", 3, "got 'two', expected a number"),
]


@pytest.mark.parametrize(
    ("rows", "line", "words"), TABLE_FAULTS, ids=[fault[2][:30] for fault in TABLE_FAULTS]
)
def test_a_fault_of_a_csv_file_is_reported_with_its_line(tmp_path, rows, line, words):
    (tmp_path / "course.csv").write_text(rows)
    (tmp_path / "task.yaml").write_text("table: course.csv\n")
    with pytest.raises(SpecError) as caught:
        load_trajectory(tmp_path / "task.yaml")
    (problem,) = caught.value.problems
    assert problem.source == str(tmp_path / "course.csv")
    assert problem.line == line
    assert words in problem.message


def test_a_table_file_ends_up_in_the_text(tmp_path):
    """So that a result describes its trajectory by itself."""
    (tmp_path / "course.csv").write_text("t;x\n0;1.5\n1;2.25\n")
    (tmp_path / "task.yaml").write_text("table: course.csv\n")
    trajectory = load_trajectory(tmp_path / "task.yaml")
    assert trajectory.table == ((0.0, 1.5), (1.0, 2.25))
    assert parse_trajectory(trajectory.text) == trajectory
    assert trajectory.source == str(tmp_path / "task.yaml")


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(SpecError, match="no such file"):
        load_trajectory(tmp_path / "none.yaml")

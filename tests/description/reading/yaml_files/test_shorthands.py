"""Anchors, aliases, merge keys and `repeat`: what they stand for, where it was typed, and what is too much of it."""

import resource
import time

import pytest
import yaml
from breadth import thinned
from description.reading.schema_checker import is_valid
from hypothesis import given, settings
from hypothesis import strategies as st

from flexarm import load_arm, parse_arm, parse_trajectory, replace
from flexarm.description import arm_json_schema
from flexarm.description.reading.yaml_files.text_edits import with_values
from flexarm.description.reading.yaml_files.written_out import flow_text, written_out
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.errors import SpecError

PIECES = """\
name: pieces
gravity: [0, 0, 0]
links:
  - &piece {length: 0.125, mu: 10.0, EI: 20.0, modes: {family: clamped-free, count: 2}}  # the first
  - *piece
  # stiffer
  - <<: *piece   # all of it
    EI: 40.0     # but this
  - {<<: *piece, repeat: 3, modes: 1}
joints: [{}, {type: fixed, repeat: 5}]
drive:
  - {torque: &torque "2*sin(t)"}
  - repeat: 5
run: {duration: 1.5, sample: 0.015}
"""
PLAIN = """\
name: pieces
gravity: [0, 0, 0]
links:
  - {length: 0.125, mu: 10.0, EI: 20.0, modes: {family: clamped-free, count: 2}}
  - {length: 0.125, mu: 10.0, EI: 20.0, modes: {family: clamped-free, count: 2}}
  - {length: 0.125, mu: 10.0, EI: 40.0, modes: {family: clamped-free, count: 2}}
  - {length: 0.125, mu: 10.0, EI: 20.0, modes: 1}
  - {length: 0.125, mu: 10.0, EI: 20.0, modes: 1}
  - {length: 0.125, mu: 10.0, EI: 20.0, modes: 1}
joints: [{}, {type: fixed}, {type: fixed}, {type: fixed}, {type: fixed}, {type: fixed}]
drive: [{torque: "2*sin(t)"}, null, null, null, null, null]
run: {duration: 1.5, sample: 0.015}
"""


def faults(text):
    with pytest.raises(SpecError) as caught:
        parse_arm(text, source="arm.yaml")
    return [(problem.line, problem.key, problem.message) for problem in caught.value.problems]


def test_shorthands_describe_the_same_arm_as_what_they_stand_for():
    assert parse_arm(PIECES) == parse_arm(PLAIN)
    assert parse_arm(PIECES).text == PIECES


def test_a_text_is_written_out_with_its_comments():
    text = written_out(PIECES)
    assert read_yaml(text, "text").data == read_yaml(PIECES, "text").data
    assert not set("&*") & set(text.replace("2*sin", ""))
    assert "<<" not in text
    assert "repeat" not in text
    assert "  # the first\n" in text
    assert "  # stiffer\n" in text
    assert text.count("  - {modes: 1, length: 0.125, mu: 10.0, EI: 20.0}\n") == 3
    assert written_out(PLAIN) == PLAIN


FORMS = {
    "a scalar": ("a: &n 3\nb: {c: *n, d: [*n, *n]}", {"a": 3, "b": {"c": 3, "d": [3, 3]}}),
    "a text with quotes": ('a: &n "x: #{"\nb: [*n]', {"a": "x: #{", "b": ["x: #{"]}),
    "a text like a number": ("a: &n '1e3'\nb: *n", {"a": "1e3", "b": "1e3"}),
    "nothing": ("a: &n\nb: *n", {"a": None, "b": None}),
    "nothing in brackets": ("a: [&n , 1, &m ]\nb: *n", {"a": [None, 1, None], "b": None}),
    "a block": (
        "a: &n\n  - 1\n  - x: .inf\nb: *n",
        {"a": [1, {"x": float("inf")}], "b": [1, {"x": float("inf")}]},
    ),
    "an alias in what is named": (
        "a: &n [1]\nb: &m {c: *n}\nd: *m",
        {"a": [1], "b": {"c": [1]}, "d": {"c": [1]}},
    ),
    "keys go before those that are merged": (
        "a: &n {x: 1, y: {z: 1, w: 2}}\nb: {y: 3, <<: *n}\nc: {<<: *n, y: 4}",
        {"a": {"x": 1, "y": {"z": 1, "w": 2}}, "b": {"y": 3, "x": 1}, "c": {"x": 1, "y": 4}},
    ),
    "of several mappings the first": (
        "a: &n {x: 1}\nb: &m {x: 2, y: 3}\nc:\n  <<: [*n, *m]",
        {"a": {"x": 1}, "b": {"x": 2, "y": 3}, "c": {"x": 1, "y": 3}},
    ),
    "a merge of a merge": (
        "a: &n {x: 1}\nb: &m {<<: *n, y: 2}\nc: {<<: *m, z: 3}",
        {"a": {"x": 1}, "b": {"y": 2, "x": 1}, "c": {"z": 3, "y": 2, "x": 1}},
    ),
    "a mapping merged where it stands": ("a: {<<: {x: 1}, y: 2}", {"a": {"y": 2, "x": 1}}),
    "a quoted <<": ('a: {"<<": 1}', {"a": {"<<": 1}}),
    "entries of brackets": ("links: [{repeat: 2, a: 1}, {a: 2}]", {"links": [{"a": 1}, {"a": 1}, {"a": 2}]}),
    "entries of lines": (
        "links:\n- repeat: 2  # two\n  a:\n    b: 1\n- 3",
        {"links": [{"a": {"b": 1}}] * 2 + [3]},
    ),
    "an entry on the next line": ("links:\n  -\n    a: 1\n    repeat: 2", {"links": [{"a": 1}] * 2}),
    "an alias that repeats": ("links: [&p {repeat: 2, a: 1}, *p]", {"links": [{"a": 1}] * 4}),
    "an alias of a list": ("links: &l [{repeat: 2}]\njoints: *l", {"links": [{}, {}], "joints": [{}, {}]}),
    "repeat is a key elsewhere": ("a: [{repeat: 2}]", {"a": [{"repeat": 2}]}),
}


@pytest.mark.parametrize(("text", "data"), FORMS.values(), ids=FORMS)
def test_what_shorthands_stand_for(text, data):
    assert read_yaml(text, "text").data == data
    assert read_yaml(written_out(text), "text").data == data


def test_values_that_share_a_text_do_not_share_an_object():
    data = read_yaml("a: &n {x: [1]}\nb: *n", "text").data
    data["a"]["x"].append(2)
    assert data["b"] == {"x": [1]}


def test_a_fault_is_named_once_where_it_was_typed():
    assert faults(PIECES.replace("mu: 10.0", "mue: 10.0")) == [(4, "links[0].mue", "unknown key")]
    ((line, key, message),) = faults(PIECES.replace("EI: 40.0", "EI: -40"))
    assert (line, key) == (8, "links[2].EI")
    assert "got -40" in message
    ((line, key, _),) = faults(PIECES.replace("repeat: 3, modes: 1", "repeat: 3, modes: -1"))
    assert (line, key) == (9, "links[3].modes")


def test_what_is_missing_in_every_copy_is_missing_where_it_was_typed():
    links = "links:\n  - &piece {length: 1}\n  - *piece\n  - *piece\n"
    assert faults(f"name: a\n{links}") == [(3, "links[0].mu", faults(f"name: a\n{links}")[0][2])]


WRONG = {
    "an unknown alias": ("a: &piece 1\nb: *pice", 2, "alias *pice, but no value before it is marked &pice"),
    "an alias of what holds it": ("a: &n [1, *n]", 1, "no value before it is marked &n"),
    "an anchor twice": ("a: &n 1\nb: &n 2", 2, "anchor &n twice"),
    "a merge of a number": ("a: &n 1\nb: {<<: *n}", 1, "merge key << without a mapping"),
    "a merge of nothing": ("a: {<<: }", 1, "merge key << without a mapping"),
    "a merge twice": ("a: &n {x: 1}\nb: {<<: *n, <<: *n}", 2, "got this key twice"),
    "no repetition": ("links: [{repeat: 0}]", 1, "got '0', expected a whole number from 1 to 1000"),
    "half a repetition": ("links:\n- repeat: 2.5", 2, "got '2.5', expected a whole number"),
    "yes": ("drive: [{repeat: true}]", 1, "expected a whole number"),
    "an expression": ("links: [{repeat: 2*n}]", 1, "got '2*n', expected a whole number"),
    "very many": ("links: [{repeat: 1001}]", 1, "got '1001', expected a whole number from 1 to 1000"),
    "many merges deep": (
        "a0: &a0 {x: 1}\n" + "\n".join(f"a{k}: &a{k} {{<<: *a{k - 1}}}" for k in range(1, 60)),
        None,
        "nested more than 40 deep",
    ),
}


@pytest.mark.parametrize(("text", "line", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_shorthand_is_said_in_one_line(text, line, words):
    with pytest.raises(SpecError) as caught:
        read_yaml(text, "arm.yaml")
    (problem,) = caught.value.problems
    assert words in problem.message
    assert line in (None, problem.line)


BOMBS = {
    "lists": "a0: &a0 [x]\n"
    + "\n".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, 30)),
    "mappings": "a0: &a0 {x: 1}\n"
    + "\n".join(f"a{k}: &a{k} {{{', '.join(f'k{j}: *a{k - 1}' for j in range(9))}}}" for k in range(1, 30)),
    "merges": "a: &a {"
    + ", ".join(f"k{k}: 1" for k in range(10_000))
    + "}\n"
    + "\n".join(f"b{k}: {{<<: *a}}" for k in range(10_000)),
    "aliases": "a: &a [" + "1, " * 10_000 + "]\nb: [" + "*a, " * 100_000 + "]",
    "entries": "links: [" + "{repeat: 1000, a: 1}, " * 100_000 + "]",
    "large entries": "links: [{repeat: 1000, a: [" + "1, " * 10_000 + "]}]",
    "aliases of large values": "a: &a [" + "1, " * 210_000 + "]\nb: *a",
}


@pytest.mark.parametrize("name", thinned(BOMBS, every=4))
def test_a_text_that_stands_for_very_much_is_refused_in_one_line(name):
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(SpecError) as caught:
        parse_arm(BOMBS[name])
    (problem,) = caught.value.problems
    assert "stand for more than 200000 values" in problem.message
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{time.process_time() - start:.1f} s, {grown:.0f} MB more")
    assert grown < 600  # MB


def test_edits_concern_one_path_only():
    text = with_values(PIECES, {("links", 1, "EI"): "5.0", ("links", 4, "mu"): "7"})
    links = read_yaml(text, "text").data["links"]
    assert [link["EI"] for link in links] == [20.0, 5.0, 40.0, 20.0, 20.0, 20.0]
    assert [link["mu"] for link in links] == [10.0, 10.0, 10.0, 10.0, 7, 10.0]
    arm = replace(parse_arm(PIECES), {"links[1].EI": 30.0, "links[*].mu": 4.0})
    assert [link.EI.y.values[0] for link in arm.links] == [20.0, 30.0, 40.0, 20.0, 20.0, 20.0]
    assert parse_arm(arm.text) == arm


def test_numbers_of_segments_are_chosen_for_each_copy():
    text = """\
name: soft
links:
  - &piece {length: 0.5, mu: 4.0, EI: 2.0, modes: 2, segments: auto}
  - {<<: *piece, length: 0.1}
  - *piece
joints: [{}, {type: fixed, repeat: 2}]
initial: {joints: [0]}
"""
    arm = parse_arm(text)
    assert arm.description == text
    numbers = [choice.segments for choice in arm.segment_choices]
    assert numbers[1] < numbers[2] <= numbers[0]
    assert [link.segments for link in parse_arm(arm.text).links] == numbers


def test_a_table_that_is_used_twice_is_kept_in_the_text(tmp_path):
    (tmp_path / "torque.csv").write_text("0, 0\n1, 1\n2, 0\n")
    (tmp_path / "arm.yaml").write_text(
        "name: a\nlinks: [&l {length: 1, mu: 1}, *l]\ndrive: [&d {torque: {table: torque.csv}}, *d]\n"
    )
    arm = load_arm(tmp_path / "arm.yaml")
    assert parse_arm(arm.text) == arm


def test_trajectories_take_aliases_too():
    course = parse_trajectory('duration: 1\npath: {x: &x "0.1*t", y: *x}\nsample: 0.1\n')
    assert course.path is not None
    assert course.path["x"] == course.path["y"]


def test_eight_equal_pieces_with_fixed_joints_between_them():
    pieces = "\n".join(["  - *piece"] * 7)
    text = PIECES[: PIECES.index("  - *piece")] + pieces
    fixed = ", ".join(["{type: fixed}"] * 7)
    assert parse_arm(
        f"{text}\njoints: [{{}}, {fixed}]\ninitial: {{joints: [{', '.join('0' * 8)}]}}\n"
    ) == parse_arm(
        f"{text.replace('&piece {', '{repeat: 8, ').replace(pieces, '')}joints: [{{}}, {{repeat: 7, type: fixed}}]\n"
    )


def test_the_schema_knows_repeat():
    typed, schema = yaml.safe_load(PIECES), arm_json_schema()
    assert is_valid(typed, schema, schema)
    assert "repeat" in typed["joints"][1]
    for name, entry in (("links", {"length": 1, "mu": 1}), ("joints", {}), ("drive", {})):
        for count, valid in ((3, True), (0, False), ("n", False), (1001, False)):
            assert is_valid({**typed, name: [{**entry, "repeat": count}]}, schema, schema) == valid


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff\u2028\u2029\x85")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab:# 1-", min_size=1), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(values)
@settings(max_examples=100, deadline=None)
def test_values_written_on_one_line_are_read_back(value):
    assert read_yaml(f"a: {flow_text(value)}", "text").data == {"a": value}

"""Every fault of an arm description is reported with its line, its key, what was found and what was expected."""

import re

import pytest
import yaml
from description.arm_texts import TWO_LINK, changed
from description.bad_inputs import DRIVE, EI, FAULTS, JOINT, LENGTH, LOADS, MODES, MU, ROD, RUN, START, STEEL
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import PROJECT

from flexarm.description import parse_arm
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.json_schema import SchemaGuide
from flexarm.description.reading.left_out import LEFT_OUT, PAGE
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.errors import SpecError


def problems(text):
    with pytest.raises(SpecError) as caught:
        parse_arm(text, source="arm.yaml")
    return caught.value.problems


def test_the_text_without_faults_is_valid():
    assert parse_arm(TWO_LINK).name == "two-link"


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), FAULTS, ids=lambda value: str(value)[:60])
def test_a_fault_is_reported_with_line_key_and_words(old, new, line, key, words):
    found = [problem for problem in problems(changed((old, new))) if problem.key == key]
    assert len(found) == 1, "one line per key"
    assert found[0].source == "arm.yaml"
    assert found[0].line == line
    assert all(word in str(found[0]) for word in words), str(found[0])


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), FAULTS, ids=lambda value: str(value)[:60])
def test_no_message_speaks_in_the_words_of_the_validation_library(old, new, line, key, words):
    for problem in problems(changed((old, new))):
        said = str(problem).replace(".inputs", "")  # a key of controllers
        assert not re.search(r"[Ii]nput|tuple|dict|str\b|instance|valid |union|None|True|False", said)


def test_all_faults_of_a_file_are_reported_at_once_in_the_order_of_their_lines():
    text = changed((LENGTH, "length: -1"), (MU, "mue: 5"), (JOINT, "  - {twist: x}"), (RUN, "{duration: 1}"))
    found = problems(text)
    assert [problem.key for problem in found] == [
        "links[0].length",
        "links[0].mue",
        "joints[0].twist",
        "run.sample",
    ]
    assert str(SpecError(found)).count("\n") == 3


def test_faults_of_consistency_between_parts_are_reported_at_once():
    text = changed((START, "[1, 2, 3], modes: [1]"), (DRIVE, "[null, {torque: 1}]"))
    assert {problem.key for problem in problems(text)} == {"initial.joints", "initial.modes", "drive[1]"}


def test_an_arm_has_links():
    (problem,) = problems("name: a\nlinks: []\n")
    assert str(problem).startswith("arm.yaml:2: links: got a list of 0, expected at least one link")


def test_a_faulty_link_is_still_a_link():
    (problem,) = problems("name: a\nlinks:\n  - {length: 0, mu: 1}\n")
    assert problem.key == "links[0].length"


def test_modes_in_a_list_are_named_by_their_index():
    text = changed((MODES, f"\n      - {MODES}\n      - {{family: hingd, count: 1}}"))
    (problem,) = problems(text)
    assert (problem.line, problem.key) == (9, "links[0].modes[1].family")


def paths(node, path=()):
    """Paths of all values of a document."""
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


def replaced(node, path, value):
    """A copy of the document with another value at one path."""
    if not path:
        return value
    copy = dict(node) if isinstance(node, dict) else list(node)
    copy[path[0]] = replaced(node[path[0]], path[1:], value)
    return copy


RICH = read_yaml(
    changed(
        (EI, "EI: {y: {eta: [0, 1], values: [2, 1]}, z: 3}\n    damping: [0, 0.1, 0.2]"),
        (MODES, f"[{MODES}, {{family: clamped-loaded, count: 1, tip: {{mass: 1, inertia: 1}}}}]"),
        ("{length: 1.0, mu: 4.0}", f"{{length: 1, {STEEL}, {ROD}}}"),
        (DRIVE, "[{pd: {kp: 1, kd: 1, reference: t}}, null]"),
        (LOADS, "loads: [{at: {link: 1, at: 1}, force: [0, t, 1]}]"),
        (JOINT, "  - {twist: 1 deg, friction: {viscous: 1}, inertia: [1, 1, 1], motor: {gear: 2}}"),
    ),
    "text",
).data

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text("abt01.-+* ", max_size=6), st.just("30 deg")
)
names = st.sampled_from(
    ["table", "eta", "values", "times", "y", "z", "family", "mass", "torque", "shape", "at", "q"]
)
junk = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


def problems_or_none(text):
    try:
        parse_arm(text, source="arm.yaml")
    except SpecError as error:
        return error.problems
    return ()


@pytest.mark.slow
@settings(max_examples=150)
@given(path=st.sampled_from(list(paths(RICH))), value=junk)
def test_whatever_stands_in_the_file_the_answer_is_an_arm_or_readable_problems(path, value):
    text = yaml.safe_dump(replaced(RICH, path, value))
    for problem in problems_or_none(text):
        assert not re.search(r"[Ii]nput should|Value error|[Uu]nable to", problem.message)
        assert problem.line is not None or problem.key in ("name", "links", "")


def test_of_many_problems_the_first_are_shown_and_the_others_counted():
    with pytest.raises(SpecError) as caught:
        parse_arm("name: a\nlinks:\n" + "- {}\n" * 500, source="arm.yaml")
    lines = str(caught.value).splitlines()
    assert len(lines) == 20
    assert len(caught.value.problems) == 500
    assert lines[-1] == "and 481 more problems"


def test_more_links_than_an_arm_can_have_are_counted_not_read():
    (problem,) = problems("name: a\nlinks:\n" + "- {}\n" * 1001)
    assert (problem.line, problem.key) == (2, "links")
    assert problem.message == "got 1001 links, expected at most 1000"


def test_control_characters_of_keys_and_values_do_not_reach_the_terminal():
    with pytest.raises(SpecError) as caught:
        parse_arm(
            'name: a\n"\\e[2J\\a": 1\nbase: "\\e[31m"\nlinks: [{length: 1, mu: 1}]\n', source="a\x1b.yaml"
        )
    text = str(caught.value)
    assert text.replace("\n", "").isprintable()
    assert "a\\x1b.yaml:2: \\x1b[2J\\x07: unknown key" in text


def test_a_normal_of_any_length_is_a_direction():
    wall = "contact: {walls: [{point: [0, -1], normal: [0, 1e200]}]}"
    arm = parse_arm(f"name: a\nbase: planar\nlinks: [{{length: 1, mu: 1}}]\n{wall}\n")
    assert arm.contact.walls[0].normal == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("subject", LEFT_OUT)
def test_what_the_model_leaves_out_stands_on_the_page_and_is_no_key(subject):
    """A key that a description learns must leave the list."""
    place, keys = LEFT_OUT[subject]
    assert subject in " ".join((PROJECT / PAGE).read_text().lower().split())
    guide = SchemaGuide({}, Arm)
    start = (place, 0) if place in ("links", "joints", "drive") else (place,) if place else ()
    known = {key.lower() for key in guide.keys(start)}
    assert known, start
    assert not known & set(keys.lower().split())

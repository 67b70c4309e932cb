"""YAML is read strictly: one document of plain keys and values, numbers as engineers type them."""

import math

import pytest
from description.arm_texts import TWO_LINK

from flexarm.description import load_arm, parse_arm
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.errors import SpecError

NUMBERS = {
    "1e-9": 1e-9,
    "2E+11": 2e11,
    "-.5": -0.5,
    "+3.": 3.0,
    "007": 7,
    "12:30": "12:30",
    "yes": "yes",
    "off": "off",
    "y": "y",
    "1_000": "1_000",
    "0x10": "0x10",
    "2001-01-01": "2001-01-01",
    "'1e-9'": "1e-9",
    "true": True,
    "~": None,
    ".inf": math.inf,
}


@pytest.mark.parametrize(("typed", "value"), NUMBERS.items())
def test_scalars_follow_the_core_schema_of_yaml_1_2(typed, value):
    found = read_yaml(f"a: {typed}", "text").data["a"]
    assert found == value
    assert type(found) is type(value)


def test_every_key_and_entry_knows_its_line():
    document = read_yaml("a:\n  - b: 1\n    c:\n      [2,\n       3]\n# note\nd: {e: 4}\n", "text")
    assert document.lines[("a",)] == 1
    assert document.lines[("a", 0, "c")] == 3
    assert document.lines[("a", 0, "c", 1)] == 5
    assert document.lines[("d", "e")] == 7


FAULTS = [
    ("", None, ["empty"]),
    ("# only a comment\n", None, ["empty"]),
    ("- 1\n- 2\n", 1, ["got a list, expected keys and values"]),
    ("hello", 1, ["got a single value, expected keys and values"]),
    ("name: a\n---\nname: b\n", 2, ["second document"]),
    ("name: a\nrun: {}\nname: b\n", 3, ["name", "twice", "first on line 1"]),
    ("a: !!python/object/apply:os.system [ls]\n", 1, ["tag", "os.system", "not allowed"]),
    ("a: !thing 3\n", 1, ["tag !thing"]),
    ("? [1, 2]\n: 3\n", 1, ["a key that is no word"]),
    ("name: [1, 2\n", None, ["not valid YAML", "bracket"]),
    ("name: 'abc\n", None, ["not valid YAML", "not closed"]),
    ("name: a\n\tb: 3\n", 2, ["not valid YAML", "spaces, not tabs"]),
    ("name: a\nlinks:\n\t- {length: 1, mu: 1}\n", 3, ["not valid YAML", "spaces, not tabs"]),
    ("name: a: b\n", 1, ["not valid YAML", "indentation"]),
    ("name: a\nlinks:\n- length: 1\n mu: 3\n", 4, ["not valid YAML", "same column"]),
    ("name: @x\n", 1, ["not valid YAML", "needs quotes"]),
    ("name: a\x07b\n", 1, ["not valid YAML", "does not allow"]),
    ("a: " + "[" * 60 + "]" * 60, 1, ["nested more than 40 deep"]),
    ("? " * 100_000 + "a", 1, ["nested more than 40 deep"]),
    ("name: \ud800", None, ["not text"]),
]


@pytest.mark.parametrize(("text", "line", "words"), FAULTS, ids=lambda value: repr(value)[:40])
def test_what_is_refused_is_reported_with_its_line(text, line, words):
    with pytest.raises(SpecError) as caught:
        parse_arm(text, source="arm.yaml")
    assert str(caught.value).startswith("arm.yaml")
    assert all(word in str(caught.value) for word in words), str(caught.value)
    if line is not None:
        assert line in [problem.line for problem in caught.value.problems]


def test_refusals_are_collected():
    with pytest.raises(SpecError) as caught:
        parse_arm("a: &x 1\nb: *y\nb: 2\nc: !t 3\n")
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4]


UNREADABLE = {
    "binary": (b"name: \x00\x01", None, "not a text file"),
    "latin-1": ("name: a\n# länge\n".encode("latin-1"), 2, "0xe4 is not UTF-8"),
    "utf-16": ("name: a".encode("utf-16"), None, "not a text file"),
    "huge": (b"# " + b"x" * 17_000_000, None, "more than 16 MB"),
}


@pytest.mark.parametrize(("data", "line", "words"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_no_text_is_refused(tmp_path, data, line, words):
    path = tmp_path / "arm.yaml"
    path.write_bytes(data)
    with pytest.raises(SpecError, match=words) as caught:
        load_arm(path)
    (problem,) = caught.value.problems
    assert (problem.source, problem.line) == (str(path), line)


def test_missing_files_and_folders_are_refused(tmp_path):
    with pytest.raises(SpecError, match="no such file"):
        load_arm(tmp_path / "none.yaml")
    with pytest.raises(SpecError, match="is a folder"):
        load_arm(tmp_path)
    with pytest.raises(SpecError, match="cannot be read"):
        load_arm("a\0b.yaml")


@pytest.mark.parametrize("change", [lambda b: b"\xef\xbb\xbf" + b, lambda b: b.replace(b"\n", b"\r\n")])
def test_byte_order_mark_and_line_ends_of_windows_are_read(tmp_path, change):
    path = tmp_path / "arm.yaml"
    path.write_bytes(change(TWO_LINK.encode()))
    assert load_arm(path) == parse_arm(TWO_LINK)

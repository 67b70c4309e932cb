"""Tables beside the YAML file: their forms, their faults, and how they end up inside the arm's own text."""

import numpy as np
import pytest
from description.arm_texts import TWO_LINK, changed

from flexarm.description import load_arm, parse_arm
from flexarm.errors import SpecError

FORMS = {
    "commas": "0, 5\n0.5, 4\n1, 3\n",
    "semicolons": "0;5\n0.5;4\n1;3\n",
    "blanks": "  0 5\n  0.5   4\n\n  1 3",
    "tabs": "0\t5\n0.5\t4\n1\t3\n",
    "header": "eta [m], mu [kg/m]\n0, 5\n0.5, 4\n1, 3\n",
    "comments": "# tapered\n0, 5\n# middle\n0.5, 4e0\n1.0, 3.\n",
    "windows": "0,5\r\n0.5,4\r\n1,3\r\n",
}


def write(folder, table, text, name="table.csv"):
    (folder / name).write_bytes(table.encode() if isinstance(table, str) else table)
    path = folder / "arm.yaml"
    path.write_text(text, encoding="utf-8")
    return path


MU_TABLE = changed(("mu: 5.0", "mu: {table: table.csv}"))


@pytest.mark.parametrize("table", FORMS.values(), ids=FORMS)
def test_a_profile_is_read_in_every_form(tmp_path, table):
    mu = load_arm(write(tmp_path, table, MU_TABLE)).links[0].mu
    assert mu.eta == (0.0, 0.5, 1.0)
    assert mu.values == (5.0, 4.0, 3.0)
    np.testing.assert_allclose(mu.at(np.array([0.25, 0.9])), [4.5, 3.2])


def test_a_table_may_be_typed_into_the_yaml():
    block = "mu:\n      table: |\n        0, 5\n        1, 3"
    assert parse_arm(changed(("mu: 5.0", block))).links[0].mu.values == (5.0, 3.0)


FAULTS = {
    "word": ("0, 5\n0.5, x\n1, 3\n", 2, "got 'x', expected a number"),
    "empty field": ("0, 5\n0.5,,4\n1, 3\n", 2, "got '', expected a number"),
    "nan": ("0, 5\n0.5, nan\n1, 3\n", 2, "expected finite numbers"),
    "order": ("a b\n0 5\n0.5 4\n0.5 3\n1 3\n", 4, "got 0.5 after 0.5, expected an increasing first column"),
    "columns": ("0, 5\n0.5, 4, 3\n1, 3\n", 2, "got 3 columns, expected 2"),
    "one column": ("0\n1\n", 1, "got 1 column"),
    "second header": ("a, b\nc, d\n0, 1\n1, 2\n", 2, "got text, expected a number"),
    "too close": ("0, 5\n5e-324, 4\n1, 3\n", None, "got 5e-324 after 0.0, too close"),
    "no table": ("root:x:0\ntoken: hidden\n", 2, "got text, expected a number"),
    "underscore": ("0, 1\n1_0, 2\n", 2, "got '1_0', expected a number"),
    "empty": ("", None, "got 0 rows of numbers, expected at least 2"),
    "one row": ("a b\n0 5\n", None, "got 1 rows of numbers"),
    "binary": (b"0, 5\n\x00", None, "not a text file"),
    "no text": (b"0, 5\n1, \xff\n", 2, "0xff is not UTF-8"),
}


@pytest.mark.parametrize(("table", "line", "words"), FAULTS.values(), ids=FAULTS)
def test_a_fault_in_a_table_names_the_table_its_line_and_the_key(tmp_path, table, line, words):
    with pytest.raises(SpecError) as caught:
        load_arm(write(tmp_path, table, MU_TABLE))
    (problem,) = caught.value.problems
    assert (problem.source, problem.line) == (str(tmp_path / "table.csv"), line)
    assert problem.key == "links[0].mu.table"
    assert words in problem.message


def test_a_missing_table_and_other_faults_are_reported_together(tmp_path):
    text = changed(("mu: 5.0", "mu: {table: none.csv}"), ("sample: 0.01", "sample: -1"))
    with pytest.raises(SpecError) as caught:
        load_arm(write(tmp_path, "0 1\n1 2", text))
    messages = str(caught.value)
    assert "none.csv: links[0].mu.table: no such file" in messages
    assert "run.sample: got -1" in messages


ALL_TABLES = changed(
    ("name: two-link", "name: two-link   # Rückseite: EI von Hand"),
    ("mu: 5.0", "mu: {table: 'taper one.csv'}"),
    ("EI: 1000.0", "EI:\n      y:\n        table: taper one.csv   # the same\n      z: 3"),
    ("{family: clamped-free, count: 2}", "{family: table, count: 1, table: shape.csv}"),
    ("[null, null]", "\n  - torque: {table: torque.csv, interpolation: cubic}\n  - null"),
)


@pytest.fixture
def arm_with_tables(tmp_path):
    (tmp_path / "taper one.csv").write_text("länge; µ\n0; 0.1\n1; 0.30000000000000004\n", encoding="utf-8")
    (tmp_path / "shape.csv").write_text("0 0 0\n0.3 0.1 -1\n0.6 0.4 1\n1 1 2\n")
    (tmp_path / "torque.csv").write_text("0, 1\n1e-3, 2.5e-17\n4, 3\n")
    path = tmp_path / "arm.yaml"
    path.write_text(ALL_TABLES, encoding="utf-8")
    return load_arm(path)


def test_tables_reach_their_places(arm_with_tables):
    link, torque = arm_with_tables.links[0], arm_with_tables.drive[0].torque
    assert link.mu.values == link.EI.y.values == (0.1, 0.30000000000000004)
    assert link.modes[0].table.eta == (0.0, 0.3, 0.6, 1.0)
    assert link.modes[0].table.values == ((0.0,), (0.1,), (0.4,), (1.0,))
    assert (torque.times, torque.values) == ((0.0, 1e-3, 4.0), (1.0, 2.5e-17, 3.0))
    assert torque.interpolation == "cubic"


def test_the_arm_s_own_text_needs_no_files(arm_with_tables):
    again = parse_arm(arm_with_tables.text)
    assert again == arm_with_tables
    assert again.text == arm_with_tables.text
    assert "# the same" in again.text
    assert ".csv" not in again.text


def test_without_tables_the_text_is_the_file_s_own(tmp_path):
    assert load_arm(write(tmp_path, "", TWO_LINK)).text == TWO_LINK


def test_tables_in_other_folders_are_found_from_the_yaml_file(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mu.csv").write_text(FORMS["commas"])
    path = write(tmp_path, "", changed(("mu: 5.0", "mu: {table: data/mu.csv}")))
    assert load_arm(path).links[0].mu.values == (5.0, 4.0, 3.0)

"""Values written into the text of a description: what is not named stays as it is."""

import pytest

from flexarm.description.reading.yaml_files.text_edits import with_values
from flexarm.description.reading.yaml_files.yaml_text import read_yaml

TEXT = """\
name: arm  # the name
links:
  - length: 1.0   # m
    modes:
    - {count: 2}   # first
    - count: 1
      direction: z
  # between
  - {length: 2.0, modes: 3}  # second link
initial:
  joints: [1, 2]   # rad

# the end
"""


def test_values_are_replaced_and_comments_stay():
    text = with_values(
        TEXT, {("links", 1, "modes"): "[{count: 4}]", ("initial", "joints"): "[0]", ("name",): "b"}
    )
    assert "- {length: 2.0, modes: [{count: 4}]}  # second link" in text
    assert "joints: [0]   # rad" in text
    assert "name: b  # the name" in text
    assert (
        text.replace("[{count: 4}]", "3").replace("[0] ", "[1, 2] ").replace("name: b ", "name: arm ") == TEXT
    )


def test_keys_are_added_where_they_are_missing():
    text = with_values(
        TEXT,
        {
            ("links", 0, "segments"): "4",
            ("links", 1, "segments"): "8",
            ("initial", "modes"): "[0, 0]",
            ("run",): "{duration: 1.0, sample: 0.1}",
        },
    )
    data = read_yaml(text, "text").data
    assert [link["segments"] for link in data["links"]] == [4, 8]
    assert data["initial"] == {"joints": [1, 2], "modes": [0, 0]}
    assert data["run"] == {"duration": 1.0, "sample": 0.1}
    assert [line for line in TEXT.splitlines() if "#" in line and "second" not in line] == [
        line for line in text.splitlines() if "#" in line and "second" not in line
    ]


@pytest.mark.parametrize("value", ["3", "[{count: 3}, {count: 1, direction: torsion}]"])
def test_a_block_of_several_lines_becomes_one_line(value):
    text = with_values(TEXT, {("links", 0, "modes"): value})
    data, before = read_yaml(text, "text").data, read_yaml(TEXT, "text").data
    assert data["links"][0]["modes"] == read_yaml(f"a: {value}", "text").data["a"]
    data["links"][0]["modes"] = before["links"][0]["modes"]
    assert data == before


@pytest.mark.parametrize("text", ["{name: a, run: {}}", "{name: a, run: {step: 1}}", "name: a\nrun: {}"])
def test_flow_mappings_take_new_keys(text):
    added = read_yaml(with_values(text, {("run", "rtol"): "1e-6", ("run", "atol"): "1e-8"}), "text").data[
        "run"
    ]
    assert (added.pop("rtol"), added.pop("atol")) == (1e-6, 1e-8)
    assert added == read_yaml(text, "text").data["run"]

"""The list of root attributes is complete, and the guide carries it."""

import pytest
from older_files import KINDS, unpacked
from paths import PROJECT

from flexarm import open_result, open_sweep, parse_arm
from flexarm.results.attributes import ATTRIBUTES, LISTS, REQUIRED, root_attributes

GUIDE = PROJECT / "docs" / "guide" / "python.md"


@pytest.mark.parametrize("kind", [*KINDS, "sweep"])
def test_every_attribute_of_a_file_is_listed(tmp_path, kind):
    path = unpacked(tmp_path, kind)
    result = open_sweep(path) if kind == "sweep" else open_result(path)
    assert set(result.attributes) <= set(ATTRIBUTES)
    assert set(REQUIRED) <= set(result.attributes)
    assert {name for name, value in result.attributes.items() if isinstance(value, tuple)} <= set(LISTS)


def test_results_share_their_first_attributes_and_add_their_own():
    arm = parse_arm("name: rod\nlinks: [{length: 1.0, mu: 1.0}]\n")
    found = root_attributes("modes", arm, {"rigid_modes": 1}, message="slow")
    assert set(found) <= set(ATTRIBUTES)
    assert (found["kind"], found["status"], found["message"]) == ("modes", "complete", "slow")
    assert (found["robot"], found["rigid_modes"]) == (arm.text, 1)


def test_an_attribute_that_is_not_listed_is_refused():
    arm = parse_arm("name: rod\nlinks: [{length: 1.0, mu: 1.0}]\n")
    with pytest.raises(KeyError, match="colour"):
        root_attributes("modes", arm, {"colour": "red"})


def test_the_guide_lists_every_attribute():
    rows = [line.split("|") for line in GUIDE.read_text().splitlines() if line.startswith("| `")]
    listed = {cells[1].strip(" `"): cells[2].strip() for cells in rows if len(cells) == 4}
    assert listed == ATTRIBUTES

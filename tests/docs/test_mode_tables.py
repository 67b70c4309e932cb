"""The guide's tables of mode families are what benchmarks/mode_families.py measures."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from guide_pages import check_output
from paths import PROJECT

SCRIPT = PROJECT / "benchmarks" / "mode_families.py"
GUIDE = (PROJECT / "docs" / "guide" / "modes.md").read_text()


@pytest.fixture(scope="module")
def families():
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        spec = importlib.util.spec_from_file_location("mode_families", SCRIPT)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPT.parent))
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    "which", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
def test_a_table_of_the_guide_is_what_is_measured(families, which):
    """Frequencies, static deflection, motion; to one in the last digit."""
    found = families.rows(list(families.TABLES.values())[which])
    tables = GUIDE.split(found[0] + "\n")[1:]
    assert len(tables) == len(families.TABLES)
    printed = tables[which].splitlines()[: len(found) - 1]
    check_output("\n".join(printed), "\n".join(found[1:]))

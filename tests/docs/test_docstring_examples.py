"""Examples in docstrings: every public function has one, and it prints what it says."""

import doctest
import inspect

import pytest
from paths import PROJECT

import flexarm

FUNCTIONS = [name for name in flexarm.__all__ if inspect.isfunction(getattr(flexarm, name))]
QUICK = ("load_arm", "linearize", "motion_equations", "parse_arm", "parse_trajectory", "replace")
NEEDS = {"fatigue": "rainflow", "import_urdf": "yourdfpy"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in FUNCTIONS]
)
def test_example_prints_what_it_says(name, tmp_path, monkeypatch):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    (tmp_path / "robots").symlink_to(PROJECT / "robots")
    monkeypatch.chdir(tmp_path)
    function = getattr(flexarm, name)
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(function), {}, name, None, None)
    assert example.examples
    failures = doctest.DocTestRunner().run(example)
    assert failures.attempted
    assert not failures.failed


def test_every_public_function_has_an_example():
    missing = [
        name
        for name in FUNCTIONS
        if "\nExamples\n--------\n>>> " not in inspect.getdoc(getattr(flexarm, name))
    ]
    assert not missing

"""`flexarm validate`: what it says of cases that hold, of cases that fail, and of names that are none."""

import pytest

from flexarm.validation.case import Case
from flexarm.validation.registry import CASES


@pytest.fixture
def broken(monkeypatch):
    case = Case(
        name="broken",
        quantity="the number two",
        source="Peano",
        reference=(2.0,),
        tolerance=1e-3,
        find=lambda: (2.5,),
    )
    monkeypatch.setitem(CASES, "broken", case)


def test_cases_that_hold(flexarm):
    done = flexarm("validate", "--case", "counts-fl17", "--case", "cantilever-frequencies")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "ok    counts-fl17: products and sums with 3x3 and with 4x4 matrices for n=10, m=2"
    assert "9972, 7062, 16032, 12551 ([FL17] table 2; tolerance exact)" in lines[2]
    assert lines[3].startswith("ok    cantilever-frequencies: frequencies of single_link_cantilever")
    assert "found     5.5959, 35.0690" in lines[4]
    assert lines[-1].startswith("2 cases in ")


def test_a_case_that_fails_gives_exit_code_3(flexarm, broken):
    done = flexarm("validate", "--case", "counts-fl17", "--case", "broken")
    assert done.exit_code == 3
    assert "FAILS broken: the number two" in done.stdout
    assert done.stderr == "flexarm: error: 1 of 2 cases failed: broken\n"


def test_markdown_reports_it_too(flexarm, broken):
    done = flexarm("validate", "--case", "broken", "--markdown", "-q")
    assert done.exit_code == 3
    assert done.stdout.splitlines()[-1] == "| `broken` | the number two | 2 | 2.5 | 0.001 | FAILS | Peano |"


def test_list_computes_nothing(flexarm, monkeypatch):
    monkeypatch.setattr("flexarm.validation.run.run_case", None)
    done = flexarm("validate", "--list")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(CASES)


def test_a_name_given_twice_is_one_case(flexarm):
    done = flexarm("validate", *(2 * ["--case", "counts-fl17"]))
    assert done.stdout.splitlines()[-1].startswith("1 case in ")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("usoro-energi", "did you mean 'usoro-energy'?"), ("gravity", "--list shows all of them")],
)
def test_unknown_case(flexarm, name, hint):
    done = flexarm("validate", "--case", name)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr == f"flexarm: error: no case '{name}'; {hint} (see: flexarm validate --help)\n"


def test_quiet(flexarm):
    done = flexarm("validate", "--case", "counts-fl17", "-q")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")

"""What passes, what fails, and how both are written."""

from __future__ import annotations

import math

import pytest

from flexarm.errors import SolverError
from flexarm.validation.case import Case, residual, short
from flexarm.validation.run import run_case
from flexarm.validation.table import markdown_table


def case(found, reference=(2.0,), tolerance=0.1, **options):
    return Case(
        name="one", quantity="number [m]", source="nobody", reference=reference, tolerance=tolerance,
        find=lambda: found, **options,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "options", "passed"),
    [
        ([2.09], {}, True),
        ([1.89], {}, False),
        ([2.19], {"relative": True}, True),
        ([2.21], {"relative": True}, False),
        ([math.nan], {}, False),
        ([math.inf], {"tolerance": math.inf, "reference": (math.inf,)}, False),
        ([2.0, 2.0], {}, False),
        ([], {}, False),
        ([4922.0], {"reference": (4922.0,), "tolerance": 0.0}, True),
        ([2.0, 3.2], {"reference": (2.0, 3.0)}, False),
    ],
)
def test_verdict(found, options, passed):
    result = run_case(case(found, **options))
    assert result.passed is passed
    assert result.verdict == ("ok" if passed else "FAILS")


def test_a_closed_form_is_evaluated():
    assert run_case(case([2.0], reference=lambda: [math.sqrt(4)])).expected == (2.0,)


def test_a_computation_that_fails_is_a_result(monkeypatch):
    monkeypatch.delenv("FLEXARM_DEBUG", raising=False)

    def fail():
        raise SolverError("the step\nbecame too small")

    broken = Case(name="broken", quantity="q", source="s", reference=(1.0,), tolerance=1.0, find=fail)
    result = run_case(broken)
    assert not result.passed
    assert result.found_text == "SolverError: the step became too small"
    monkeypatch.setenv("FLEXARM_DEBUG", "1")
    with pytest.raises(SolverError):
        run_case(broken)


@pytest.mark.parametrize(
    ("found", "text", "passed"),
    [(0.0, "0", True), (3e-13, "< 1e-9", True), (-4.2e-9, "-4e-9", True), (2e-8, "2e-8", False)],
)
def test_a_residual_shows_no_round_off(found, text, passed):
    result = run_case(
        residual(name="r", quantity="q", source="s", tolerance=1e-8, floor=1e-9, find=lambda: found)
    )
    assert (result.found_text, result.expected_text, result.passed) == (text, "0", passed)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"tolerance": 6e-3}, "0.006"),
        ({"tolerance": 1e-8}, "1e-8"),
        ({"tolerance": 0.0}, "exact"),
        ({"tolerance": 0.01, "relative": True}, "1 %"),
        ({"tolerance": 2e-5, "relative": True}, "2e-5 relative"),
    ],
)
def test_tolerance_in_words(options, text):
    assert case([2.0], **options).tolerance_text == text


def test_numbers_are_written_without_padded_exponents():
    assert [short(1e-8), short(2.5e11, ".1e"), short(0.25)] == ["1e-8", "2.5e11", "0.25"]


def test_markdown_table():
    table = markdown_table([run_case(case([1.98765], form=".2f"))])
    head, rule, row = table.splitlines()
    assert head.count("|") == rule.count("|") == row.count("|") == 8
    assert row == "| `one` | number [m] | 2.00 | 1.99 | 0.1 | ok | nobody |"

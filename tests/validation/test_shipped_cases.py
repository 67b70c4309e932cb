"""The shipped cases themselves: all of them hold, and what the documents say of them is what is found."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from paths import PROJECT

import flexarm
from flexarm.shipped import shipped_arms, shipped_trajectories
from flexarm.validation.registry import CASES
from flexarm.validation.table import markdown_table

TABLE = re.compile(
    r"^<!-- validation: begin .*?-->\n(.*)\n<!-- validation: end -->$", re.MULTILINE | re.DOTALL
)
ANOTHER_MACHINE = 1e-8
"""Relative; far more than what other orders of summation and other sine functions amount to after these runs."""


def test_some_cases_hold():
    results = flexarm.validate(list(CASES)[::6])
    assert len(results) > 5
    assert [result.case.name for result in results if not result.passed] == []


@pytest.mark.slow
def test_every_case_holds_and_the_document_carries_their_table():
    """One test, because the cases take a while. To renew docs/validation.md: flexarm validate --markdown."""
    results = flexarm.validate()
    assert [result.case.name for result in results if not result.passed] == []
    for result in results:
        for factor in (1 - ANOTHER_MACHINE, 1 + ANOTHER_MACHINE):
            elsewhere = result.case.written([factor * number for number in result.found])
            assert elsewhere == result.found_text, f"{result.case.name} shows digits that will flicker"
    carried = TABLE.search((PROJECT / "docs" / "validation.md").read_text())
    assert carried is not None
    assert carried.group(1) == markdown_table(results)


def test_references_do_not_come_from_flexarm(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a reference must be known from elsewhere")

    for name in ("simulate", "inverse", "payload", "check_arm", "motion_equations", "parse_arm", "load_arm"):
        monkeypatch.setattr(flexarm, name, refuse)
    for case in CASES.values():
        assert case.expected(), case.name


@pytest.mark.parametrize("name", CASES)
def test_a_case_says_what_it_is(name):
    case = CASES[name]
    assert re.fullmatch(r"[a-z0-9-]+", name)
    assert case.quantity
    assert case.source
    assert case.tolerance >= 0
    assert case.floor <= case.tolerance, "what is shown as small must be within the tolerance"
    named = set(re.findall(r"`(\w+)`", case.quantity))
    assert named <= {*shipped_arms(), *shipped_trajectories()}
    keys = set(re.findall(r"\[([A-Z]{2}\d{2})\]", case.quantity + case.source))
    assert keys <= set(
        re.findall(r"^@\w+\{(\w+),", (PROJECT / "docs" / "references.bib").read_text(), re.MULTILINE)
    )


def test_names_and_quantities_are_not_repeated():
    assert max(Counter(case.quantity for case in CASES.values()).values()) == 1
    assert all(name == case.name for name, case in CASES.items())

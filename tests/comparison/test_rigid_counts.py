"""Products of rigid arms in the comparison of [BK83] section 6."""

import re

import pytest
from paths import PROJECT

from flexarm.comparison.rigid_counts import (
    COMPARED,
    JOINTS,
    LAGRANGIAN_3X3,
    NEWTON_EULER,
    STATED,
    STATEMENTS,
    WALKER_ORIN,
    most_joints,
    own_products,
)


@pytest.mark.parametrize(
    ("formula", "six", "twelve"),
    # n = 6: as the tables of [Hollerbach1980] and [WalkerOrin1982] have it; n = 12: [BK83] prints 4491
    [(NEWTON_EULER, 852, 1752), (LAGRANGIAN_3X3, 2195, 4667), (WALKER_ORIN, 1627, 4491)],
)
def test_formulas_give_the_totals_of_their_tables(formula, six, twelve):
    assert (formula.products(6), formula.products(12)) == (six, twelve)


def test_what_is_left_of_method_3_is_the_solution_of_a_symmetric_system():
    for n in (1, 2, 6, 12):
        # L D L^T: column k takes n - 1 - k quotients and updates half a square of that side; triangles and D: n^2
        solution = sum((n - 1 - k) + (n - 1 - k) * (n - k) / 2 for k in range(n)) + n**2
        parts = (137 * n - 22) + (12 * n**2 + 56 * n - 27)
        assert WALKER_ORIN.products(n) == pytest.approx(parts + solution)


def test_what_book_prints_follows_to_its_digits():
    assert JOINTS == COMPARED.n + COMPARED.n_f * COMPARED.m == 12
    for statement in STATEMENTS:
        digits = len(f"{statement.printed:g}".partition(".")[2])
        assert round(statement.computed, digits) == statement.printed, statement


def test_with_books_own_formula_the_comparison_is_a_little_better():
    _, _, quotient, joints = STATEMENTS
    assert round(quotient.by_formula, 2) == 2.53
    assert (joints.by_formula, most_joints(STATED)) == (20, 21)
    assert WALKER_ORIN.products(21) < STATED < WALKER_ORIN.products(22)


@pytest.mark.slow
def test_own_products_are_fewer_than_published_ones_and_stand_in_the_documentation():
    own = own_products(12)
    assert all(count < WALKER_ORIN.products(12) for count in own.values())
    text = (PROJECT / "docs" / "papers.md").read_text()
    printed = re.search(r"flexarm takes (\d+) products.* (\d+) of 6", text, re.DOTALL)
    assert printed is not None
    assert [int(one) for one in printed.groups()] == [own["articulated"], own_products(6)["articulated"]]

"""Published operation counts recomputed."""

import pytest

from flexarm.comparison.published_counts import (
    BOOK_PRODUCTS,
    BOOK_SUMS,
    FL_4_PRODUCTS,
    FL_4_SUMS,
    FL_PRODUCTS,
    FL_SUMS,
    GA_PRODUCTS,
    GA_SUMS,
    STEPS,
    TOTALS,
    for_arm,
)  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "case", "printed"),
    [
        (GA_PRODUCTS, (3, 2, 2), 2706),
        (GA_SUMS, (3, 2, 2), 2134),
        (BOOK_PRODUCTS, (3, 2, 2), 4922),
        (BOOK_SUMS, (3, 2, 2), 4851),
        (GA_PRODUCTS, (6, 6, 2), 19557),
        (GA_SUMS, (6, 6, 2), 18332),
        (BOOK_PRODUCTS, (6, 6, 2), 25251),
        (BOOK_SUMS, (6, 6, 2), 24569),
        (FL_PRODUCTS, (10, 10, 2), 9972),
        (FL_SUMS, (10, 10, 2), 7062),
        (FL_4_PRODUCTS, (10, 10, 2), 16032),
        (FL_4_SUMS, (10, 10, 2), 12551),
    ],
)
def test_formulas_give_the_printed_totals(formula, case, printed):
    assert formula.count(*case) == printed


@pytest.mark.parametrize("total", TOTALS, ids=lambda total: f"{total.formula.source}-{total.printed}")
def test_what_is_said_of_a_total_is_true(total):
    assert total.reproduced == (not total.remark)
    if total.meant is not None:
        assert total.formula.count(*total.meant) == total.printed


def test_no_small_case_gives_the_count_in_the_text_of_book():
    (total,) = [total for total in TOTALS if not total.reproduced and total.meant is None]
    cases = [(n, f, m) for n in range(1, 9) for f in range(n + 1) for m in range(7)]
    assert all(total.formula.count(*case) != total.printed for case in cases)
    assert total.printed - total.computed == 648


@pytest.mark.parametrize("case", [(3, 2, 2), (6, 6, 2), (5, 3, 3), (10, 10, 1)])
def test_steps_of_table_1_add_up_to_table_2(case):
    assert sum(step(*case) for step in STEPS.values()) == GA_PRODUCTS.count(*case)


def test_formulas_apply_only_to_equal_numbers_of_modes():
    assert len(list(for_arm((2, 2)))) == 8
    assert len(list(for_arm((2, 0)))) == 4
    with pytest.raises(ValueError, match="1 and 2 modes"):
        list(for_arm((2, 1)))

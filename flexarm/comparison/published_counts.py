"""Published operation counts: formulas, printed totals, and which totals the formulas reproduce.

n is the number of links, n_f that of flexible ones, m the number of modes of each flexible link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple


class ChainSize(NamedTuple):
    """Size of an arm."""

    n: int
    n_f: int
    m: int

    def __str__(self) -> str:
        return f"n={self.n}, n_f={self.n_f}, m={self.m}"


@dataclass(frozen=True)
class PublishedFormula:
    """One formula of a paper.

    Attributes
    ----------
    source, method, quantity : str
        Where it stands, what it counts: "products" or "sums" of which formulation.
    count : callable
        (n, n_f, m) -> operations.
    all_flexible : bool
        Whether the formula is for arms all of whose links are flexible (n_f = n).
    """

    source: str
    method: str
    quantity: str
    count: Callable[[int, int, int], float]
    all_flexible: bool = False


@dataclass(frozen=True)
class PrintedTotal:
    """A total that a paper prints beside its formulas.

    Attributes
    ----------
    formula : PublishedFormula
    printed : int
    case : ChainSize
        As the paper states it.
    meant : ChainSize or None
        With which the formula gives the total, where it does not with the stated one.
    remark : str
    """

    formula: PublishedFormula
    printed: int
    case: ChainSize
    meant: ChainSize | None = None
    remark: str = ""

    @property
    def computed(self) -> float:
        """Number of operations by the formula for the arm as printed."""
        return self.formula.count(*self.case)

    @property
    def reproduced(self) -> bool:
        """True if the printed formula gives the printed total for the printed case."""
        return self.computed == self.printed


def _book_products(n: int, f: int, m: int) -> float:
    return (
        6 * f**2 * m**2 + 17.5 * f * m**2 + 118 * f**2 * m + 74 * n * f * m
        + 137.5 * f * m + 84 * n**2 + 86 * n * f + 279 * n + 126 * f - 57
    )  # fmt: skip


def _book_sums(n: int, f: int, m: int) -> float:
    return (
        6.5 * f**2 * m**2 + 19 * f * m**2 + 115.5 * f**2 * m + 68 * n * f * m
        + 123 * f * m + 85 * n**2 + 80 * n * f + 329 * n + 111 * f - 91
    )  # fmt: skip


def _gibbs_appell_products(n: int, f: int, m: int) -> float:
    return (
        -15 * m - 790.5 * n + 6 * m * f + 475.5 * n**2 + 18 * m**2 + 42 * m**2 * f**2
        + 30 * m * f**2 - 60 * m**2 * f + 300
    )  # fmt: skip


def _gibbs_appell_sums(n: int, f: int, m: int) -> float:
    return (
        6 * m - 553 * n - 49.5 * m * f + 351 * n**2 + 18 * m**2 + 53.5 * m**2 * f**2
        + 52.5 * m * f**2 - 89.5 * m**2 * f + 188
    )  # fmt: skip


def _rotational_products(n: int, _: int, m: int) -> float:
    return (
        -27 + 37.5 * n - 9 * m + 18 * m * n**2 - 6 * m * n
        + 16.5 * m**2 * n**2 - 22.5 * m**2 * n + 3 * m**2 + 4.5 * n**2
    )  # fmt: skip


def _rotational_sums(n: int, _: int, m: int) -> float:
    return (
        -18 + 26 * n - 6 * m + 13 * m * n**2 - 4 * m * n
        + 11 * m**2 * n**2 - 15 * m**2 * n + 3 * m**2 + 5 * n**2
    )  # fmt: skip


def _transformation_products(n: int, _: int, m: int) -> float:
    return (
        -41 + 62.5 * n - 13 * m + 27 * m * n**2 - 10 * m * n
        + 27.5 * m**2 * n**2 - 37.5 * m**2 * n + 6 * m**2 + 7.5 * n**2
    )  # fmt: skip


def _transformation_sums(n: int, _: int, m: int) -> float:
    return (
        -33 + 48 * n - 10 * m + 25 * m * n**2 - 9 * m * n
        + 20 * m**2 * n**2 - 28 * m**2 * n + 6 * m**2 + 4 * n**2
    )  # fmt: skip


BOOK_PRODUCTS = PublishedFormula("[BK83] section 6", "Lagrangian", "products", _book_products)
BOOK_SUMS = PublishedFormula("[BK83] section 6", "Lagrangian", "sums", _book_sums)
GA_PRODUCTS = PublishedFormula("[GA09] table 2", "Gibbs-Appell", "products", _gibbs_appell_products)
GA_SUMS = PublishedFormula("[GA09] table 2", "Gibbs-Appell", "sums", _gibbs_appell_sums)
FL_PRODUCTS = PublishedFormula("[FL17] table 2", "planar 3x3", "products", _rotational_products, True)
FL_SUMS = PublishedFormula("[FL17] table 2", "planar 3x3", "sums", _rotational_sums, True)
FL_4_PRODUCTS = PublishedFormula("[FL17] table 2", "planar 4x4", "products", _transformation_products, True)
FL_4_SUMS = PublishedFormula("[FL17] table 2", "planar 4x4", "sums", _transformation_sums, True)

FORMULAS = (
    BOOK_PRODUCTS, BOOK_SUMS, GA_PRODUCTS, GA_SUMS, FL_PRODUCTS, FL_SUMS, FL_4_PRODUCTS, FL_4_SUMS
)  # fmt: skip
"""All published formulas; [GA09] table 2 repeats those of [BK83]."""

_SMALL, _LARGE, _MEANT = ChainSize(3, 2, 2), ChainSize(6, 6, 3), ChainSize(6, 6, 2)
_MISPRINT = "misprint in the head of [GA09] table 2, the totals are for m=2"
TOTALS = (
    PrintedTotal(BOOK_PRODUCTS, 4922, _SMALL),
    PrintedTotal(BOOK_SUMS, 4851, _SMALL),
    PrintedTotal(GA_PRODUCTS, 2706, _SMALL),
    PrintedTotal(GA_SUMS, 2134, _SMALL),
    PrintedTotal(BOOK_PRODUCTS, 25251, _LARGE, _MEANT, _MISPRINT),
    PrintedTotal(BOOK_SUMS, 24569, _LARGE, _MEANT, _MISPRINT),
    PrintedTotal(GA_PRODUCTS, 19557, _LARGE, _MEANT, _MISPRINT),
    PrintedTotal(GA_SUMS, 18332, _LARGE, _MEANT, _MISPRINT),
    PrintedTotal(
        BOOK_PRODUCTS, 12009, ChainSize(6, 2, 3),
        remark="'approximately', in the text; 6 n n_f m^2 = 648 more than the formula; no n up to 8 and m up to 6 fit",
    ),
    PrintedTotal(FL_PRODUCTS, 9972, ChainSize(10, 10, 2)),
    PrintedTotal(FL_SUMS, 7062, ChainSize(10, 10, 2)),
    PrintedTotal(FL_4_PRODUCTS, 16032, ChainSize(10, 10, 2)),
    PrintedTotal(FL_4_SUMS, 12551, ChainSize(10, 10, 2)),
)  # fmt: skip
"""Every total that the papers print."""

STEPS: dict[int, Callable[[int, int, int], float]] = {
    1: lambda n, f, m: 15 * n - 15,
    2: lambda n, f, m: 60 * n - 60,
    3: lambda n, f, m: 66 * n - 27,
    4: lambda n, f, m: 24 * n - 24,
    5: lambda n, f, m: 21 * f * m,
    6: lambda n, f, m: 15 * m * f - 15 * m,
    7: lambda n, f, m: 13.5 * n**2 - 40.5 * n + 27,
    8: lambda n, f, m: 4.5 * n**2 - 13.5 * n + 9,
    9: lambda n, f, m: 390 - 901.5 * n + 457.5 * n**2,
    # printed with m^2 n^2 at the end; only m^2 n_f^2 adds up to table 2
    10: lambda n, f, m: 30 * m * f**2 - 30 * m * f - 60 * m**2 * f + 18 * m**2 + 42 * m**2 * f**2,
}
"""Products of each step of the Gibbs-Appell algorithm, [GA09] table 1; their sum is the formula of table 2."""


def for_arm(modes: tuple[int, ...]) -> Iterator[tuple[PublishedFormula, float]]:
    """Evaluate the published formulas that apply to an arm with these numbers of modes on its links.

    Raises
    ------
    ValueError
        If the flexible links have different numbers of modes, which no formula knows.
    """
    flexible = sorted({m for m in modes if m})
    if len(flexible) > 1:
        raise ValueError(
            f"flexible links have {' and '.join(map(str, flexible))} modes, the formulas know one number"
        )
    n, n_f, m = len(modes), sum(map(bool, modes)), flexible[0] if flexible else 0
    for formula in FORMULAS:
        if n_f == n or not formula.all_flexible:
            yield formula, formula.count(n, n_f, m)

"""Closed forms: products of sums by flexarm's Algebra against those of SymPy's polynomial rings.

The closed form of an arm in space with two links and two modes each is derived once, while every product of two sums is
recorded. Both then multiply the same sums again, in turn. SymPy's ring has one generator for each symbol and angle; its
elements take Laurent monomials (1/L, exp(-i phi)) because they add exponents as they are. Its coefficients are Python's
complex numbers: quicker than those of its own domain CC, which are timed as well on every tenth product.

Run: python benchmarks/closed_form.py [--quick]
"""

from __future__ import annotations

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table
from measuring.timing import in_turn
from sympy.polys.domains import CC, ZZ_python
from sympy.polys.orderings import lex
from sympy.polys.rings import PolyElement, PolyRing

from flexarm.closed_form.closed_form import closed_form
from flexarm.closed_form.polynomials import Algebra, Sum
from flexarm.comparison.cost_scaling import equal_links

LINKS, BUDGET = 2, 60.0  # s
QUICK_LINKS, QUICK_BUDGET = 1, 0.5
EVERY = 10
AGREEMENT = 1e-12


def record_products(links: int) -> tuple[Algebra, list[tuple[Sum, Sum]]]:
    """Derive the closed form of that many links; return its algebra and all pairs of sums that it multiplies."""
    products: list[tuple[Sum, Sum]] = []
    algebras: list[Algebra] = []
    multiply = Algebra.multiply

    def recording(self: Algebra, a: Sum, b: Sum) -> Sum:
        algebras.append(self)
        products.append((a, b))
        return multiply(self, a, b)

    Algebra.multiply = recording
    try:
        closed_form(equal_links(links, 2))
    finally:
        Algebra.multiply = multiply
    return algebras[-1], products


def in_ring(algebra: Algebra, ring: PolyRing, a: Sum) -> PolyElement:
    """The same sum as an element of SymPy's ring."""
    terms = ring.zero
    for monomial, value in a.items():
        powers = dict(algebra.exponents(monomial))
        exponents = tuple(powers.get(symbol, 0) for symbol in algebra.symbols)
        terms[exponents] = complex(value) if ring.domain.is_ZZ else ring.domain.convert(complex(value))
    return terms


def main() -> None:
    quick = is_quick(__doc__)
    algebra, products = record_products(QUICK_LINKS if quick else LINKS)
    names = [f"x{k}" for k in range(len(algebra.symbols))]
    plain, exact = PolyRing(names, ZZ_python(), lex), PolyRing(names, CC, lex)
    pairs = [tuple(in_ring(algebra, plain, part) for part in pair) for pair in products]
    some = [tuple(in_ring(algebra, exact, part) for part in pair) for pair in products[::EVERY]]
    for pair, (x, y) in zip(products, pairs, strict=True):
        ours, theirs = in_ring(algebra, plain, algebra.multiply(*pair)), x * y
        scale = max(map(abs, theirs.values()), default=0.0)
        assert all(abs(theirs.get(k, 0) - ours.get(k, 0)) <= AGREEMENT * scale for k in {*theirs, *ours})
    seconds = in_turn(
        {
            "flexarm": lambda: [algebra.multiply(a, b) for a, b in products],
            "SymPy, Python's complex": lambda: [x * y for x, y in pairs],
            "flexarm, some": lambda: [algebra.multiply(a, b) for a, b in products[::EVERY]],
            "SymPy, CC": lambda: [x * y for x, y in some],
        },
        QUICK_BUDGET if quick else BUDGET,
    )
    print(f"{heading('flexarm', 'sympy', quick=quick)}; {len(products)} products, medians, processor time")
    rows = [
        (peer, f"{seconds[peer].median / seconds[own].median:.2f}", f"{1e3 * seconds[own].median:.1f}",
         f"{1e3 * seconds[peer].median:.1f}", count)
        for peer, own, count in (
            ("SymPy, Python's complex", "flexarm", len(products)),
            ("SymPy, CC", "flexarm, some", len(some)),
        )
    ]  # fmt: skip
    print_table(("", "times flexarm's", "flexarm ms", "its ms", "products"), rows)


if __name__ == "__main__":
    main()

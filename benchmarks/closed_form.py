"""Closed forms: products of sums by flexarm's Algebra against those of SymPy's polynomial rings.

The closed form of an arm in space with two links and two modes each is derived once, while every product of two sums is
recorded. Both then multiply the same sums again, in turn. SymPy's ring has one generator for each symbol and angle; its
elements take Laurent monomials (1/L, exp(-i phi)) because they add exponents as they are. Its coefficients are Python's
complex numbers: quicker than those of its own domain CC, which are timed as well on every tenth product.

Run: python benchmarks/closed_form.py
"""

from __future__ import annotations

from measuring.machine import heading
from measuring.table import print_table
from measuring.timing import in_turn
from sympy.polys.domains import CC, ZZ_python
from sympy.polys.rings import PolyElement, PolyRing

from flexarm.closed_form.closed_form import closed_form
from flexarm.closed_form.polynomials import Algebra, Sum
from flexarm.comparison.cost_scaling import equal_links

BUDGET = 60.0  # s
EVERY = 10
AGREEMENT = 1e-12


def record_products() -> tuple[Algebra, list[tuple[Sum, Sum]]]:
    """Derive the closed form; return its algebra and all pairs of sums that it multiplies."""
    products: list[tuple[Sum, Sum]] = []
    algebras: list[Algebra] = []
    multiply = Algebra.multiply

    def recording(self: Algebra, a: Sum, b: Sum) -> Sum:
        algebras.append(self)
        products.append((a, b))
        return multiply(self, a, b)

    Algebra.multiply = recording
    try:
        closed_form(equal_links(2, 2))
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
    algebra, products = record_products()
    names = [f"x{k}" for k in range(len(algebra.symbols))]
    plain, exact = PolyRing(names, ZZ_python(), "lex"), PolyRing(names, CC, "lex")
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
            f"SymPy, CC, every {EVERY}th product": lambda: [x * y for x, y in some],
            f"flexarm, every {EVERY}th product": lambda: [
                algebra.multiply(a, b) for a, b in products[::EVERY]
            ],
        },
        BUDGET,
    )
    print(f"{heading('flexarm', 'sympy')}; {len(products)} products, medians, processor time")
    base = [seconds["flexarm"].median, seconds[f"flexarm, every {EVERY}th product"].median]
    rows = [
        (name, f"{1e3 * s.median:.1f}", f"{s.median / base['every' in name]:.2f}")
        for name, s in seconds.items()
    ]
    print_table(("", "ms", "of flexarm's"), rows)


if __name__ == "__main__":
    main()

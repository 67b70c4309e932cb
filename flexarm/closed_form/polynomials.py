"""Sums of products of symbols, multiplied out: the arithmetic in which closed-form equations are derived.

A sum is a dict from monomials to complex coefficients. A monomial is one integer whose digits are exponents, so that
the product of two monomials is the sum of two integers. Exponents may be negative (1/L). Sines and cosines are
exponentials z = exp(i phi), so that products of them become sines and cosines of sums of angles by themselves and
sin^2 + cos^2 = 1 needs no rule.

SymPy's polynomial rings (sympy.polys.rings) take 3.5 times as long for the same products, 11 times with coefficients
of their own domain CC (benchmarks/closed_form.py: two links in space with two modes each). They would still need
rules for Laurent monomials, truncation while multiplying, unit length and the limit.
"""

from __future__ import annotations

import cmath
from collections.abc import Iterator
from dataclasses import dataclass

from flexarm.errors import ModelError

DIGIT = 10  # bits of one exponent, -512 to 511
BASE = 1 << DIGIT
ROUND_OFF = 1e-13
"""A sum of two coefficients that is smaller than this, relative to them, is what cancellation left of zero."""

Sum = dict[int, complex]
"""Monomial -> coefficient."""


@dataclass(frozen=True)
class Symbol:
    """A generator of the algebra.

    Attributes
    ----------
    kind : {"symbol", "angle", "tanh"}
        A symbol by itself; exp(i phi) with the angle phi; or the hyperbolic tangent of something.
    name : str
        Name of a symbol.
    of : tuple of (monomial, coefficient)
        The angle, or the argument of the tangent.
    """

    kind: str
    name: str = ""
    of: tuple[tuple[int, float], ...] = ()


class Algebra:
    """Symbols and the rules by which sums of their products are multiplied.

    Parameters
    ----------
    order : int or None
        Highest power of the small symbols together that stays; None: no truncation.
    limit : int or None
        Number of terms of one sum beyond which it is given up.
    """

    def __init__(self, order: int | None = None, limit: int | None = None):
        self.order, self.limit = order, limit
        self.symbols: list[Symbol] = []
        self._index: dict[Symbol, int] = {}
        self._unit: tuple[int, ...] = ()

    def symbol(self, symbol: Symbol, small: bool = False) -> int:
        """Return the monomial of a symbol; digit 0 of a monomial counts the small symbols in it."""
        if symbol not in self._index:
            self._index[symbol] = len(self.symbols) + 1
            self.symbols.append(symbol)
        return (1 << (DIGIT * self._index[symbol])) + small

    def set_unit_length(self, monomials: tuple[int, ...]) -> None:
        """Let the squares of these symbols add up to one: the square of the first one is always written out.

        So sums that are equal because of that have the same terms.
        """
        self._unit = monomials

    def exponents(self, monomial: int) -> Iterator[tuple[Symbol, int]]:
        """Symbols of a monomial with their powers."""
        position, remainder = 0, monomial
        while remainder:
            power = (remainder + BASE // 2) % BASE - BASE // 2
            if power and position:
                yield self.symbols[position - 1], power
            remainder = (remainder - power) >> DIGIT
            position += 1

    def add(self, a: Sum, b: Sum, sign: float = 1.0) -> Sum:
        """Return a + sign b."""
        total = dict(a)
        for monomial, value in b.items():
            _accumulate(total, monomial, sign * value)
        return self._within_limit(total)

    def multiply(self, a: Sum, b: Sum) -> Sum:
        """Return a b without the terms of too high an order."""
        total: Sum = {}
        for x, u in a.items():
            for y, v in b.items():
                monomial = x + y
                if self.order is None or monomial % BASE <= self.order:
                    self._collect(total, monomial, u * v)
            self._within_limit(total)
        return total

    def inverse(self, a: Sum) -> Sum:
        """Return 1/a of a single product.

        Raises
        ------
        ModelError
            If a is a sum: then 1/a is no sum of products.
        """
        if len(a) != 1 or next(iter(a)) % BASE:
            raise ModelError(f"a division by a sum of {len(a)} terms has no closed form as a sum of products")
        ((monomial, value),) = a.items()
        return {-monomial: 1 / value}

    def cosine_and_sine(self, angle: Sum) -> tuple[Sum, Sum]:
        """Return the cosine and the sine of a sum of angles."""
        forward, backward = self._exponential(angle, 1), self._exponential(angle, -1)
        cosine, sine = self.add(forward, backward), self.add(forward, backward, -1.0)
        return _scaled(cosine, 0.5), _scaled(sine, -0.5j)

    def tanh(self, argument: Sum) -> Sum:
        """Return the hyperbolic tangent as a symbol of its own."""
        return {self.symbol(Symbol("tanh", of=_real(argument))): 1.0}

    def _exponential(self, angle: Sum, sign: int) -> Sum:
        """Return exp(i sign angle); small parts of the angle are expanded up to the order."""
        result: Sum = {0: 1.0}
        for monomial, value in _real(angle):
            if monomial == 0:
                result = _scaled(result, cmath.exp(1j * sign * value))
            elif monomial % BASE and self.order is not None:
                part: Sum = {0: 1.0}
                power: Sum = {0: 1.0}
                for k in range(1, self.order + 1):
                    power = _scaled(self.multiply(power, {monomial: value}), 1j * sign / k)
                    part = self.add(part, power)
                result = self.multiply(result, part)
            else:
                direction = sign if value > 0 else -sign
                # whole multiples of one angle share their symbol; any other factor belongs to the angle
                whole = value == round(value)
                of = ((monomial, 1.0 if whole else abs(value)),)
                z = self.symbol(Symbol("angle", of=of))
                times = direction * (abs(round(value)) if whole else 1)
                result = {key + times * z: factor for key, factor in result.items()}
        return result

    def _collect(self, total: Sum, monomial: int, value: complex) -> None:
        """Add a product of two monomials in which the first symbol of unit length is at most of first power."""
        if self._unit and _power(monomial, self._unit[0]) == 2:
            remainder = monomial - 2 * self._unit[0]
            _accumulate(total, remainder, value)
            for other in self._unit[1:]:
                _accumulate(total, remainder + 2 * other, -value)
        else:
            _accumulate(total, monomial, value)

    def _within_limit(self, a: Sum) -> Sum:
        if self.limit is not None and len(a) > self.limit:
            raise TooLong(len(a))
        return a


class TooLong(Exception):
    """A sum has grown beyond the limit; its number of terms is the argument."""


def _power(monomial: int, symbol: int) -> int:
    """Power of a symbol in a monomial."""
    below = symbol >> 1  # half of the digit's unit: rounds away what the lower digits borrow
    return ((monomial + below) // symbol + BASE // 2) % BASE - BASE // 2


def _accumulate(total: Sum, monomial: int, value: complex) -> None:
    before = total.get(monomial)
    if before is None:
        if value:
            total[monomial] = value
        return
    after = before + value
    if abs(after) <= ROUND_OFF * (abs(before) + abs(value)):
        del total[monomial]
    else:
        total[monomial] = after


def _scaled(a: Sum, factor: complex) -> Sum:
    return {monomial: factor * value for monomial, value in a.items()}


def _real(a: Sum) -> tuple[tuple[int, float], ...]:
    return tuple(sorted((monomial, complex(value).real) for monomial, value in a.items()))


def real_terms(algebra: Algebra, a: Sum) -> Iterator[tuple[float, dict[Symbol, int], str, dict[Symbol, int]]]:
    """Write a real sum with sines and cosines.

    Yields
    ------
    coefficient : float
    factors : dict of Symbol to int
        Symbols and their powers.
    function : {"", "cos", "sin"}
        What stands behind the factors.
    angles : dict of Symbol to int
        Multiples of the angles whose sum is the function's argument.
    """
    for monomial, value in a.items():
        powers = dict(algebra.exponents(monomial))
        angles = {symbol: n for symbol, n in powers.items() if symbol.kind == "angle"}
        factors = {symbol: n for symbol, n in powers.items() if symbol.kind != "angle"}
        if not angles:
            yield complex(value).real, factors, "", {}
        elif next(iter(angles.values())) > 0:  # its conjugate, the mirror image, makes it real
            if abs(complex(value).real) > ROUND_OFF * abs(value):
                yield 2 * complex(value).real, factors, "cos", angles
            if abs(complex(value).imag) > ROUND_OFF * abs(value):
                yield -2 * complex(value).imag, factors, "sin", angles

"""Abbreviations of printed equations: constants of the arm, sines and cosines of its angles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from flexarm.closed_form.closed_form import Term
from flexarm.closed_form.formats.sympy_expressions import whole_number

SAME = 1e-12
"""Relative difference up to which two constants are one."""
MOST_MULTIPLE = 12
"""Largest whole multiple, or part, of a constant that is written as one."""

Parts = tuple[tuple[tuple[tuple[str, int], ...], float], ...]
"""A constant: products of parameters and their coefficients, sorted."""


@dataclass(frozen=True)
class ShortTerm:
    """Product of a short sum.

    Attributes
    ----------
    multiple : float
        Number in front.
    constant : str
        Name of a constant of the arm; "" for none.
    term : Term
        What is left: coordinates, rates and a function, with coefficient 1.
    """

    multiple: float
    constant: str
    term: Term


@dataclass
class Abbreviations:
    """Names for what stands in many products; they grow as sums are shortened.

    Attributes
    ----------
    parameters : frozenset of str
        Names that a constant is made of.
    constants : dict
        Name, a_1, a_2, .. -> its terms: sums of numbers, the integrals of the mode shapes, times parameters.
    angles : dict
        Name of an angle, 12 for q_1 + q_2 or alpha_1 for others -> its terms.
    """

    parameters: frozenset[str]
    constants: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    angles: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    _known: dict[tuple, list[tuple[str, Parts]]] = field(default_factory=dict)

    def shortened(self, terms: Iterable[Term]) -> list[ShortTerm]:
        """Sum with one product for each combination of coordinates, rates and functions."""
        sums: dict[Term, dict[tuple[tuple[str, int], ...], float]] = {}
        for term in terms:
            own = tuple(factor for factor in term.factors if factor[0] in self.parameters)
            rest = tuple(factor for factor in term.factors if factor[0] not in self.parameters)
            sums.setdefault(Term(1.0, rest, term.tanh, term.function, term.angle), {})[own] = term.coefficient
        short = []
        for rest, parts in sums.items():
            multiple, name = self._constant(tuple(sorted(parts.items())))
            short.append(ShortTerm(multiple, name, rest))
        return short

    def angle(self, terms: tuple[Term, ...]) -> tuple[str, tuple[Term, ...]]:
        """Name of an angle, and its terms: joint numbers where it is a sum of joint angles, each once."""
        joints = [_joint(term) for term in terms]
        if all(joints):
            name = "".join(sorted(joint for joint in joints if joint))
        else:
            found = (known for known, of in self.angles.items() if of == terms)
            number = 1 + sum(known.startswith("alpha") for known in self.angles)
            name = next(found, f"alpha_{number}")
        return name, self.angles.setdefault(name, terms)

    def _constant(self, parts: Parts) -> tuple[float, str]:
        """Multiple and name of a constant; a number or one parameter needs no name."""
        factors = tuple(own for own, _ in parts)
        if len(parts) == 1 and whole_number(parts[0][1]) is not None and factors[0][1:] == ():
            if not factors[0]:
                return parts[0][1], ""
            ((name, power),) = factors[0]
            if power == 1:
                return parts[0][1], name
        alike = self._known.setdefault(factors, [])
        for name, known in alike:
            ratio = parts[0][1] / known[0][1]
            if all(abs(a - ratio * b) <= SAME * abs(a) for (_, a), (_, b) in zip(parts, known, strict=True)):
                whole = (whole_number(ratio), whole_number(1 / ratio))
                if any(number is not None and abs(number) <= MOST_MULTIPLE for number in whole):
                    return ratio, name
        sign = 1.0 if parts[0][1] > 0 else -1.0
        name = f"a_{len(self.constants) + 1}"
        alike.append((name, tuple((own, sign * value) for own, value in parts)))
        self.constants[name] = tuple(Term(sign * value, own) for own, value in parts)
        return sign, name


def _joint(term: Term) -> str | None:
    """Number of the joint whose angle a term is, with coefficient 1, below ten."""
    if term.coefficient == 1 and len(term.factors) == 1:
        name, power = term.factors[0]
        if power == 1 and len(name) == 3 and name.startswith("q_"):
            return name[2:]
    return None

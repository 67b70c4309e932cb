"""Validation case: a quantity, its reference and source, and how flexarm finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

Numbers = Iterable[float] | np.ndarray


@dataclass(frozen=True, kw_only=True)
class Case:
    """One validation case.

    Attributes
    ----------
    name : str
        Short, of small letters, digits and dashes.
    quantity : str
        What is computed, of which arm, with its unit in brackets.
    source : str
        Source of the reference: a paper with equation, table or section, or a closed form.
    reference : tuple of float, or callable
        The numbers it must be, in the unit of the quantity; a callable evaluates a closed form.
    tolerance : float
        Largest difference of any of the numbers.
    relative : bool
        Whether the tolerance is relative to the number of the reference.
    find : callable
        Computes the same numbers with flexarm.
    form : str
        Format of one number. It must drop the digits that round-off changes from one machine to the next.
    floor : float
        Numbers nearer to zero are shown as smaller than this: what remains of an exact zero is round-off.
    """

    name: str
    quantity: str
    source: str
    reference: tuple[float, ...] | Callable[[], Numbers]
    tolerance: float
    find: Callable[[], Numbers]
    relative: bool = False
    form: str = ".4g"
    floor: float = 0.0

    def expected(self) -> tuple[float, ...]:
        """Evaluate the reference."""
        numbers = self.reference() if callable(self.reference) else self.reference
        return tuple(float(number) for number in numbers)

    def allowed(self, number: float) -> float:
        """Allowed distance of the found number from one of the reference."""
        return self.tolerance * abs(number) if self.relative else self.tolerance

    def written(self, numbers: Numbers) -> str:
        """Write numbers as they are shown."""
        return ", ".join(self._written(number) for number in numbers)

    def _written(self, number: float) -> str:
        if number == 0:
            return "0"
        return f"< {short(self.floor)}" if abs(number) < self.floor else short(number, self.form)

    @property
    def tolerance_text(self) -> str:
        """The tolerance as it is shown."""
        if self.relative:
            return (
                f"{short(100 * self.tolerance)} %"
                if self.tolerance >= 1e-4
                else f"{short(self.tolerance)} relative"
            )
        return short(self.tolerance) if self.tolerance else "exact"


@dataclass(frozen=True)
class CaseResult:
    """Result of a case.

    Attributes
    ----------
    case : Case
    expected, found : tuple of float
        Reference, and what flexarm computed; empty if the computation failed.
    failure : str
        Why the computation failed; empty if it did not.
    """

    case: Case
    expected: tuple[float, ...]
    found: tuple[float, ...]
    failure: str = ""

    @property
    def passed(self) -> bool:
        """True if every number is within its tolerance; never true of a number that is not finite."""
        if self.failure or len(self.found) != len(self.expected):
            return False
        pairs = zip(self.found, self.expected, strict=True)
        return all(abs(found - number) <= self.case.allowed(number) for found, number in pairs)

    @property
    def verdict(self) -> str:
        """The same in a word."""
        return "ok" if self.passed else "FAILS"

    @property
    def found_text(self) -> str:
        """Found numbers, as they are shown."""
        return self.failure or self.case.written(self.found)

    @property
    def expected_text(self) -> str:
        """Reference numbers, as they are shown."""
        return self.case.written(self.expected)


def residual(
    *, name: str, quantity: str, source: str, tolerance: float, floor: float, find: Callable[[], float]
) -> Case:
    """Make a case of one number that must be zero.

    Parameters
    ----------
    floor : float
        Above round-off and below the tolerance: smaller values are shown as smaller than this.
    """
    return Case(
        name=name, quantity=quantity, source=source, reference=(0.0,), tolerance=tolerance, floor=floor,
        form=".0e", find=lambda: (find(),),
    )  # fmt: skip


def short(number: float, form: str = "g") -> str:
    """Write a number without the zeros that Python pads exponents with: 1e-8, not 1e-08."""
    mantissa, has_exponent, exponent = f"{number:{form}}".partition("e")
    return f"{mantissa}e{int(exponent)}" if has_exponent else mantissa

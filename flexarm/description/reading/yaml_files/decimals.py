"""Decimals of computed numbers: those that were typed, where round-off is all that the computation has changed."""

from __future__ import annotations

import math

TYPED = 12
"""Digits up to which a decimal was typed: 8 units of round-off hold one of so few by chance once in 300 numbers."""
ROUND_OFF = 8 * 2.0**-52
"""What a few products and sums leave, of the size of their parts."""


def decimal_text(value: float, size: float | None = None, round_off: float = ROUND_OFF) -> str:
    """Shortest decimal that is a number but for round-off; if none is short, all digits that read back as it.

    Parameters
    ----------
    value : float
    size : float, optional
        Size of the numbers from which it was computed, such as the largest component of a vector that was turned; its
        own by default.
    round_off : float
        Of the computation, of that size.
    """
    value = float(value)
    bound = round_off * max(abs(value), size or 0.0)
    if abs(value) <= bound:
        return "0"
    # a component that is ten times smaller than the largest has a digit less above the round-off
    fewer = math.ceil(math.log10(bound / (round_off * abs(value))))
    for digits in range(1, TYPED - fewer + 1):
        short = float(f"{value:.{digits}g}")
        if abs(short - value) <= bound:
            return f"{short:.{max(digits, 6)}g}"
    return repr(value)

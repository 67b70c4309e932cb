"""Arguments of the public functions, checked with the words of the command line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real

from flexarm.errors import ModelError
from flexarm.hints import did_you_mean


def check_number(
    name: str, value: object, *, least: float | None = None, above: float | None = None, whole: bool = False
) -> None:
    """Make sure that an argument is a finite number of its range.

    Parameters
    ----------
    name : str
    value : object
    least, above : float, optional
        The smallest number that is allowed, or the largest that is not.
    whole : bool
        Whether it has to be a whole number.

    Raises
    ------
    ModelError
        It is not.
    """
    expected = "a whole number" if whole else "a finite number"
    if least is not None:
        expected += f" from {least:g}"
    if above is not None:
        expected += f" above {above:g}"
    right = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if right and isinstance(value, Real):
        number = float(value)
        right = (
            math.isfinite(number) and (least is None or number >= least) and (above is None or number > above)
        )
    if not right:
        raise ModelError(f"{name}: got {value!r}, expected {expected}")


def check_name(name: str, value: object, known: Iterable[str]) -> None:
    """Make sure that an argument is one of the known names.

    Raises
    ------
    ModelError
        It is not; the nearest one is named.
    """
    known = tuple(known)
    if value not in known:
        expected = f"expected one of {', '.join(known)}"
        hint = did_you_mean(value, known, expected) if isinstance(value, str) else expected
        raise ModelError(f"{name}: got {value!r}; {hint}")

"""Breadth: of many cases of one kind the quick suite runs some, and `make test-all` all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(cases: Iterable[Any], every: int = 3, keep: tuple = ()) -> list[Any]:
    """Cases for `parametrize`, of which each ``every``-th one and those of ``keep`` stay quick, the others are slow.

    A case is a value, or a tuple of the values of several arguments. Of pairs made by nested loops, take ``every``
    without a common divisor with the inner loop's length: then every value of either loop stays in some quick case.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if k % every == 0 or case in keep else pytest.mark.slow,
        )
        for k, case in enumerate(cases)
    ]

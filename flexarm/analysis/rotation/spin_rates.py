"""Rates of a steady rotation, as a user writes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic_core import PydanticCustomError

from flexarm.description.sweep.varied_values import Range, in_radians, varied
from flexarm.errors import ModelError

Spin = float | str | Sequence[float]
"""Rates of a joint that turns steadily: numbers [rad/s], or a text such as "6 rad/s" or "0:40:21 rad/s"."""

UNITS = ("rad/s", "deg/s")
FORMS = "a rate such as '6 rad/s', a list '0,20,40 rad/s' or START:STOP:COUNT such as '0:40:21 rad/s'"
MOST_RATES = 10_000
LARGEST_RATE = 1e9
"""Rates [rad/s] beyond are slips of the pen."""


def spin_rates(spin: Spin) -> np.ndarray:
    """Rates [rad/s] of a steady rotation, ascending, (k,).

    Raises
    ------
    ModelError
        They cannot be read, or there are too many.
    """
    text = (
        spin.strip() if isinstance(spin, str) else ",".join(f"{rate!r}" for rate in np.ravel(spin).tolist())
    )
    unit = next((unit for unit in UNITS if text.endswith(unit)), "")
    # one unit at the end stands for all numbers
    plain = text.removesuffix(unit).rstrip() if text.count("/s") == 1 else text
    fault = ModelError(f"got {text[:100]!r} as rates of a steady rotation", hint=f"`spin` takes {FORMS}")
    try:
        found = varied(plain)
    except PydanticCustomError:
        raise fault from None
    if isinstance(found, Range) or found.texts or found.unit not in ("", *UNITS):
        raise fault
    if len(found.values) > MOST_RATES:
        raise ModelError(f"got {len(found.values)} rates of a steady rotation, expected at most {MOST_RATES}")
    unit = found.unit or unit
    rates = np.array([in_radians(value, unit) for value in found.values])
    if not (np.abs(rates) <= LARGEST_RATE).all():
        raise ModelError(
            f"got {text[:100]!r} as rates of a steady rotation, expected up to {LARGEST_RATE:g} rad/s"
        )
    return np.sort(rates)


def single_rate(spin: Spin) -> float:
    """Rate [rad/s] of a steady rotation about which there is one linear model.

    Raises
    ------
    ModelError
        It cannot be read, or there are several.
    """
    rates = spin_rates(spin)
    if len(rates) > 1:
        raise ModelError(
            f"got {len(rates)} rates of a steady rotation, expected one: each has a linear model of its own"
        )
    return float(rates[0])

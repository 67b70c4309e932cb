"""Settling time: when a quantity enters a band for good."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.description.sweep.varied_values import quantity_limit
from flexarm.sweeps.measures.recorded_quantities import Quantity, quantity
from flexarm.sweeps.parameters.keys import KeyFault

SETTLING_TIME = "settling_time"
_PERCENT = re.compile(r"(\d+\.?\d*|\.\d+)%")
_FORM = "settling_time:QUANTITY:LOW:HIGH, or settling_time:QUANTITY:5%, of the way from its start to its end"

Array = NDArray[np.float64]
SettlingTime = Callable[..., float]


def settling_time(name: str, arm: Arm) -> tuple[Quantity, SettlingTime]:
    """Read ``settling_time:joint_angle[0]:29 deg:31 deg`` or ``settling_time:tip[0]:5%``.

    Returns
    -------
    Quantity
        One number per sample.
    callable
        From times, its values and the run to the settling time, see :func:`entry_time`.

    Raises
    ------
    KeyFault
        The quantity is unknown or more than one number, or the band is none.
    """
    _, *parts = name.split(":")
    if len(parts) not in (2, 3):
        raise KeyFault(f"got {name!r}, expected {_FORM}")
    measured = quantity(parts[0].strip(), arm)
    if measured.shape:
        first = ",".join("0" * len(measured.shape))
        hint = f"name one of them, e.g. {parts[0]}[{first}]" if "[" not in parts[0] else "give all indices"
        raise KeyFault(f"{name!r}: {parts[0]} is {measured.shape} numbers, expected one", hint)
    if len(parts) == 2:
        match = _PERCENT.fullmatch(parts[1].strip())
        if match is None:
            raise KeyFault(f"got {name!r}, expected {_FORM}")
        return measured, partial(_near_the_end, float(match[1]) / 100)
    try:
        low, high = (quantity_limit(part) for part in parts[1:])
    except ValueError:
        raise KeyFault(f"got {name!r}, expected {_FORM}") from None
    if not low < high:
        raise KeyFault(f"got {name!r}, expected LOW below HIGH")
    return measured, partial(_between, low, high)


def entry_time(times: Array, within: NDArray[np.bool_]) -> float:
    """Return the first of the times (k,) [s] from which on all are within the band (k,); NaN if the last one is not."""
    outside = np.flatnonzero(~within)
    if outside.size == 0:
        return float(times[0])
    return float(times[outside[-1] + 1]) if outside[-1] + 1 < times.size else np.nan


def _between(low: float, high: float, times: Array, values: Array, run: object) -> float:
    return entry_time(times, (values >= low) & (values <= high))


def _near_the_end(part: float, times: Array, values: Array, run: object) -> float:
    """Into a band around the value at the end, that reaches as far to both sides as a part of the change until then.

    The last sample is always in it; if it is the only one, nothing has settled.
    """
    band = part * abs(values[-1] - values[0])
    time = entry_time(times, np.abs(values - values[-1]) <= band)
    return time if time < times[-1] else np.nan

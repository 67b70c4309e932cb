"""Measures of how a quantity comes to rest: settling time, overshoot, ring time, residual vibration."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexarm.analysis.joint_tracking import reference_of
from flexarm.analysis.settling import rest_value, settling_time
from flexarm.description.arm.arm import Arm
from flexarm.description.sweep.varied_values import quantity_limit
from flexarm.simulation.forces.break_points import last_change
from flexarm.simulation.forces.time_functions import signal_values
from flexarm.simulation.forward.run import ForwardRun
from flexarm.sweeps.measures.recorded_quantities import Quantity, quantity
from flexarm.sweeps.parameters.keys import KeyFault

Array = NDArray[np.float64]
Reduce = Callable[[Array, Array, ForwardRun], float]

DECAY = 0.05
"""Part of its largest distance from rest to which a vibration has decayed after its ring time; half the band, as a part
of its way, in which a quantity has settled whose overshoot is asked for."""
FORMS = {
    "settling_time": "settling_time:QUANTITY:5% or settling_time:QUANTITY:LOW:HIGH",
    "overshoot": "overshoot:QUANTITY",
    "ring_time": "ring_time:QUANTITY or ring_time:QUANTITY:FROM, in s",
    "residual_vibration": "residual_vibration:QUANTITY or residual_vibration:QUANTITY:FROM, in s",
}
"""Measure -> how it is asked for."""
_PERCENT = re.compile(r"(\d+\.?\d*|\.\d+) ?%")
_SECONDS = re.compile(r"(\d+\.?\d*|\.\d+)(?: ?s)?")


@dataclass(frozen=True)
class VibrationMeasure:
    """How a measure of a quantity is taken.

    Attributes
    ----------
    quantity : Quantity
        One number per sample.
    units, meaning : str
    reduce : callable
        From times (k,), values (k,) and the run to the number; NaN where the quantity has not settled.
    """

    quantity: Quantity
    units: str
    meaning: str
    reduce: Reduce


def vibration_measure(name: str, arm: Arm) -> VibrationMeasure:
    """Read the name of a measure, such as ``settling_time:joint_angle[0]:5%`` or ``ring_time:tip[1]:4``.

    Raises
    ------
    KeyFault
        The quantity is unknown or more than one number, or the rest of the name is wrong.
    """
    kind, *parts = (part.strip() for part in name.split(":"))
    fault = KeyFault(f"got {name!r}, expected {FORMS[kind]}")
    if not parts:
        raise fault
    measured = _single(name, parts[0], arm)
    if kind == "settling_time":
        return _settling(name, measured, parts[1:], fault)
    if kind == "overshoot":
        if len(parts) > 1:
            raise fault
        meaning = f"overshoot of {measured.name}, as a fraction of its way"
        return VibrationMeasure(measured, "1", meaning, partial(_overshoot, measured))
    start = None
    if len(parts) > 1:
        match = _SECONDS.fullmatch(parts[1]) if len(parts) == 2 else None
        if match is None:
            raise fault
        start = float(match[1])
    since = "the drives' last change" if start is None else f"{start:g} s"
    if kind == "ring_time":
        meaning = f"time from {since} until {measured.name} has decayed to {DECAY:.0%}"
        return VibrationMeasure(measured, "s", meaning, partial(_ring_time, start))
    meaning = f"amplitude of {measured.name} after {since}"
    return VibrationMeasure(measured, measured.units, meaning, partial(_residual_vibration, start))


def _single(name: str, asked: str, arm: Arm) -> Quantity:
    """Look up a quantity of one number per sample."""
    measured = quantity(asked, arm)
    if measured.shape:
        first = ",".join("0" * len(measured.shape))
        hint = f"name one of them, e.g. {asked}[{first}]" if "[" not in asked else "give all indices"
        raise KeyFault(f"{name!r}: {asked} is {measured.shape} numbers, expected one", hint)
    return measured


def _settling(name: str, measured: Quantity, parts: list[str], fault: KeyFault) -> VibrationMeasure:
    within = f"time from which {measured.name} stays within {':'.join(parts)}"
    if len(parts) == 1:
        match = _PERCENT.fullmatch(parts[0])
        if match is None:
            raise fault
        reduce = partial(_near_its_goal, measured, float(match[1]) / 100)
        return VibrationMeasure(measured, "s", within, reduce)
    try:
        low, high = (quantity_limit(part) for part in parts)
    except ValueError:
        raise fault from None
    if not low < high:
        raise KeyFault(f"got {name!r}, expected LOW below HIGH")
    return VibrationMeasure(measured, "s", within, partial(_between, low, high))


def _between(low: float, high: float, times: Array, values: Array, run: ForwardRun) -> float:
    return settling_time(times, values, low, high)


def _near_its_goal(measured: Quantity, part: float, times: Array, values: Array, run: ForwardRun) -> float:
    return _settled(measured, part, times, values, run)[1]


def _settled(
    measured: Quantity, part: float, times: Array, values: Array, run: ForwardRun
) -> tuple[float, float]:
    """The goal of a quantity, and when it enters a band about it that reaches a part of the way there to both sides.

    The goal is the reference at the end of the run where there is one, else the value at which the quantity rests.
    """
    goal = _reference(measured, run.instance.arm)
    if goal is None:
        goal = rest_value(values, lambda middle: part * np.abs(middle - values[0]))
    band = part * abs(goal - values[0])
    return goal, settling_time(times, values, goal - band, goal + band)


def _overshoot(measured: Quantity, times: Array, values: Array, run: ForwardRun) -> float:
    """Largest distance beyond the goal, over that from the start to the goal."""
    goal, time = _settled(measured, DECAY, times, values, run)
    way = goal - values[0]
    if way == 0 or (np.isnan(time) and _reference(measured, run.instance.arm) is None):
        return np.nan
    return max(0.0, float(np.max((values - goal) / way)))


def _ring_time(start: float | None, times: Array, values: Array, run: ForwardRun) -> float:
    times, values = _since(start, times, values, run)
    if not times.size:
        return np.nan
    highest, lowest = values.max(), values.min()

    def band(middle: Array) -> Array:
        return DECAY * np.maximum(highest - middle, middle - lowest)

    rest = rest_value(values, band)
    reach = float(band(np.array(rest)))
    return settling_time(times, values, rest - reach, rest + reach) - times[0]


def _residual_vibration(start: float | None, times: Array, values: Array, run: ForwardRun) -> float:
    _, values = _since(start, times, values, run)
    return float(np.ptp(values)) / 2 if values.size else np.nan


def _since(start: float | None, times: Array, values: Array, run: ForwardRun) -> tuple[Array, Array]:
    """Samples from a time [s] on; from the last change of the drives and loads unless it is given."""
    since = last_change(run.instance.arm) if start is None else start
    first = np.searchsorted(times, since * (1 - 1e-12))
    return times[first:], values[first:]


def _reference(measured: Quantity, arm: Arm) -> float | None:
    """Reference of a joint angle at the end of the run; None of what follows none."""
    if measured.dataset != "joint_angle":
        return None
    reference = reference_of(arm, measured.index[0])
    return None if reference is None else float(signal_values(reference, np.array(arm.run.duration)))

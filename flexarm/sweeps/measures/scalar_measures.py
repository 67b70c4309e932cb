"""Scalar measures of a run that a sweep records: largest deflection, final tip, settling time and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.hints import did_you_mean
from flexarm.results.dimensions import AXES
from flexarm.simulation.forward.run import ForwardRun
from flexarm.sweeps.measures.load_measures import LOAD_MEASURES, is_load_measure, load_measure
from flexarm.sweeps.measures.tracking_measures import TRACKING_MEASURES, tracking_measure
from flexarm.sweeps.measures.vibration_measures import FORMS, vibration_measure
from flexarm.sweeps.parameters.keys import KeyFault

Array = NDArray[np.float64]


def _itself(values: Array) -> Array:
    return values


@dataclass(frozen=True)
class ScalarMeasure:
    """One number of a run.

    Attributes
    ----------
    name : str
    units, long_name : str
    reduce : callable
        From the times (k,) and the column of all samples (k,), and the finished run, of inverse runs its result, to the
        number; NaN where there is none.
    dataset : str or None
        What the column is made of; None if the samples do not matter.
    column : callable
        From samples of the dataset (k, ..) to one value for each of them (k,).
    """

    name: str
    units: str
    long_name: str
    reduce: Callable[[Array, Array, Any], float]
    dataset: str | None = None
    column: Callable[[Array], Array] = _itself


def _tip_deflection(deflections: Array) -> Array:
    x, y, z = deflections[:, -1, -1].T
    return np.sqrt(x * x + y * y + z * z)


def _largest_size(joints: list[int], values: Array) -> Array:
    return np.abs(values[:, joints]).max(axis=1)


def _tip(axis: int, points: Array) -> Array:
    return points[:, -1, axis]


def _largest(times, column, run) -> float:
    return column.max()


def _last(times, column, run) -> float:
    return column[-1]


def _lost(times, column, run) -> float:
    return column[0] - column[-1]


def _first_impact(times, column, run: ForwardRun) -> float:
    found = [run.impacts[name] for name in ("impact_time", "limit_impact_time") if name in run.impacts]
    return min((times[0] for times in found if times.size), default=np.nan)


def _slip_speed(slips: Array) -> Array:
    speeds = np.abs(slips) if slips.ndim == 3 else np.linalg.norm(slips, axis=3)
    return speeds.sum(axis=(1, 2))


def _way(times, column, run) -> float:
    return float(np.sum(np.diff(times) * (column[1:] + column[:-1])) / 2)


def _steps(times, column, run: ForwardRun) -> float:
    return run.integration.steps


def _evaluations(times, column, run: ForwardRun) -> float:
    return run.integration.evaluations


def _seconds(times, column, run: ForwardRun) -> float:
    return run.solve_seconds


_TIP_MEASURES = [
    ScalarMeasure(
        f"final_tip_{axis}", "m", f"{axis} of the tip at the end", _last, "point_position", partial(_tip, k)
    )
    for k, axis in enumerate(AXES)
]
MEASURES: dict[str, ScalarMeasure] = {
    measure.name: measure
    for measure in (
        ScalarMeasure(
            "max_tip_deflection", "m", "largest deflection at the end of the last link",
            _largest, "link_deflection", _tip_deflection,
        ),
        ScalarMeasure("max_torque", "N m", "largest joint torque", _largest, "torque"),
        ScalarMeasure("max_force", "N", "largest force of a prismatic joint", _largest, "torque"),
        *_TIP_MEASURES,
        ScalarMeasure("energy_lost", "J", "energy at the start less that at the end", _lost, "energy_total"),
        ScalarMeasure("first_impact", "s", "time of the first impact", _first_impact),
        ScalarMeasure(
            "energy_lost_friction", "J", "work of dry friction of walls and joints", _last, "energy_lost_friction"
        ),
        ScalarMeasure(
            "sliding_distance", "m", "way that points slide along walls, of all of them together, from the samples",
            _way, "contact_slip", _slip_speed,
        ),
        ScalarMeasure("steps", "1", "steps of the integrator", _steps),
        ScalarMeasure("evaluations", "1", "evaluations of the state equation", _evaluations),
        ScalarMeasure("seconds", "s", "time in the integrator", _seconds),
    )
}  # fmt: skip
"""Measures without parameters, by name; further ones: vibration_measures, load_measures, tracking_measures."""

OF_FRICTION = {"energy_lost_friction", "sliding_distance"}
"""Those of arms whose walls have friction; the first also of those with joints that stick."""
GROUPS = {"final_tip": tuple(measure.name for measure in _TIP_MEASURES)}
COSTS = ("steps", "evaluations", "seconds")
"""What a run cost; `seconds` is not the same when it is repeated."""


ABSENT = {"first_impact": "no impact", "verified_error": "not verified"} | dict.fromkeys(
    OF_FRICTION, "no friction"
)
"""What it means that a run has no such number."""


def where_absent(record: str) -> str:
    """What it means that a run has no such number."""
    kind = record.partition(":")[0]
    return ABSENT.get(kind, "not settled" if kind in FORMS else "none")


def default_measures(arm: Arm) -> tuple[str, ...]:
    """Return the names of the measures that are recorded by default: all that can differ from run to run."""
    planar = all(joint.stays_in_plane for joint in arm.joints) and arm.base != "free"
    left_out = set() if arm.has_impacts else {"first_impact"}
    left_out |= OF_FRICTION - _of_friction(arm, arm.has_wall_friction)
    left_out |= {"final_tip_z"} if planar else set()
    units = {joint.kind.force_unit for joint in arm.joints}
    left_out |= {name for name, one in MEASURES.items() if one.dataset == "torque" and one.units not in units}
    return tuple(name for name in MEASURES if name not in left_out)


def scalar_measures(names: Iterable[str], arm: Arm) -> list[ScalarMeasure]:
    """Look measures up by name, each once.

    Raises
    ------
    KeyFault
        There is no such measure, or its quantity or band is wrong.
    """
    expanded = [part for name in names for part in GROUPS.get(name, (name,))]
    return [_measure(name, arm) for name in dict.fromkeys(expanded)]


def joints_in(name: str, unit: str, arm: Arm) -> list[int]:
    """Joints, counted from 0, whose torque or force is in the unit of a measure.

    Raises
    ------
    KeyFault
        There are none.
    """
    found = [i for i, joint in enumerate(arm.joints) if joint.kind.force_unit == unit]
    if not found:
        other = name.replace("torque", "force") if unit == "N m" else name.replace("force", "torque")
        raise KeyFault(f"no joint of this arm has a {name!r} [{unit}]", f"record {other}")
    return found


def _of_friction(arm: Arm, rubs: bool) -> set[str]:
    """Measures of friction that an arm has, on whose walls points rub or may do so."""
    if rubs:
        return OF_FRICTION
    return {"energy_lost_friction"} if arm.has_integrated_friction else set()


def _measure(name: str, arm: Arm) -> ScalarMeasure:
    may_rub = arm.contact is not None and arm.contact.gives_friction  # also 0, which a sweep may vary
    if name in OF_FRICTION - _of_friction(arm, may_rub):
        raise KeyFault(f"record {name!r}: no wall of this arm has friction", "give contact.friction a value")
    if name in MEASURES:
        found = MEASURES[name]
        if found.dataset != "torque":
            return found
        return replace(found, column=partial(_largest_size, joints_in(name, found.units, arm)))
    if name.partition(":")[0] in FORMS:
        found = vibration_measure(name, arm)
        return ScalarMeasure(
            name, found.units, found.meaning, found.reduce, found.quantity.dataset, found.quantity.pick
        )
    if is_load_measure(name):
        found = load_measure(name, arm)
        return ScalarMeasure(name, found.units, found.meaning, _largest, found.dataset, found.column)
    if name.partition(":")[0] in TRACKING_MEASURES:
        found = tracking_measure(name, arm)
        return ScalarMeasure(name, found.units, found.meaning, found.reduce, found.dataset, found.column)
    of_joints = (f"{kind}:JOINT" for kind in TRACKING_MEASURES)
    known = [
        *MEASURES,
        *GROUPS,
        *LOAD_MEASURES,
        *of_joints,
        *(form.partition(" ")[0] for form in FORMS.values()),
    ]
    raise KeyFault(f"unknown record {name!r}", did_you_mean(name, known, f"known: {', '.join(known)}"))

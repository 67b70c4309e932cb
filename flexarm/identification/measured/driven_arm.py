"""An arm as it was measured: driven by measured inputs, with exact sensors for the measured columns."""

from __future__ import annotations

import numpy as np
from pydantic import ValidationError

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.drive import Drive
from flexarm.description.motion.time_table import TimeTable
from flexarm.errors import ModelError
from flexarm.identification.measured.columns import Columns, Input
from flexarm.identification.measured.measurements import Measurement

SPLINES = ("motion", "pd.reference")
"""Inputs of which rates matter: cubic splines through their samples; others are straight lines."""

MOST_STEPS, FURTHER_STEPS = 20, 100_000
"""Steps of the integration allowed for each row, and beside them: what takes more is no good guess."""
JUMP = 1e-6
"""Part of the time between two rows in which an input that is held goes from one value to the next."""


class MeasuredSetup:
    """What replaces parts of an arm for a measured run.

    Parameters
    ----------
    arm : Arm
    columns : Columns
    measurement : Measurement

    Raises
    ------
    ModelError
        A drive cannot take an input.
    """

    def __init__(self, arm: Arm, columns: Columns, measurement: Measurement):
        times = measurement.times
        self._duration = float(times[-1])
        self._most_steps = MOST_STEPS * times.size + FURTHER_STEPS
        self._tables = [
            (one, _table(one, times, values))
            for one, values in zip(columns.inputs, measurement.inputs.T, strict=True)
        ]
        self._added = tuple(
            (f"{one.name} (measured)", one.sensor) for one in columns.outputs if one.sensor is not None
        )
        self._kept = frozenset(name for _, controller in arm.controllers for name in controller.inputs)
        for one, table in self._tables:
            _check(arm, one, table)

    def of(self, arm: Arm) -> Arm:
        """The arm, whatever its numbers, in this setup."""
        drive, controllers = list(arm.drive), list(arm.controllers)
        for one, table in self._tables:
            if one.joint is None:
                controllers = [
                    (name, own.model_copy(update={"reference": table}) if name == one.part else own)
                    for name, own in controllers
                ]
            else:
                drive[one.joint] = _driven(drive[one.joint], one.part, table)
        sensors = [  # behind: columns count from the first; nobody knows the noise that a controller has read
            (name, own.model_copy(update={"noise": None})) for name, own in arm.sensors if name in self._kept
        ]
        most_steps = min(arm.run.max_steps, self._most_steps)
        run = arm.run.model_copy(update={"duration": self._duration, "record": (), "max_steps": most_steps})
        changed = {
            "drive": tuple(drive), "controllers": tuple(controllers), "run": run,
            "sensors": (*self._added, *sensors),
        }  # fmt: skip
        return arm.model_copy(update=changed)


def _table(one: Input, times: np.ndarray, values: np.ndarray) -> TimeTable:
    """Input over time, from 0 on."""
    if times[0] > 0:
        times, values = np.concatenate([[0.0], times]), np.concatenate([values[:1], values])
    if one.held:
        ends = times[1:] - JUMP * np.diff(times)
        times = np.append(np.column_stack([times[:-1], ends]).ravel(), times[-1])
        values = np.append(np.repeat(values[:-1], 2), values[-1])
    kind = "cubic" if one.part in SPLINES and not one.held else "linear"
    return TimeTable(times=tuple(times.tolist()), values=tuple(values.tolist()), interpolation=kind)


def _driven(drive: Drive | None, part: str, table: TimeTable) -> Drive:
    """Drive with a measured input in the place of its own."""
    if part == "pd.reference":
        assert drive is not None
        pd = drive.pd
        assert pd is not None
        return drive.model_copy(
            update={"pd": pd.model_copy(update={"reference": table, "move": None, "shaper": None})}
        )
    changed = {part: table} | ({"move": None, "shaper": None} if part == "motion" else {})
    return (drive or Drive(torque=0.0)).model_copy(
        update=changed if drive is not None else {"torque": None, **changed}
    )


def _check(arm: Arm, one: Input, table: TimeTable) -> None:
    """Refuse an input that a drive cannot take."""
    if one.held and one.part == "motion":
        raise ModelError(f"column {one.name}: a motion cannot be held from row to row: it would jump")
    if one.joint is None:
        return
    own = arm.drive[one.joint]
    if one.part == "pd.reference" and (own is None or own.pd is None):
        raise ModelError(
            f"column {one.name}: joint {one.joint + 1} has no PD drive whose reference it could be"
        )
    if one.part == "voltage" and arm.joints[one.joint].motor.resistance is None:
        raise ModelError(
            f"column {one.name}: the motor of joint {one.joint + 1} has no resistance and torque_constant"
        )
    if not arm.joints[one.joint].moves:
        raise ModelError(f"column {one.name}: joint {one.joint + 1} does not move")
    driven = _driven(own, one.part, table)
    given = {name: value for name, value in driven if value is not None and value is not False}
    try:
        Drive.model_validate(given)
    except ValidationError as error:
        raise ModelError(f"column {one.name}: drive[{one.joint}]: {error.errors()[0]['msg']}") from None

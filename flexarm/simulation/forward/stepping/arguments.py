"""Arguments of a stepper, checked before anything is derived."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from flexarm.arguments import check_list, check_number, check_object, shown
from flexarm.catalogue import METHODS
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.drive import Drive
from flexarm.errors import ModelError
from flexarm.hints import did_you_mean, listed
from flexarm.model.chain_builder import build_chain

METHOD = next(iter(METHODS))
"""Integration method that goes on from period to period."""


def check_stepped(arm: object, period: object) -> None:
    """Make sure that an arm can be moved period by period.

    Raises
    ------
    ModelError
        It is no arm, it moves by events or by another method, or the period is no positive number.
    """
    check_object("arm", arm, Arm)
    assert isinstance(arm, Arm)
    check_number("period", period, above=0)
    if arm.is_event_driven:
        met = "walls" if arm.contact is not None else "limits" if arm.limited_joints else "joints that stick"
        raise ModelError(f"{arm.name}: a stepper moves no arm with {met}", hint="simulate does")
    if arm.run.method != METHOD:
        raise ModelError(f"{arm.name}: got method: {arm.run.method}, but a stepper integrates by {METHOD}")


def input_joints(arm: Arm, asked: Iterable[str] | None) -> dict[str, int]:
    """Names of inputs, and their joints from 0: those asked for, or all that joints can have.

    Raises
    ------
    ModelError
        Unknown inputs, joints that do not move or whose motion is prescribed, or one named twice.
    """
    free = {}
    for i, (row, drive) in enumerate(zip(build_chain(arm).coordinates.driven, arm.drive, strict=True)):
        if row is not None and (drive is None or drive.motion is None):
            free[f"torque[{i + 1}]"] = i
    if asked is None:
        return free
    check_list("inputs", asked)
    found = {}
    for name in asked:
        if name not in free:
            raise _wrong_input(arm, name, list(free))
        if name in found:
            raise ModelError(f"{arm.name}: input {name} is named twice")
        found[name] = free[name]
    return found


def _wrong_input(arm: Arm, name: str, free: Sequence[str]) -> ModelError:
    joint = re.fullmatch(r"torque\[(\d+)\]", name)
    if joint and 1 <= int(joint[1]) <= len(arm.joints):
        drive = arm.drive[int(joint[1]) - 1]
        why = "does not move" if drive is None or drive.motion is None else "has a prescribed motion"
        return ModelError(f"{arm.name}: input {name}: joint {joint[1]} {why} and takes no torque")
    expected = f"expected {listed(free)}" if free else "no joint takes a torque"
    return ModelError(f"{arm.name}: unknown input {name!r}, {expected}", hint=did_you_mean(name, free))


def with_drives(arm: Arm, joints: Sequence[int]) -> Arm:
    """The arm with a drive at each of some joints, from 0, which torques from outside are added to."""
    drive = list(arm.drive)
    for i in joints:
        drive[i] = drive[i] or Drive(torque=0.0)
    return arm.model_copy(update={"drive": tuple(drive)})


def asked_outputs(arm: Arm, asked: Iterable[str] | None) -> tuple[str, ...]:
    """Outputs that are asked for: by default all sensors, or the joints of an arm without.

    Raises
    ------
    ModelError
        They are no names, or none.
    """
    if asked is None:
        return tuple(name for name, _ in arm.sensors) or ("joints",)
    check_list("outputs", asked)
    if not (found := tuple(asked)):
        raise ModelError("outputs: got none, expected at least one name")
    return found


def given_inputs(u: Any, names: Sequence[str]) -> np.ndarray:
    """Return values of inputs as an array (n,); one of a single input may be a number.

    Raises
    ------
    ModelError
        They are no finite numbers, or too few or too many.
    """
    try:
        values = np.asarray(u, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"u: got {shown(u)}, expected {_expected(names)}") from None
    if values.shape != (len(names),):
        if values.shape or len(names) != 1:
            raise ModelError(f"u: got an array of shape {values.shape}, expected {_expected(names)}")
        values = values.reshape(1)
    if not np.isfinite(values).all():
        raise ModelError(f"u: got {shown(values.tolist())}, expected finite numbers")
    return values


def _expected(names: Sequence[str]) -> str:
    n = len(names)
    return f"{n} number{'s' * (n != 1)}" + f", {', '.join(names)}" * bool(names)

"""Columns of measurements: which numbers of the arm they are, measured outputs and inputs that drive it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.sensor import Sensor
from flexarm.description.values.number_tables import split_columns
from flexarm.errors import ModelError
from flexarm.hints import did_you_mean
from flexarm.identification.measured.units import size_in
from flexarm.results.schema import STRESS
from flexarm.simulation.sensors.named_outputs import WORDS, sensors_named
from flexarm.sweeps.measures.recorded_quantities import Quantity, quantity
from flexarm.sweeps.parameters.keys import KeyFault

TIME, IGNORED = "time", "-"
_PART = re.compile(
    r"(?P<name>[^=\s]+?)(\s*=\s*(?P<meaning>\S+?))?(\s+[\[(](?P<unit>[^\])]*)[\])])?(?P<held>\s+held)?"
)
_INPUT = re.compile(r"drive\[(\d+)\]\.(torque|voltage|motion|pd\.reference)")
_SHORT_INPUTS = {"tau": "torque", "u": "voltage", "r": "pd.reference"}
_COMPONENT = re.compile(r"(tip|deflection|curvature|strain)_([xyz])(@.*)?")


@dataclass(frozen=True)
class ColumnText:
    """Column as it was typed: its name, what it is, its unit, which may be empty, and whether it is held."""

    name: str
    meaning: str
    unit: str
    held: bool = False


@dataclass(frozen=True)
class Output:
    """Measured column.

    Attributes
    ----------
    name : str
    size : float
        Of the unit of the column in that of the quantity.
    unit : str
        Of the quantity.
    dataset : str
    index : tuple of int
        Where the quantity stands in the dataset.
    sensor : Sensor or None
        Exact sensor that is added to the arm for it.
    noise : float or None
        Standard deviation that the description knows, in the quantity's unit.
    bias, delay : float
        Known ones of the sensor, in the quantity's unit and [s].
    """

    name: str
    size: float
    unit: str
    dataset: str
    index: tuple[int, ...]
    sensor: Sensor | None = None
    noise: float | None = None
    bias: float = 0.0
    delay: float = 0.0


@dataclass(frozen=True)
class Input:
    """Column that drives the arm.

    Attributes
    ----------
    name : str
    size : float
        Of the unit of the column in that of the input.
    joint : int or None
        From 0; None of a controller.
    part : str
        Of the drive; or the name of the controller whose reference it is.
    held : bool
        Whether each value is held until the next row; else there are lines between the rows.
    """

    name: str
    size: float
    joint: int | None
    part: str
    held: bool


@dataclass(frozen=True)
class Columns:
    """Columns of measurements.

    Attributes
    ----------
    time_size : float
        Of the unit of the time [s].
    outputs : tuple of Output
    inputs : tuple of Input
    """

    time_size: float
    outputs: tuple[Output, ...]
    inputs: tuple[Input, ...]


def parse_columns(text: str | Sequence[str]) -> tuple[ColumnText, ...]:
    """Columns as ``--columns`` or the header of a file has them: ``time [ms], hub=joint_angle[0] [deg], -``.

    Raises
    ------
    ModelError
        One is not written so, there are two of one name, or none is the time.
    """
    found = []
    for part in split_columns(text) if isinstance(text, str) else text:
        match = _PART.fullmatch(part)
        if match is None:
            raise ModelError(
                f"columns: got {part!r}, expected NAME, NAME=WHAT [UNIT] or NAME=WHAT [UNIT] held"
            )
        name = match["name"]
        found.append(ColumnText(name, match["meaning"] or name, match["unit"] or "", bool(match["held"])))
    names = [one.name for one in found if one.name != IGNORED]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ModelError(f"columns: {twice[0]} is there twice", hint="- leaves a column out")
    if not any(one.meaning == TIME for one in found):
        raise ModelError(
            f"columns: got {', '.join(names)}, but none is the time",
            hint="name it time in the header, or say `columns`, e.g. time, hub",
        )
    return tuple(found)


def columns_of(arm: Arm, texts: Sequence[ColumnText]) -> Columns:
    """Look up what the columns are of an arm.

    Raises
    ------
    ModelError
        One is nothing that the arm has, is no single number, or cannot be in its unit; or none is measured.
    """
    outputs: list[Output] = []
    inputs: list[Input] = []
    time_size = 1.0
    for text in texts:
        if text.name == IGNORED or text.meaning == IGNORED:
            continue
        if text.meaning == TIME:
            time_size = size_in(text.unit, "s", text.name)
        elif (own := _input(arm, text)) is not None:
            inputs.append(own)
        else:
            sensors = sum(one.sensor is not None for one in outputs)
            outputs.append(_output(arm, text, sensors))
    if not outputs:
        raise ModelError("columns: nothing is measured", hint="name a sensor, or e.g. hub=joint_angle[0]")
    return Columns(time_size, tuple(outputs), tuple(inputs))


def _input(arm: Arm, text: ColumnText) -> Input | None:
    """Input that a column is; None if it is none."""
    short = re.fullmatch(r"(tau|u|r)_([1-9]\d*)", text.meaning)
    names = [f"controllers.{name}.reference" for name, _ in arm.controllers]
    if text.meaning in names:
        return Input(text.name, 1.0, None, text.meaning.split(".")[1], text.held)
    if short is not None:
        joint, part = int(short[2]) - 1, _SHORT_INPUTS[short[1]]
    elif (match := _INPUT.fullmatch(text.meaning)) is not None:
        joint, part = int(match[1]), match[2]
    else:
        return None
    if joint >= len(arm.joints):
        raise ModelError(f"column {text.name}: {text.meaning}: the arm has {len(arm.joints)} joints")
    kind = arm.joints[joint].kind
    unit = {"torque": kind.force_unit, "voltage": "V"}.get(part, kind.unit)
    return Input(text.name, size_in(text.unit, unit, text.name), joint, part, text.held)


def _output(arm: Arm, text: ColumnText, sensors: int) -> Output:
    """Measured column; so many sensors have been added before."""
    if text.held:
        raise ModelError(f"column {text.name}: only what drives the arm is held from row to row")
    described = dict(arm.sensors)
    word = text.meaning.partition("@")[0].partition("_")[0]
    if text.meaning in described:
        sensor = described[text.meaning]
    elif word in WORDS and word != "joints" and "[" not in text.meaning:
        sensor = _sensor_of_word(arm, text)
    elif re.fullmatch(r"q_[1-9]\d*", text.meaning) and int(text.meaning[2:]) <= len(arm.joints):
        sensor = Sensor(joint=int(text.meaning[2:]))
    else:
        found = _quantity(arm, text)
        size = size_in(text.unit, found.units, text.name)
        return Output(text.name, size, found.units, found.dataset, found.index)
    unit = sensor.unit(arm.joints)
    exact = sensor.model_copy(
        update=dict.fromkeys(("noise", "delay", "period", "resolution", "range", "bias"))
    )
    return Output(
        text.name, size_in(text.unit, unit, text.name), unit, "sensor_value", (sensors,), exact,
        sensor.noise or None, sensor.bias or 0.0, sensor.delay or 0.0,
    )  # fmt: skip


def _sensor_of_word(arm: Arm, text: ColumnText) -> Sensor:
    """Sensor that a word of ``linearize --observe`` stands for, with its axis or without where there is one only."""
    match = _COMPONENT.fullmatch(text.meaning)
    word = text.meaning if match is None else f"{match[1]}{match[3] or ''}"
    found = {sensor.along: (name, sensor) for name, sensor in sensors_named(arm, word)}
    if match is not None and match[2] in found:
        return found[match[2]][1]
    if match is None and word.partition("@")[0] != "tip" and arm.stays_in_plane:
        return found["y"][1]
    raise ModelError(
        f"column {text.name}: {text.meaning} is not one number, expected "
        f"{' or '.join(name for name, _ in found.values())}"
    )


def _quantity(arm: Arm, text: ColumnText) -> Quantity:
    try:
        found = quantity(text.meaning, arm)
    except KeyFault as fault:
        known = [*dict(arm.sensors), *WORDS]
        hint = fault.hint if fault.hint.startswith("did") else did_you_mean(text.meaning, known)
        hint = hint or "a sensor, joint_angle[0], strain@1:0.05 or drive[0].torque; - leaves it out"
        raise ModelError(f"column {text.name}: {fault.message}", hint=hint) from None
    if found.shape:
        raise ModelError(
            f"column {text.name}: {text.meaning} is not one number",
            hint=f"e.g. {text.meaning}[{','.join('0' * len(found.shape))}]",
        )
    if found.dataset == STRESS:
        raise ModelError(
            f"column {text.name}: {text.meaning} is the largest in a section, whose place jumps",
            hint="fit what a strain gauge measures, e.g. strain@1:0.05",
        )
    if found.dataset.startswith("sensor_") or found.dataset == "controller_output":
        raise ModelError(
            f"column {text.name}: {text.meaning} is no quantity that is fitted", hint="name a sensor"
        )
    return found

"""Plan of a sweep: its points and what is recorded of them, checked before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np

from flexarm import __version__
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.loader import parse_arm, with_segments
from flexarm.description.reading.segment_choice import suitable_segments
from flexarm.description.sweep.sweep_description import SweepDescription
from flexarm.description.sweep.varied_values import Levels, Range, in_radians
from flexarm.errors import SpecError
from flexarm.memory import check_memory
from flexarm.simulation.forward.segments.segments_in_motion import segments_in_motion
from flexarm.sweeps.execution.chunks import WorkerTask
from flexarm.sweeps.execution.run_kinds import FORWARD, RunKind
from flexarm.sweeps.measures.recorded_quantities import Quantity
from flexarm.sweeps.measures.run_reduction import Recording
from flexarm.sweeps.parameters.design import Design
from flexarm.sweeps.parameters.keys import KeyFault, Slot, meaning
from flexarm.sweeps.parameters.variation import Variation

MOST_CHECKED = 200
"""Values of one key that are checked before anything runs; of more, as many evenly spread ones."""
MOST_TRIED = 16
"""Points whose motion is tried where the numbers of segments are left open: the corners of the ranges first."""


@dataclass(frozen=True)
class Plan:
    """A sweep ready to run.

    Attributes
    ----------
    task : WorkerTask
    design : Design
    recording : Recording
    meanings : dict
        Key -> its meaning and unit.
    """

    task: WorkerTask
    design: Design
    recording: Recording
    meanings: dict[str, tuple[str, str]]

    @property
    def dims(self) -> tuple[str, ...]:
        """Dimensions of the result."""
        return tuple(axis.name for axis in self.design.axes)

    @property
    def contents(self) -> dict[str, Any]:
        """Everything that the numbers of the result depend on."""
        axes = [
            {"name": axis.name, "keys": axis.keys, "values": axis.values.tolist()}
            for axis in self.design.axes
        ]
        return {
            "flexarm_version": __version__,
            "arm": self.task.text,
            **{name: self.task.kind.attributes.get(name) for name in ("trajectory", "method")},
            "axes": axes,
            "records": self.task.measures,
            "series": self.task.series,
        }


def make_plan(arm: Arm, spec: SweepDescription, kind: RunKind = FORWARD) -> Plan:
    """Lay a sweep out and check all of it.

    Raises
    ------
    SpecError
        A key, value, record or series that the arm does not have; it is named.
    ModelError
        The result does not fit into memory, or the arm is none that a sweep runs.
    """
    if not arm.text or parse_arm(arm.text) != arm:
        message = "this arm was changed after it was read, so its description is out of date"
        raise spec.fault("vary", "", message, "change the text and use parse_arm, or vary what was changed")
    kind.check(arm)
    arm = _with_common_segments(arm, spec, kind)
    variation = _variation(arm, spec)
    _check_series(variation, spec, kind)
    measures = spec.record or kind.default_measures(arm)
    _check_measures(measures, spec, arm, kind)
    design = Design.of(spec)
    horizon = _longest(variation, design, kind)
    recording = kind.recording(measures, tuple(dict.fromkeys(spec.series)), horizon, arm)
    _check_size(design, recording)
    _check_values(variation, spec)
    task = WorkerTask(
        arm.text,
        design.keys,
        tuple(measure.name for measure in recording.measures),
        tuple(one.name for one in recording.series),
        _representatives(design),
        horizon,
        tuple(_texts(spec).items()),
        kind,
    )
    meanings = {
        key: _meaning(variation, key, slots)
        for key, slots in zip(variation.keys, variation.slots, strict=True)
    }
    return Plan(task, design, recording, meanings)


def _meaning(variation: Variation, key: str, slots: list[Slot]) -> tuple[str, str]:
    """Meaning and unit of a key; that of expressions says what their numbers stand for."""
    text, unit = meaning(variation.data, variation.base, slots[0])
    if key not in variation.texts:
        return text, unit
    return f"{key}: " + "; ".join(f"{k} = {one}" for k, one in enumerate(variation.texts[key], start=1)), "1"


def _check_size(design: Design, recording: Recording) -> None:
    """Refuse a result that does not fit into memory."""
    numbers = len(recording.measures) + sum(
        recording.times.size * int(np.prod(one.shape)) for one in recording.series
    )
    hint = "record fewer series, or raise run.sample" if recording.series else "take fewer points"
    check_memory(2 * 8 * design.size * (numbers + 2), f"a result of {design.size} points", hint)


def _representatives(design: Design) -> tuple[tuple[float, ...], ...]:
    """Points that differ in every key, by two different amounts: the first, and those with one other value.

    One other value could be one at which something that depends on it is by chance the same again.
    """
    columns = [np.unique(column) for axis in design.axes for column in axis.values.T]
    first = [float(column[0]) for column in columns]
    points = {tuple(first): None}
    for place, column in enumerate(columns):
        for value in (column[-1], column[len(column) // 2]):
            points[(*first[:place], float(value), *first[place + 1 :])] = None
    return tuple(points)


def value_range(spec: SweepDescription, key: str) -> tuple[float, ...]:
    """Values of a key, or the ends of its range, in SI units; empty if it is not varied."""
    varied = spec.vary.get(key)
    if varied is None:
        return ()
    values = (varied.low, varied.high) if isinstance(varied, Range) else varied.values
    return tuple(in_radians(value, varied.unit) for value in values)


def _longest(variation: Variation, design: Design, kind: RunKind) -> float:
    """Duration of the longest run [s]."""
    behind = variation.keys_behind(("run", "duration"))
    columns = [k for k, key in enumerate(design.keys) if key in behind]
    if not columns:
        return kind.duration(variation.base)
    values = design.values(np.arange(design.size))
    _, rows = np.unique(values[:, columns], axis=0, return_index=True)
    durations = [0.0]
    for row in rows.tolist():
        with suppress(SpecError):  # what is wrong with it is said further on, or where it is computed
            durations.append(kind.duration(variation.arm(_in_order(variation, design, values[row]))))
    return max(durations)


def _in_order(variation: Variation, design: Design, row: np.ndarray) -> list[float]:
    """Values of a point of the design in the order of the variation's keys."""
    return [float(row[design.keys.index(key)]) for key in variation.keys]


def _with_common_segments(arm: Arm, spec: SweepDescription, kind: RunKind) -> Arm:
    """The arm with as many segments, where its description says `auto`, as the worst of its variations asks for.

    All runs of a sweep then have the same coordinates and share their equations. The variations looked at are the
    corners of the ranges of all keys, and each key's values with the first ones of the others; simulations try the
    motion of some of them.
    """
    if not arm.segment_choices:
        return arm
    variation = _variation(arm, spec)
    ranges = [value_range(spec, key) for key in variation.keys]
    ends = [(min(values), max(values)) for values in ranges]
    first = [values[0] for values in ranges]
    points = dict.fromkeys(islice(product(*ends), MOST_CHECKED))
    points |= {
        (*first[:place], value, *first[place + 1 :]): None
        for place, values in enumerate(ranges)
        for value in _spread(values)
    }
    links = [choice.link for choice in arm.segment_choices]
    most, valid = dict.fromkeys(links, 1), []
    for point in points:
        try:
            choices = suitable_segments(variation.arm(point), links)
        except SpecError:
            continue  # what is wrong with it is said further on
        valid.append(point)
        most |= {one.link: max(one.segments, most[one.link]) for one in choices}
    arm = with_segments(arm, most)
    if kind is not FORWARD or not valid:
        return arm

    def tried(base: Arm) -> list[Arm]:
        varied = _variation(base, spec)
        return [varied.arm(point) for point in valid[:MOST_TRIED]]

    return segments_in_motion(arm, tried).arm


def _variation(arm: Arm, spec: SweepDescription) -> Variation:
    for key in spec.vary:
        try:
            Variation(arm.text, [key], _texts(spec))
        except KeyFault as fault:
            raise spec.fault("vary", key, fault.message, fault.hint) from None
    variation = Variation(arm.text, tuple(spec.vary), _texts(spec))
    taken: dict[tuple, str] = {}
    for key, slots in zip(variation.keys, variation.slots, strict=True):
        for slot in slots:
            if slot.path in taken:
                raise spec.fault("vary", key, f"{taken[slot.path]!r} and {key!r} are both given, and overlap")
            taken[slot.path] = key
    return variation


def _check_values(variation: Variation, spec: SweepDescription) -> None:
    """Refuse values that make no valid arm: each value of each key, with the first values of the others.

    Values that only contradict those of another key further on are found when their point is computed.
    """
    first = [value_range(spec, key)[0] for key in variation.keys]
    for place, key in enumerate(variation.keys):
        for value in _spread(value_range(spec, key)):
            _check(variation, spec, key, [*first[:place], value, *first[place + 1 :]])
        varied = spec.vary[key]
        if varied.unit:
            values: list[float | str] = [*first]
            values[place] = (
                f"{varied.values[0] if isinstance(varied, Levels) else varied.low:g} {varied.unit}"
            )
            _check(variation, spec, key, values)


def _check(variation: Variation, spec: SweepDescription, key: str, values: list) -> None:
    try:
        variation.arm(values)
    except SpecError as error:
        problem = error.problems[0]
        where = variation.point(values)
        raise spec.fault("vary", key, f"at {where}: {problem.key}: {problem.message}", problem.hint) from None


def _spread(values: tuple[float, ...]) -> Iterator[float]:
    count = min(len(values), MOST_CHECKED)
    yield from (values[k] for k in np.linspace(0, len(values) - 1, count).astype(int))


def _texts(spec: SweepDescription) -> dict[str, tuple[str, ...]]:
    """Expressions that keys take."""
    return {key: one.texts for key, one in spec.vary.items() if isinstance(one, Levels) and one.texts}


def _check_series(variation: Variation, spec: SweepDescription, kind: RunKind) -> None:
    """Refuse series that have no common form in all runs."""
    for name in spec.series:
        try:
            (recorded,) = kind.recording((), (name,), kind.duration(variation.base), variation.base).series
        except KeyFault as fault:
            raise spec.fault("series", name, fault.message, fault.hint) from None
        if behind := variation.keys_behind(("run", "sample")):
            raise spec.fault("series", name, f"{min(behind)} is varied, so series have no common times")
        if varied := _number_of_modes(variation, recorded):
            raise spec.fault("series", name, f"{varied} is varied, so {name} has no common size")


def _number_of_modes(variation: Variation, recorded: Quantity) -> str:
    """A varied key that changes what modes there are, if this matters to a quantity."""
    if not recorded.dataset.startswith("mode_"):
        return ""
    links = range(len(variation.base.links))
    paths = [("links", k, part) for k in links for part in ("modes", "segments")]
    behind = set().union(*(variation.keys_behind(path) for path in paths))
    return next((key for key in variation.keys if key in behind), "")


def _check_measures(measures: tuple[str, ...], spec: SweepDescription, arm: Arm, kind: RunKind) -> None:
    for name in measures:
        try:
            kind.recording((name,), (), 0.0, arm)
        except KeyFault as fault:
            raise spec.fault("record", name, fault.message, fault.hint) from None

"""Reading of descriptions: YAML -> validated arm, trajectory or sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from flexarm.arguments import check_text, file_path
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.json_schema import arm_json_schema
from flexarm.description.reading.messages import problems
from flexarm.description.reading.named_files import LARGEST_YAML, NamedFiles
from flexarm.description.reading.parameters import Resolution, resolve
from flexarm.description.reading.segment_choice import choose_segments
from flexarm.description.reading.text_file import UnreadableFile, read_text
from flexarm.description.reading.validation import validated_model
from flexarm.description.reading.yaml_files.written_out import written_out
from flexarm.description.reading.yaml_files.yaml_document import Document
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import InputModel, KeyPath, located
from flexarm.errors import InputProblem, SpecError

if TYPE_CHECKING:
    from flexarm.description.motion.trajectory import Trajectory
    from flexarm.description.sweep.sweep_description import SweepDescription

__all__ = [
    "arm_json_schema",
    "load_arm",
    "load_sweep",
    "load_trajectory",
    "parse_arm",
    "parse_trajectory",
    "sweep_from_entries",
]


def load_arm(path: str | Path) -> Arm:
    """Read and validate an arm description.

    Parameters
    ----------
    path : str or Path
        YAML file; files that it names are looked for in its folder.

    Raises
    ------
    SpecError
        Every problem of the file, with its line and key.

    Examples
    --------
    >>> import flexarm
    >>> flexarm.load_arm("robots/usoro_two_link.yaml")
    Arm 'usoro-two-link': 2 links, 2 modes, base fixed, 3 s
    """
    path = file_path("path", path)
    return parse_arm(_yaml_of(path, "an arm description"), source=str(path), folder=path.parent)


def parse_arm(text: str, *, source: str = "<text>", folder: str | Path | None = None) -> Arm:
    """Validate an arm description that is already text.

    Parameters
    ----------
    text : str
        YAML.
    source : str
        What problems name as their file.
    folder : str or Path, optional
        Where table files are looked for; without it the text may name none.

    Raises
    ------
    SpecError
        Every problem of the text, with its line and key.

    Examples
    --------
    >>> import flexarm
    >>> rod = "{name: rod, links: [{length: 1.0, mu: 2.0}], run: {duration: 1.0, sample: 0.01}}"
    >>> flexarm.parse_arm(rod)
    Arm 'rod': 1 link, 0 modes, base fixed, 1 s
    """
    check_text("text", text)
    return _parse_arm(text, source, folder)


def with_segments(arm: Arm, numbers: Mapping[int, int]) -> Arm:
    """Read an arm once more with other numbers of segments, by link from 0, where its description says `auto`.

    What else was changed after it was read, such as its run, stays changed; its links count as read.
    """
    read, again = _parse_arm(arm._text, arm.name, None), _parse_arm(arm._open_text, arm.name, None, numbers)
    changed = {name: value for name, value in arm if value != getattr(read, name)}
    if "initial" in changed:
        amplitudes = {name: getattr(again.initial, name) for name in ("modes", "mode_rates")}
        changed["initial"] = arm.initial.model_copy(update=amplitudes)
    changed.pop("links", None)
    again._result_files, again._unused_parameters = arm._result_files, arm._unused_parameters
    return again.model_copy(update=changed)


def has_chosen_segments(arm: Arm) -> bool:
    """Whether numbers of segments of an arm are still those that were chosen for it, so that others may be.

    They are not where its links, or amplitudes of their modes, were changed after it was read.
    """
    if not arm.segment_choices or any(arm.initial.modes) or any(arm.initial.mode_rates):
        return False
    return _parse_arm(arm._text, arm.name, None).links == arm.links


def _parse_arm(
    text: str, source: str, folder: str | Path | None, numbers: Mapping[int, int] | None = None
) -> Arm:
    (document, resolution), files = _resolved(text, source, Arm), NamedFiles(folder)

    def validated(one: Document) -> Arm:
        return validated_model(Arm, one, source, files.context)

    try:
        decided, choices = choose_segments(document, validated, numbers)
    except ValidationError as error:
        raise SpecError(problems(error, document, source, Arm)) from None
    arm = validated(decided)
    if faults := files.unit_faults(document, arm.joints):
        raise SpecError(problems(located(faults), document, source, Arm))
    written = files.texts(document)
    arm._open_text = _with_texts(document, written)
    segments = {("links", one.link, "segments"): f"{one.segments}" for one in choices}
    arm._text = _with_texts(document, {**written, **segments})
    arm._segment_choices = choices
    arm._result_files = files.result_files
    arm._unused_parameters = tuple(resolution.unused)
    return arm


def _resolved(text: str, source: str, model: type[InputModel]) -> tuple[Document, Resolution]:
    """Read YAML, and evaluate the expressions in the place of numbers."""
    document = read_yaml(text, source)
    try:
        resolution = resolve(document.data, model)
    except ValidationError as error:
        raise SpecError(problems(error, document, source, model)) from None
    formulas = {path: formula.text for path, formula in resolution.formulas.items()}
    return replace(document, data=resolution.data, formulas=formulas), resolution


def load_trajectory(path: str | Path) -> Trajectory:
    """Read and validate a trajectory.

    Parameters
    ----------
    path : str or Path
        YAML file; files that it names are looked for in its folder.

    Raises
    ------
    SpecError
        Every problem of the file, with its line and key.

    Examples
    --------
    >>> import flexarm
    >>> task = flexarm.load_trajectory("robots/trajectories/korayem_1994.yaml")
    >>> task.space, task.duration
    ('tip', 3.0)
    """
    path = file_path("path", path)
    return parse_trajectory(_yaml_of(path, "a trajectory"), source=str(path), folder=path.parent)


def parse_trajectory(text: str, *, source: str = "<text>", folder: str | Path | None = None) -> Trajectory:
    """Validate a trajectory that is already text; parameters and errors as of :func:`parse_arm`.

    Examples
    --------
    >>> import flexarm
    >>> line = "{space: tip, duration: 1.0, line: {from: [0.7, -0.2], to: [0.5, 0.6]}}"
    >>> flexarm.parse_trajectory(line).line.end
    (0.5, 0.6)
    """
    from flexarm.description.motion.trajectory import Trajectory  # arms are read quicker without

    check_text("text", text)
    (document, _), files = _resolved(text, source, Trajectory), NamedFiles(folder)
    trajectory = validated_model(Trajectory, document, source, files.context)
    trajectory._text, trajectory._source = _with_texts(document, files.texts(document)), source
    return trajectory


def is_sweep(path: str | Path) -> bool:
    """True if a YAML file describes a sweep; faults of others are reported when they are loaded."""
    try:
        data = read_yaml(_yaml_of(Path(path), "a description"), str(path)).data
    except SpecError:
        return False
    return "vary" in data and "links" not in data


def load_sweep(path: str | Path) -> SweepDescription:
    """Read and validate the description of a sweep; whether its arm has what is varied is not looked at.

    Raises
    ------
    SpecError
        Every problem of the file, with its line and key.
    """
    from flexarm.description.sweep.sweep_description import SweepDescription

    text = _yaml_of(Path(path), "a sweep")
    document = read_yaml(text, str(path))
    sweep = validated_model(SweepDescription, document, str(path))
    sweep._source, sweep._lines = str(path), document.lines
    return sweep


def sweep_from_entries(**entries: Any) -> SweepDescription:
    """Validate the description of a sweep that is given by its entries, the keys of a sweep's file.

    Raises
    ------
    SpecError
        Every problem of the entries.
    """
    from flexarm.description.sweep.sweep_description import SweepDescription

    return validated_model(SweepDescription, Document("", entries), "sweep")


def _yaml_of(path: Path, what: str) -> str:
    try:
        return read_text(path, LARGEST_YAML, what)
    except UnreadableFile as error:
        raise SpecError([InputProblem(str(path), error.line, "", error.message, error.hint)]) from None


def _with_texts(document: Document, texts: Mapping[KeyPath, str]) -> str:
    """Text of a document with other texts in the place of some of its values."""
    if texts and document.shorthands:
        document = read_yaml(written_out(document.text), "text")
    text = document.text
    for path, (start, end) in sorted(document.texts.items(), key=lambda item: -item[1][0]):
        if path in texts:
            text = text[:start] + texts[path] + text[end:]
    return text

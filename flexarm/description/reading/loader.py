"""Reading of input files, which are opened nowhere else: YAML -> validated arm, trajectory or sweep."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from flexarm.arguments import check_text, file_path
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.coupling_matrices import CouplingMatrices
from flexarm.description.arm.link.sections.outline import section_of_rings
from flexarm.description.reading.joint_rows import JointMotions, joint_rows
from flexarm.description.reading.json_schema import arm_json_schema
from flexarm.description.reading.messages import problems
from flexarm.description.reading.parameters import Resolution, resolve
from flexarm.description.reading.segment_choice import choose_segments
from flexarm.description.reading.state_space_file import read_state_space
from flexarm.description.reading.text_file import UnreadableFile, read_text
from flexarm.description.reading.yaml_files.written_out import written_out
from flexarm.description.reading.yaml_files.yaml_document import Document
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import InputModel, KeyPath, located, wrong
from flexarm.description.values.number_tables import Rows, column_names, parse_rings, parse_rows
from flexarm.errors import InputProblem, SpecError

if TYPE_CHECKING:
    from flexarm.description.motion.trajectory import Trajectory
    from flexarm.description.sweep.sweep_description import SweepDescription

__all__ = [
    "arm_json_schema",
    "load_arm",
    "load_rows",
    "load_sweep",
    "load_trajectory",
    "parse_arm",
    "parse_trajectory",
    "sweep_from_entries",
]

Described = TypeVar("Described", bound=InputModel)

LARGEST_YAML = 16_000_000  # bytes
LARGEST_TABLE = 64_000_000


def load_arm(path: str | Path) -> Arm:
    """Read and validate an arm description.

    Parameters
    ----------
    path : str or Path
        YAML file; tables that it names are looked for in its folder.

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
    (document, resolution), tables = _resolved(text, source, Arm), _Tables(folder)

    def validated(one: Document) -> Arm:
        return _validated(Arm, one, source, tables.context)

    try:
        decided, choices = choose_segments(document, validated, numbers)
    except ValidationError as error:
        raise SpecError(problems(error, document, source, Arm)) from None
    arm = validated(decided)
    if faults := tables.unit_faults(document, arm.joints):
        raise SpecError(problems(located(faults), document, source, Arm))
    written = tables.texts(document)
    arm._open_text = _with_texts(document, written)
    segments = {("links", one.link, "segments"): f"{one.segments}" for one in choices}
    arm._text = _with_texts(document, {**written, **segments})
    arm._segment_choices = choices
    arm._result_files = tables.result_files
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
        YAML file; tables that it names are looked for in its folder.

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
    (document, _), tables = _resolved(text, source, Trajectory), _Tables(folder)
    trajectory = _validated(Trajectory, document, source, tables.context)
    trajectory._text, trajectory._source = _with_texts(document, tables.texts(document)), source
    return trajectory


def load_rows(path: str | Path, columns: Sequence[str]) -> Rows:
    """Read a table of numbers, the first column of which increases.

    Parameters
    ----------
    path : str or Path
        CSV file.
    columns : sequence of str
        What its columns are, each with its unit.

    Raises
    ------
    SpecError
        The file cannot be read, or a line is not what such a table holds.
    """
    path = file_path("path", path)
    _, rows = load_table(path)
    if len(rows[0]) != len(columns):
        message = f"got {len(rows[0])} columns, expected {len(columns)}: {', '.join(columns)}"
        raise SpecError([InputProblem(str(path), None, "", message)])
    return rows


def load_table(path: str | Path) -> tuple[tuple[str, ...], Rows]:
    """Read a table of numbers, the first column of which increases, and what its header calls its columns.

    Parameters
    ----------
    path : str or Path
        CSV file.

    Returns
    -------
    names : tuple of str
        None without a header.
    rows : tuple of tuple of float

    Raises
    ------
    SpecError
        The file cannot be read, or a line is not what such a table holds.
    """
    path = file_path("path", path)
    try:
        text = read_text(path, LARGEST_TABLE, "a table of numbers")
        return column_names(text), parse_rows(text, str(path))
    except UnreadableFile as error:
        raise SpecError([InputProblem(str(path), error.line, "", error.message, error.hint)]) from None
    except PydanticCustomError as error:
        found = error.context or {}
        raise SpecError(
            [InputProblem(str(path), found.get("line"), "", found["message"], found["hint"])]
        ) from None


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
    sweep = _validated(SweepDescription, document, str(path))
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

    return _validated(SweepDescription, Document("", entries), "sweep")


class _Tables:
    """Tables, matrices and results of inverse runs that a description names: read, and kept for its text."""

    def __init__(self, folder: str | Path | None):
        self._folder, self._read, self._matrices = folder, dict[str, Rows](), dict[str, str]()
        self._outlines = dict[str, tuple[Rows, ...]]()
        self._results = dict[str, JointMotions]()
        self._state_spaces = dict[str, str]()

    @property
    def context(self) -> dict[str, Any] | None:
        """Context of the validation; None where the text may name no files."""
        if self._folder is None:
            return None
        return {
            "read_table": self._rows,
            "read_matrices": self._coupling_matrices,
            "read_rings": self._rings,
            "read_result": self._joint_rows,
            "read_state_space": self._state_space,
        }

    def _rows(self, name: str) -> Rows:
        path, text = self._text(name, LARGEST_TABLE, "a table of numbers")
        self._read[name] = parse_rows(text, path)
        return self._read[name]

    def _rings(self, name: str) -> tuple[Rows, ...]:
        path, text = self._text(name, LARGEST_TABLE, "an outline")
        self._outlines[name] = parse_rings(text, path)
        return self._outlines[name]

    def _coupling_matrices(self, name: str) -> CouplingMatrices:
        path, text = self._text(name, LARGEST_YAML, "matrices of a link")
        try:
            document = read_yaml(text, path)
            matrices = _validated(CouplingMatrices, document, path)
        except SpecError as error:
            found = [((), wrong(_keyed(one), one.hint, source=path, line=one.line)) for one in error.problems]
            raise located(found) from None
        self._matrices[name] = json.dumps(document.data)
        return matrices

    def _state_space(self, name: str) -> dict[str, list[list[float]]]:
        path = self._path(name)
        try:
            matrices = read_state_space(path)
        except UnreadableFile as error:
            raise wrong(error.message, error.hint, source=str(path), line=error.line) from None
        self._state_spaces[name] = json.dumps(matrices)
        return matrices

    def _text(self, name: str, largest: int, what: str) -> tuple[str, str]:
        """Path and text of a file beside the description."""
        path = self._path(name)
        try:
            return str(path), read_text(path, largest, what)
        except UnreadableFile as error:
            raise wrong(error.message, error.hint, source=str(path), line=error.line) from None

    def _joint_rows(self, name: str) -> tuple[Rows, ...]:
        if name not in self._results:
            self._results[name] = joint_rows(self._path(name))
        return self._results[name].rows

    def _path(self, name: str) -> Path:
        return Path(self._folder or "") / name

    @property
    def result_files(self) -> frozenset[Path]:
        """Results of inverse runs that are followed, links resolved."""
        return frozenset(self._path(name).resolve() for name in self._results)

    def unit_faults(
        self, document: Document, joints: Sequence[Joint]
    ) -> list[tuple[KeyPath, PydanticCustomError]]:
        """Faults of joints that follow one of another kind, an angle where they slide or the reverse."""
        found = []
        for path in self._followed(document):
            motions, i = self._results[_value_at(document.data, path)], int(path[1])
            if (unit := motions.units[i]) != (own := joints[i].kind.unit):
                message = f"got a motion of joint {i + 1} in {unit}, expected one in {own}"
                found.append((path, wrong(message, "the result is that of another arm")))
        return found

    def _followed(self, document: Document) -> list[KeyPath]:
        """Paths at which the name of a result stands that has been read."""
        return [
            path
            for path in document.texts
            if path[:1] == ("drive",)
            and path[-1] == "result"
            and _value_at(document.data, path) in self._results
        ]

    def texts(self, document: Document) -> dict[KeyPath, str]:
        """Text, for a document, of what the files hold whose names stand at its paths."""
        found: dict[KeyPath, Rows] = {}
        for path in document.texts:
            name = _value_at(document.data, path)
            if path[-1:] == ("table",) and name in self._read:
                found[path] = self._read[name]
        for path in self._followed(document):
            found[path] = self._results[_value_at(document.data, path)].rows[int(path[1])]
        texts = {
            path: json.dumps("".join(", ".join(map(repr, row)) + "\n" for row in rows))
            for path, rows in found.items()
        }
        for path in document.texts:
            if path[-1:] == ("matrices",) and (name := _value_at(document.data, path)) in self._matrices:
                texts[path] = self._matrices[name]
            if (
                path[-1:] == ("state_space",)
                and (name := _value_at(document.data, path)) in self._state_spaces
            ):
                texts[path] = self._state_spaces[name]
            if path[-1:] == ("polygon",) and (name := _value_at(document.data, path)) in self._outlines:
                texts[path] = json.dumps(section_of_rings(self._outlines[name]).given)
        return texts


def _validated(
    model: type[Described], document: Document, source: str, context: dict[str, Any] | None = None
) -> Described:
    try:
        return model.model_validate(document.data, context=context)
    except ValidationError as error:
        raise SpecError(problems(error, document, source, model)) from None


def _keyed(problem: InputProblem) -> str:
    """Message of a problem with the key that it is about."""
    return f"{problem.key}: {problem.message}" if problem.key else problem.message


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


def _value_at(data: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        data = data[part]
    return data

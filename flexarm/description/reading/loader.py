"""Reading of input files, which are opened nowhere else: YAML -> validated arm, trajectory or sweep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from flexarm.description.arm.arm import Arm
from flexarm.description.reading.json_schema import arm_json_schema
from flexarm.description.reading.messages import problems
from flexarm.description.reading.text_file import UnreadableFile, read_text
from flexarm.description.reading.yaml_text import Document, read_yaml
from flexarm.description.values.input_model import InputModel, wrong
from flexarm.description.values.number_tables import Rows, parse_rows
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
    """
    path = Path(path)
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
    """
    arm, arm_text = _parse(Arm, text, source, folder)
    arm._text = arm_text
    return arm


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
    """
    path = Path(path)
    return parse_trajectory(_yaml_of(path, "a trajectory"), source=str(path), folder=path.parent)


def parse_trajectory(text: str, *, source: str = "<text>", folder: str | Path | None = None) -> Trajectory:
    """Validate a trajectory that is already text; parameters and errors as of :func:`parse_arm`."""
    from flexarm.description.motion.trajectory import Trajectory  # arms are read quicker without

    trajectory, own_text = _parse(Trajectory, text, source, folder)
    trajectory._text, trajectory._source = own_text, source
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


def _parse(
    model: type[Described], text: str, source: str, folder: str | Path | None
) -> tuple[Described, str]:
    """Validate a text; return what it describes and the text with the numbers of its tables in it."""
    document = read_yaml(text, source)
    tables: dict[str, Rows] = {}

    def read_table(name: str) -> Rows:
        path = Path(folder or "") / name
        try:
            text = read_text(path, LARGEST_TABLE, "a table of numbers")
        except UnreadableFile as error:
            raise wrong(error.message, error.hint, source=str(path), line=error.line) from None
        tables[name] = parse_rows(text, str(path))
        return tables[name]

    context = {"read_table": read_table} if folder is not None else None
    return _validated(model, document, source, context), _with_tables(document, tables)


def _validated(
    model: type[Described], document: Document, source: str, context: dict[str, Any] | None = None
) -> Described:
    try:
        return model.model_validate(document.data, context=context)
    except ValidationError as error:
        raise SpecError(problems(error, document, source, model)) from None


def _yaml_of(path: Path, what: str) -> str:
    try:
        return read_text(path, LARGEST_YAML, what)
    except UnreadableFile as error:
        raise SpecError([InputProblem(str(path), error.line, "", error.message, error.hint)]) from None


def _with_tables(document: Document, tables: dict[str, Rows]) -> str:
    """Text of the document with the numbers of table files in place of their names."""
    text = document.text
    for path, (start, end) in sorted(document.texts.items(), key=lambda item: -item[1][0]):
        name = _value_at(document.data, path)
        if path[-1] == "table" and name in tables:
            rows = "".join(", ".join(map(repr, row)) + "\n" for row in tables[name])
            text = text[:start] + json.dumps(rows) + text[end:]
    return text


def _value_at(data: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        data = data[part]
    return data

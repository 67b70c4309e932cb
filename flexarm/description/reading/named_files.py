"""Files that a description names: tables, outlines, matrices, state spaces and results of inverse runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_core import PydanticCustomError

from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.coupling_matrices import CouplingMatrices
from flexarm.description.arm.link.sections.outline import section_of_rings
from flexarm.description.reading.joint_rows import JointMotions, joint_rows
from flexarm.description.reading.number_files import LARGEST_TABLE
from flexarm.description.reading.state_space_file import read_state_space
from flexarm.description.reading.text_file import UnreadableFile, read_text
from flexarm.description.reading.validation import validated_model
from flexarm.description.reading.yaml_files.yaml_document import Document
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import KeyPath, located, wrong
from flexarm.description.values.number_tables import Rows, parse_rings, parse_rows
from flexarm.errors import InputProblem, SpecError

LARGEST_YAML = 16_000_000  # bytes


class NamedFiles:
    """Files that a description names, beside it: read when it is validated, and kept for its text."""

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
            matrices = validated_model(CouplingMatrices, document, path)
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


def _keyed(problem: InputProblem) -> str:
    """Message of a problem with the key that it is about."""
    return f"{problem.key}: {problem.message}" if problem.key else problem.message


def _value_at(data: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        data = data[part]
    return data

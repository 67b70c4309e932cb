"""Tables of numbers in files of their own, which commands and measurements name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic_core import PydanticCustomError

from flexarm.arguments import file_path
from flexarm.description.reading.text_file import UnreadableFile, read_text
from flexarm.description.values.number_tables import Rows, column_names, parse_rows
from flexarm.errors import InputProblem, SpecError

LARGEST_TABLE = 64_000_000  # bytes


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

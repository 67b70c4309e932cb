"""Tables of numbers as text: a CSV file, or the same rows typed into the YAML as a block of text.

Columns are separated by commas, semicolons or white space; one header line and lines that start with ``#``
are skipped. The first column (time, or distance along the link) must increase.
"""

from __future__ import annotations

import itertools
import math
import re
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from flexarm.description.values.input_model import expected, wrong

CLOSEST = 1e-12
"""Smallest distance of two stations or times, as a fraction of all."""

Rows = tuple[tuple[float, ...], ...]


def is_file_name(value: Any) -> bool:
    """True if a ``table`` value names a file; several lines are the table itself."""
    return isinstance(value, str) and "\n" not in value.strip()


def parse_rows(text: str, source: str | None = None, *, increasing: bool = True) -> Rows:
    """Rows of a table, every one as wide as the first; the first column increases unless said otherwise.

    Raises
    ------
    ValueError
        The first line that is not what a table holds, with its number.
    """
    rows: list[tuple[float, ...]] = []
    header_allowed = True
    for line, content in enumerate(text.splitlines(), start=1):
        content = content.strip()
        if not content or content.startswith("#"):
            continue
        row, word = _numbers(content)
        if word is not None:
            if header_allowed and not rows and len(row) == 0:
                header_allowed = False
                continue
            shown = repr(word) if rows or row else "text"  # a file that is no table is not quoted
            raise _at(source, line, f"got {shown}, expected a number")
        _check_row(row, rows, source, line, increasing)
        rows.append(row)
    if len(rows) < 2:
        raise _at(source, None, f"got {len(rows)} rows of numbers, expected at least 2")
    for (before, *_), (after, *_) in itertools.pairwise(rows) if increasing else ():
        if after - before < CLOSEST * (rows[-1][0] - rows[0][0]):
            raise _at(source, None, f"got {after} after {before}, too close to tell them apart")
    return tuple(rows)


def column_names(text: str) -> tuple[str, ...]:
    """Names of the columns of a table by its header line; none without one."""
    for content in map(str.strip, text.splitlines()):
        if content and not content.startswith("#"):
            numbers, word = _numbers(content)
            return () if numbers or word is None else split_columns(content)
    return ()


def split_columns(text: str) -> tuple[str, ...]:
    """Parts of a line between commas, semicolons or tabs that stand in no brackets, or else white space."""
    separator = r"[,;\t]" if re.search(r"[,;\t](?![^\[]*\])", text) else r"\s+"
    return tuple(
        part.strip().strip('"') for part in re.split(rf"{separator}(?![^\[]*\])", text.strip().rstrip(",;"))
    )


def parse_rings(text: str, source: str | None = None) -> tuple[Rows, ...]:
    """Corners y, z of an outline, then of the holes in it, each after an empty line; errors as of `parse_rows`."""
    blocks = re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n").strip("\n"))
    rings = tuple(parse_rows(block, source, increasing=False) for block in blocks)
    for ring in rings:
        if len(ring[0]) != 2:
            raise wrong(f"got {len(ring[0])} columns, expected 2: y and z", source=source)
    return rings


def _numbers(content: str) -> tuple[tuple[float, ...], str | None]:
    """The numbers before the first word that is none, and that word."""
    numbers = []
    for word in re.split(r"\s*[,;]\s*|\s+", content.rstrip(",; ")):
        try:
            numbers.append(float(word if "_" not in word else ""))  # Python would read 1_0 as 10
        except ValueError:
            return tuple(numbers), word
    return tuple(numbers), None


def _check_row(
    row: tuple[float, ...], rows: list[tuple[float, ...]], source: str | None, line: int, increasing: bool
) -> None:
    if not all(math.isfinite(number) for number in row):
        raise _at(source, line, f"got {', '.join(map(str, row))}, expected finite numbers")
    if len(row) < 2:
        raise _at(source, line, "got 1 column, expected at least 2", "separate columns by commas or spaces")
    if rows and len(row) != len(rows[0]):
        raise _at(source, line, f"got {len(row)} columns, expected {len(rows[0])} as in the rows above")
    if increasing and rows and row[0] <= rows[-1][0]:
        raise _at(source, line, f"got {row[0]} after {rows[-1][0]}, expected an increasing first column")


def _at(source: str | None, line: int | None, message: str, hint: str = "") -> Exception:
    if source is None and line is not None:
        return wrong(f"row {line} of the table: {message}", hint)
    return wrong(message, hint, source=source, line=line)


def _read(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, tuple):
        return value
    if not isinstance(value, str):
        raise expected("the name of a table file, or the rows themselves as text on several lines")
    if not is_file_name(value):
        return parse_rows(value)
    read_table = (info.context or {}).get("read_table")
    if read_table is None:
        raise wrong(
            f"got the file {value!r}, but this text has no folder to look for files in",
            "type the rows themselves, on several lines",
        )
    return read_table(value)


Table = Annotated[
    Rows,
    BeforeValidator(_read),
    WithJsonSchema({"type": "string", "examples": ["stiffness.csv"]}),
]
"""Rows of numbers; typed as the name of a CSV file beside the YAML file, or as text on several lines."""

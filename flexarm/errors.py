"""Exceptions of the package and their exit codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_PROBLEMS = 20
"""Problems of one input that are shown; of more of them, the number."""


def printable(text: str) -> str:
    """Text with its control characters, lines apart, as escape sequences: safe for any terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


class FlexarmError(Exception):
    """Base of all failures that flexarm explains to its user; never shown with a traceback.

    Attributes
    ----------
    message : str
        What failed.
    hint : str
        What to do about it; may be empty. A parameter of the public functions stands in backticks ("pass `overwrite`
        to replace it"); the command line writes its option in that place.
    """

    exit_code = 3

    def __init__(self, message: str = "", *, hint: str = ""):
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return printable(self.message + (f" ({self.hint})" if self.hint else ""))


@dataclass(frozen=True)
class InputProblem:
    """Problem of an input file: its place, what was found, what was expected.

    Attributes
    ----------
    source : str
        File the input came from.
    line : int or None
        Line in that file, counted from 1.
    key : str
        Dotted path of the key, e.g. ``links[1].EI``; empty for the whole file.
    message : str
        What was found and what was expected.
    hint : str
        What to do about it; may be empty.
    """

    source: str
    line: int | None
    key: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        parts = [place, self.key, self.message] if self.key else [place, self.message]
        return printable(": ".join(parts) + (f" ({self.hint})" if self.hint else ""))


class SpecError(FlexarmError):
    """Invalid input file or entries; carries every problem found, and shows the first ones, one per line."""

    exit_code = 2

    def __init__(self, problems: Sequence[InputProblem]):
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:MOST_PROBLEMS]]
        if len(self.problems) > MOST_PROBLEMS:
            lines[-1] = f"and {len(self.problems) - MOST_PROBLEMS + 1} more problems"
        super().__init__("\n".join(lines))


class ModelError(FlexarmError):
    """Valid description that leads to equations without a solution, e.g. a massless mode."""

    exit_code = 2


class SolverError(FlexarmError):
    """Failed computation; results up to then are saved and marked incomplete."""

    exit_code = 3


class ResultError(FlexarmError):
    """Result or output file that cannot be read or written."""

    exit_code = 4

"""Tables as plain text, and the rows of docs/speed.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a header: the first column to the left, the others to the right; None leaves a gap."""
    cells = [[*header], *(["" if cell is None else str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    for row in cells:
        first, *others = (cell.ljust(width) if k == 0 else cell.rjust(width)
                          for k, (cell, width) in enumerate(zip(row, widths, strict=True)))  # fmt: skip
        print("  ".join([first, *others]).rstrip())
    print()


class SpeedRow(NamedTuple):
    """A row of docs/speed.md: flexarm beside another way to the same numbers, or by itself.

    Attributes
    ----------
    what : str
        What is computed.
    seconds : float [s]
        What flexarm takes for it.
    other : str
        What it is compared with, if anything.
    other_seconds : float [s]
    """

    what: str
    seconds: float
    other: str = ""
    other_seconds: float = 0.0

    def markdown(self, script: str) -> str:
        """The row as it stands in the page, the ratio first."""
        own, where = duration(self.seconds), f"`benchmarks/{script}`"
        if not self.other:
            return f"| {own} | {self.what} | {where} |"
        ratio, others = two_digits(self.other_seconds / self.seconds), duration(self.other_seconds)
        return f"| {ratio} | {self.what} | {own} | {self.other}: {others} | {where} |"


def print_speed_rows(script: str, rows: Sequence[SpeedRow | None]) -> None:
    """Print those rows of docs/speed.md that a script (its ``__file__``) has measured; None: it could not."""
    found = [row.markdown(Path(script).name) for row in rows if row is not None]
    if found:
        print("for docs/speed.md:", *found, sep="\n")


def duration(seconds: float) -> str:
    """Two digits of a time in s, ms or us."""
    unit = next((name for name, size in UNITS.items() if seconds >= 0.995 * size), "us")
    return f"{two_digits(seconds / UNITS[unit])} {unit}"


def two_digits(number: float) -> str:
    """Round to two significant digits."""
    return f"{float(f'{number:.2g}'):g}" if number >= 1 else f"{number:.2g}"

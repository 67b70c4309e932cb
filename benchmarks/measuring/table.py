"""Tables as plain text."""

from __future__ import annotations

from collections.abc import Sequence


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a header: the first column to the left, the others to the right; None leaves a gap."""
    cells = [[*header], *(["" if cell is None else str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    for row in cells:
        first, *others = (cell.ljust(width) if k == 0 else cell.rjust(width)
                          for k, (cell, width) in enumerate(zip(row, widths, strict=True)))  # fmt: skip
        print("  ".join([first, *others]).rstrip())
    print()

"""Output of the commands: results on stdout, warnings and progress on stderr."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click

from flexarm.cli.terminal.stages import stages
from flexarm.cli.terminal.status_line import clock, columns, status_line

PATIENCE = 1.0  # s: what is done sooner shows no progress
REFRESH = 0.1  # s between two states of the progress line
BAR, LEAST_BAR = 30, 5  # characters


class _StderrHandler(logging.Handler):
    """Writes log messages on stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        status_line.clear()
        click.echo(f"flexarm: {record.getMessage()}", err=True)


@dataclass(frozen=True)
class Console:
    """Output of one command, as much of it as -v and -q ask for.

    Attributes
    ----------
    verbose : bool
        Whether `detail` is shown.
    quiet : bool
        Whether nothing but errors is shown.
    """

    verbose: bool = False
    quiet: bool = False

    def listen(self) -> None:
        """Write log messages of the library, such as that something takes long the first time."""
        logger = logging.getLogger("flexarm")
        logger.setLevel(logging.ERROR if self.quiet else logging.INFO)
        logger.handlers = [_StderrHandler()]
        stages.shown = not self.quiet and sys.stderr.isatty()

    def write(self, text: str = "") -> None:
        """Write a line for the user."""
        if not self.quiet:
            click.echo(text)

    def detail(self, text: str) -> None:
        """Write a line that only -v shows."""
        if self.verbose:
            click.echo(text)

    def warn(self, text: str) -> None:
        """Write a warning on stderr."""
        if not self.quiet:
            click.echo(f"flexarm: warning: {text}", err=True)

    def table(self, rows: Sequence[Sequence[str]], sides: str) -> None:
        """Write rows in columns, each set left or right as its character of `sides` says, < or >."""
        columns = list(zip(*rows, strict=True))
        widths = [max(map(len, column)) for column in columns]
        for row in rows:
            cells = (f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True))
            self.write("  " + "  ".join(cells).rstrip())

    @contextmanager
    def progress(self, label: str) -> Iterator[Callable[[float, float | None], None] | None]:
        """Show on a terminal how far a computation is; the body receives a function (fraction, t) or None."""
        if self.quiet or not sys.stderr.isatty():
            yield None
            return
        line = ProgressLine(label)
        try:
            yield line.update
        finally:
            line.clear()


class ProgressLine:
    """Progress line on stderr: how far a computation is and how long it will take."""

    def __init__(self, label: str):
        self.label = label
        self.start = time.monotonic()
        self.shown = self.start + PATIENCE - REFRESH

    def update(self, fraction: float, t: float | None) -> None:
        """Redraw the line, if it is time to.

        Parameters
        ----------
        fraction : float
            How much is done, 0 to 1.
        t : float or None
            Simulated time reached [s], if there is such a thing.
        """
        now = time.monotonic()
        if now - self.shown < REFRESH:
            return
        self.shown = now
        left = (now - self.start) * (1 - fraction) / fraction if fraction > 0 else float("inf")
        reached = "" if t is None else f"  t = {t:{'.2f' if t >= 1 else '.3g'}} s"
        status_line.draw(
            _fitted(self.label, fraction, f"{fraction:4.0%}{reached}  {clock(left)} left", columns() - 1)
        )

    def clear(self) -> None:
        """Take the line away."""
        status_line.clear()


def _fitted(label: str, fraction: float, status: str, width: int) -> str:
    """A progress line of no more than `width` characters: its bar shortens, then goes, then the end is cut."""
    bar = min(BAR, width - len(f"{label} [] {status}"))
    if bar >= LEAST_BAR:
        return f"{label} [{'#' * round(bar * fraction):<{bar}}] {status}"
    return f"{label} {status}"[:width]


def counted(number: int, noun: str) -> str:
    """Write 1 link, 2 links."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

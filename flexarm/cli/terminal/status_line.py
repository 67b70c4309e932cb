"""The one line on a terminal that is written over again: how far a computation is, or what it does."""

from __future__ import annotations

import os
import sys
from threading import Lock

NO_TERMINAL = 80  # columns where there is no terminal to ask


class StatusLine:
    """Line at the end of stderr that each text takes from the one before; any thread may write."""

    def __init__(self) -> None:
        self._width = 0
        self._lock = Lock()

    def draw(self, text: str) -> None:
        """Show a text in the place of what is shown; what does not fit the terminal is cut."""
        with self._lock:
            text = text[: columns() - 1]
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = len(text)

    def clear(self) -> None:
        """Take the line away."""
        with self._lock:
            if self._width:
                sys.stderr.write("\r" + " " * self._width + "\r")
                sys.stderr.flush()
                self._width = 0


status_line = StatusLine()


def columns() -> int:
    """Width of the terminal behind stderr, which need not be that of stdout."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or NO_TERMINAL
    except (OSError, ValueError):
        return NO_TERMINAL


def clock(seconds: float) -> str:
    """Write a duration as 0:07, 12:30 or 3:02:00."""
    if seconds == float("inf"):
        return "?"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

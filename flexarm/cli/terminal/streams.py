"""Standard streams that fail no command: closed, full or unable to show a character, the exit code is the run's."""

from __future__ import annotations

import io
import os
import sys


class TolerantStream(io.TextIOWrapper):
    """Text stream that drops what its file does not take any more."""

    def write(self, text: str) -> int:
        """Write as much as can be written."""
        try:
            return super().write(text)
        except OSError:
            self._drop()
            return len(text)

    def flush(self) -> None:
        """Write what is buffered, or drop it."""
        try:
            super().flush()
        except OSError:
            self._drop()

    def _drop(self) -> None:
        """Lead all that is still to come to nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def tolerate_streams() -> None:
    """Make stdout and stderr of this process tolerant; characters that they cannot show become escape sequences."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:  # closed: no file that is opened later may take its place
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
    for fd, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            tolerant = TolerantStream(os.fdopen(fd, "wb"), encoding="utf-8", errors="backslashreplace")
        else:
            encoding, by_lines = stream.encoding, stream.line_buffering
            tolerant = TolerantStream(
                stream.detach(), encoding=encoding, errors="backslashreplace", line_buffering=by_lines
            )
        setattr(sys, name, tolerant)

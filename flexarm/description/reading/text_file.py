"""Text files: size, encoding and line ends."""

from __future__ import annotations

from pathlib import Path


class UnreadableFile(Exception):
    """File that is no readable text."""

    def __init__(self, message: str, hint: str = "", line: int | None = None):
        super().__init__(message)
        self.message, self.hint, self.line = message, hint, line


def read_text(path: Path, largest: int, what: str) -> str:
    """Read a UTF-8 text file of at most `largest` bytes, with newlines as line ends.

    Raises
    ------
    UnreadableFile
        With what was expected instead, which `what` names.
    """
    try:
        if path.is_dir():
            raise UnreadableFile(f"is a folder, expected {what}")
        if path.exists() and not path.is_file():
            raise UnreadableFile(f"is a pipe or a device, expected a file with {what}")
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except FileNotFoundError:
        raise UnreadableFile("no such file") from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > largest:
        raise UnreadableFile(f"more than {largest // 1_000_000} MB, expected {what}")
    if b"\0" in data:
        raise UnreadableFile(f"not a text file, expected {what}", "save it as UTF-8 text")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {data[error.start]:#04x} is not UTF-8 text"
        raise UnreadableFile(message, "save the file as UTF-8", line) from None

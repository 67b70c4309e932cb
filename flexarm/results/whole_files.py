"""Files of text or bytes that appear whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from flexarm.results.atomic_files import AtomicFile, as_result_error, check_target


def write_files(contents: Mapping[Path, str | bytes], overwrite: bool = False) -> None:
    """Write files; none of them if one of them cannot be written or exists already.

    Raises
    ------
    ResultError
        See :func:`~flexarm.results.atomic_files.check_target`.
    """
    for path in contents:
        check_target(path, overwrite)
    for path, content in contents.items():
        with AtomicFile(path, overwrite) as pending, as_result_error("write", pending.target):
            pending.part.write_bytes(content if isinstance(content, bytes) else content.encode())

"""Figures saved to files."""

from __future__ import annotations

import os

from matplotlib.figure import Figure

from flexarm.errors import ResultError
from flexarm.plots.drawing.style import DPI
from flexarm.results.storage.atomic_files import AtomicFile, as_result_error, check_target


def save_figure(figure: Figure, path: str | os.PathLike, overwrite: bool = True) -> None:
    """Write a figure whole or not at all; the ending of `path` chooses the format (png, pdf, svg).

    Raises
    ------
    ResultError
        If the format is unknown or the file cannot be written.
    """
    kind = os.path.splitext(path)[1][1:].lower()
    known = figure.canvas.get_supported_filetypes()
    if kind not in known:
        raise ResultError(
            f"cannot write {path}: unknown picture format {kind!r}; choose one of {', '.join(known)}"
        )
    check_target(path, overwrite)
    with AtomicFile(path, overwrite) as pending, as_result_error("write", pending.target):
        figure.savefig(pending.part, format=kind, dpi=DPI)

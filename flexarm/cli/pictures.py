"""Draw the pictures of a result into a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flexarm.cli.terminal.console import Console
from flexarm.errors import SolverError

if TYPE_CHECKING:
    from flexarm.analysis.control_design.control_design import ControlDesign
    from flexarm.results.result import Result
    from flexarm.sweeps.sensitivity.gradient import Gradient
    from flexarm.sweeps.sweep_result import SweepResult


def picture_folder(result_path: Path) -> Path:
    """Folder for the pictures of a result file: beside it and named like it."""
    name = result_path.stem if result_path.suffix else f"{result_path.name}-pictures"
    return result_path.with_name(name)


def draw(
    result: Result | SweepResult | Gradient | ControlDesign,
    folder: Path,
    console: Console,
    names: Sequence[str] = (),
) -> None:
    """Draw the pictures of a result and write their paths.

    Pictures can be drawn again from their result at any time, so older ones of the same name are replaced.

    Parameters
    ----------
    result : Result, SweepResult, Gradient or ControlDesign
        What to draw.
    folder : Path
        Where the files NAME.png go; created if need be.
    console : Console
        Where the paths are written.
    names : sequence of str
        Pictures to draw; all by default.

    Raises
    ------
    click.UsageError
        If the result has no picture of a name.
    ResultError
        If a file cannot be written.
    SolverError
        If it is interrupted.
    """
    with _drawing():
        # Matplotlib takes a good part of a second to import: not before the simulation is done.
        from flexarm.plots.drawing.saving import save_figure
        from flexarm.plots.registry import standard_figures

        figures = standard_figures(result)
        unknown = [name for name in names if name not in figures]
        if unknown:
            raise click.UsageError(f"no figure '{unknown[0]}'; this result has {', '.join(figures)}")
        chosen = names or list(figures)
        with console.progress("drawing") as progress:
            for done, name in enumerate(chosen):
                if progress:
                    progress(done / len(chosen), None)
                save_figure(figures[name](), folder / f"{name}.png")
        for name in chosen:
            console.write(f"{folder / name}.png")


@contextmanager
def _drawing() -> Iterator[None]:
    """Say of an interruption that it came when the result was there already."""
    try:
        yield
    except KeyboardInterrupt:
        raise SolverError(
            "interrupted while drawing; what was computed is whole, pictures are missing"
        ) from None


def draw_overlays(results: Sequence[Result], labels: Sequence[str], folder: Path, console: Console) -> None:
    """Draw several results into the same pictures, labelled, and write their paths."""
    with _drawing():
        from flexarm.plots.drawing.saving import save_figure
        from flexarm.plots.overlay import overlays

        for name, figure in overlays(results, labels).items():
            save_figure(figure(), folder / f"{name}.png")
            console.write(f"{folder / name}.png")

"""`flexarm plot`: the pictures of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

import flexarm
from flexarm.cli.options import console_options
from flexarm.cli.pictures import draw, draw_overlays, picture_folder
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.results.result import Result

EPILOG = """\b
Example:
  flexarm plot outputs/usoro-two-link.h5
  flexarm plot outputs/usoro-two-link.h5 --figure stroboscope -o pictures
  flexarm plot outputs/usoro-two-link.h5 outputs/gibbs-appell.h5 --label articulated --label gibbs-appell -o pictures

Several results are overlaid too, in pictures named overlay-*.png.
"""


@click.command(epilog=EPILOG)
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the pictures [default: a folder beside each FILE, named like it].",
)
@click.option("--figure", "names", multiple=True, metavar="NAME", help="Only this picture; may be repeated.")
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="TEXT",
    help="Name of a FILE in overlays, one for each in their order [default: their names].",
)
@console_options
def plot(
    files: tuple[Path, ...],
    output: Path | None,
    names: tuple[str, ...],
    labels: tuple[str, ...],
    console: Console,
) -> None:
    """Draw the pictures of results as PNG files; pictures of an earlier run are replaced."""
    from flexarm.sweeps.sweep_reader import open_any

    if labels and (len(labels) != len(files) or len(files) == 1):
        raise click.UsageError(
            f"--label: got {len(labels)} for {len(files)} FILE{'s' * (len(files) > 1)}; each of several takes one"
        )
    results = [open_any(path) for path in files]
    for path, result in zip(files, results, strict=True):
        folder = picture_folder(path)
        if output is not None:
            folder = output if len(files) == 1 else output / folder.name
        draw(result, folder, console, names=names)
    motions = [k for k, result in enumerate(results) if _moves(result)]
    if len(motions) > 1 and not names:
        alike = cast("list[Result]", [results[k] for k in motions])
        called = [labels[k] if labels else files[k].stem for k in motions]
        draw_overlays(alike, called, output or files[0].parent, console)


def _moves(result: object) -> bool:
    """Return whether a result is of a motion: neither a sweep nor an arm at rest."""
    from flexarm.results.schema import STATIC

    return isinstance(result, flexarm.Result) and result.kind not in STATIC

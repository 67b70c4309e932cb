"""`flexarm plot`: the pictures of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

import flexarm
from flexarm.cli.console import Console
from flexarm.cli.options import console_options
from flexarm.cli.pictures import draw, draw_overlays, picture_folder

if TYPE_CHECKING:
    from flexarm.results.result import Result

EPILOG = """\b
Example:
  flexarm plot outputs/usoro-two-link.h5
  flexarm plot outputs/usoro-two-link.h5 --figure stroboscope -o pictures
  flexarm plot outputs/korayem-1994-clamped-inverse.h5 outputs/korayem-1994-simply-supported-inverse.h5 -o pictures

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
@console_options
def plot(files: tuple[Path, ...], output: Path | None, names: tuple[str, ...], console: Console) -> None:
    """Draw the pictures of results as PNG files; pictures of an earlier run are replaced."""
    from flexarm.sweeps.sweep_reader import open_any

    results = [open_any(path) for path in files]
    for path, result in zip(files, results, strict=True):
        folder = picture_folder(path)
        if output is not None:
            folder = output if len(files) == 1 else output / folder.name
        draw(result, folder, console, names=names)
    motions = [k for k, result in enumerate(results) if isinstance(result, flexarm.Result)]
    if len(motions) > 1 and not names:
        alike, labels = [results[k] for k in motions], [files[k].stem for k in motions]
        draw_overlays(cast("list[Result]", alike), labels, output or files[0].parent, console)

"""`flexarm plot`: the pictures of results."""

from __future__ import annotations

from pathlib import Path

import click

import flexarm
from flexarm.cli.console import Console
from flexarm.cli.options import console_options
from flexarm.cli.pictures import draw, picture_folder

EPILOG = """\b
Example:
  flexarm plot outputs/usoro-two-link.h5
  flexarm plot outputs/usoro-two-link.h5 --figure stroboscope -o pictures
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
    for path in files:
        folder = picture_folder(path)
        if output is not None:
            folder = output if len(files) == 1 else output / folder.name
        draw(flexarm.open_result(path), folder, console, names=names)

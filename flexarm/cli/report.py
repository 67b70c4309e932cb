"""`flexarm report`: a result in, a page about it out."""

from __future__ import annotations

from pathlib import Path

import click

import flexarm
from flexarm.cli.options import console_options, overwrite_option
from flexarm.cli.pictures import picture_folder
from flexarm.cli.terminal.console import Console
from flexarm.cli.terminal.interrupt import interruptible

EPILOG = """\b
Example:
  flexarm report outputs/usoro-two-link.h5
  flexarm report outputs/usoro-two-link.h5 -o outputs/usoro.html --no-animation

The page is one file and loads nothing from the network. It has the pictures, and a 3D view of the arm to turn and play.
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Page [default: report.html in a folder beside FILE, named like it].",
)
@overwrite_option
@click.option(
    "--animation/--no-animation", default=True, help="Show the arm in motion, in a 3D view [default: yes]."
)
@console_options
def report(file: Path, output: Path | None, overwrite: bool, animation: bool, console: Console) -> None:
    """Write a page about a result: a 3D view of the arm, pictures, numbers and warnings, in one HTML file."""
    result = flexarm.open_result(file)
    path = output or picture_folder(file) / "report.html"
    with console.progress("reporting") as progress, interruptible(progress) as on_progress:
        flexarm.report(result, path, animation=animation, overwrite=overwrite, progress=on_progress)
    console.write(f"{path}")

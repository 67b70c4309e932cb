"""`flexarm new`: a starter arm, every key explained, so that nobody begins with an empty file."""

from __future__ import annotations

from pathlib import Path

import click

import flexarm
from flexarm.cli.options import console_options, overwrite_option
from flexarm.cli.terminal.console import Console

EPILOG = """\b
Example:
  flexarm new my-arm
  flexarm new crane --links 3 --spatial
  flexarm new thrown --floating -o thrown.yaml --overwrite

The arm runs as it is: flexarm simulate my-arm.yaml --plots. With --floating it falls on a floor; with --floating and
--spatial it is the arm of a satellite.
"""


@click.command(epilog=EPILOG)
@click.argument("name", metavar="NAME")
@click.option(
    "--links", type=click.IntRange(1, 6), default=2, show_default=True, help="Number of flexible links."
)
@click.option("--spatial", is_flag=True, help="The arm moves and bends in space, not only in a plane.")
@click.option("--floating", is_flag=True, help="The base floats.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write [default: NAME.yaml].",
)
@overwrite_option
@console_options
def new(
    name: str,
    links: int,
    spatial: bool,
    floating: bool,
    output: Path | None,
    overwrite: bool,
    console: Console,
) -> None:
    """Write a commented starter arm.

    NAME becomes the name of the arm: letters, digits, dashes, dots and underscores.
    """
    if name.lower().endswith((".yaml", ".yml")):
        raise click.UsageError(
            f"NAME: got '{name}', expected the name of an arm (leave out the ending)",
            click.get_current_context(),
        )
    from flexarm.description.reading.starter import Starter, name_fault, starter_text
    from flexarm.results.storage.atomic_files import check_ending, write_files

    if fault := name_fault(name):
        raise click.UsageError(f"NAME: got '{name}', expected {fault}", click.get_current_context())
    path = output or Path(f"{name}.yaml")
    check_ending(path, (".yaml", ".yml"), "a description ends in")
    text = starter_text(Starter(name, links, spatial, floating, file=str(path)))
    flexarm.parse_arm(text)
    write_files({path: text}, overwrite)
    console.write(f"{path}")

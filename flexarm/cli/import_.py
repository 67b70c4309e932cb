"""`flexarm import`: a robot that is described as URDF becomes an arm."""

from __future__ import annotations

from pathlib import Path

import click

from flexarm.cli.options import console_options, overwrite_option
from flexarm.cli.terminal.console import Console

EPILOG = """\b
Example:
  flexarm import robots/urdf/slide_arm.urdf --tip grip -o outputs/slide_arm.yaml
  flexarm import robots/urdf/slide_arm.urdf --flexible forearm --EI 2000 -o outputs/soft_arm.yaml

With --material "{E: 70e9, nu: 0.33}" --section "{shape: tube, diameter: 0.08, thickness: 2e-3}" instead of --EI the
stiffness is that of a tube of aluminium.

URDF files are read by yourdfpy: pip install 'flexarm[urdf]'.
"""


def _stiffnesses(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        numbers = [float(word) for word in value.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        raise click.BadParameter(f"got '{value}', expected a number [N m^2], or two: along y,z", ctx, param)
    return numbers[0], numbers[-1]


@click.command("import", epilog=EPILOG)
@click.argument("urdf", type=click.Path(path_type=Path), metavar="URDF")
@click.option("--tip", metavar="LINK", help="Link that is the tip [default: that to which most joints lead].")
@click.option("--flexible", multiple=True, metavar="LINK", help="Link that bends; may be repeated.")
@click.option(
    "--EI", "EI", metavar="NUMBER[,NUMBER]", callback=_stiffnesses, help="Its bending stiffness, N m^2."
)
@click.option("--material", metavar="YAML", help="Instead: its material, as in a description.")
@click.option("--section", metavar="YAML", help="Its cross-section, as in a description.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Description to write [default: NAME.yaml].",
)
@overwrite_option
@console_options
def import_(
    urdf: Path,
    tip: str | None,
    flexible: tuple[str, ...],
    EI: tuple[float, float] | None,
    material: str | None,
    section: str | None,
    output: Path | None,
    overwrite: bool,
    console: Console,
) -> None:
    """Write the arm of a robot that a URDF file describes: the chain from its root to a tip."""
    from flexarm.results.storage.atomic_files import check_ending, write_files
    from flexarm.urdf.import_urdf import import_urdf

    imported = import_urdf(urdf, tip=tip, flexible=flexible, EI=EI, material=material, section=section)
    path = output or Path(f"{imported.arm.name}.yaml")
    check_ending(path, (".yaml", ".yml"), "a description ends in")
    write_files({path: imported.text}, overwrite)
    for remark in imported.remarks:
        console.write(remark)
    console.write(f"{path}")

"""`flexarm export`: an arm's equations for other programs, as C or as CasADi functions."""

from __future__ import annotations

from pathlib import Path

import click

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.cli.console import Console
from flexarm.cli.dry_friction import warn_that_friction_is_left_out
from flexarm.cli.options import NameChoice, arm_argument, console_options, overwrite_option

EPILOG = """\b
Example:
  flexarm export robots/usoro_two_link.yaml --to c
  flexarm export robots/usoro_two_link.yaml --to casadi -o outputs/usoro-functions

\b
c       NAME.h and NAME.c, C99 without dependencies: cc -std=c99 -O2 -c NAME.c
casadi  NAME_FUNCTION.casadi, one file per function, for Function.load of CasADi in Python, MATLAB and C++
"""


@click.command(epilog=EPILOG)
@arm_argument
@click.option("--to", "target", type=click.Choice(["c", "casadi"]), required=True, help="Language to write.")
@click.option(
    "--formulation", type=NameChoice(FORMULATIONS), help="Derive by this formulation [default: the arm's]."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the files [default: outputs/<arm name>-<language>].",
)
@overwrite_option
@console_options
def export(
    arm: Path, target: str, formulation: str | None, output: Path | None, overwrite: bool, console: Console
) -> None:
    """Write the equations of motion of an arm for other programs.

    Forward dynamics, inverse dynamics, mass matrix and tip position of ARM, and their Jacobians. Argument order and
    units stand at the head of the files.
    """
    description = flexarm.load_arm(arm)
    warn_that_friction_is_left_out(description, console)
    from flexarm.export.c_source import c_files
    from flexarm.export.casadi_functions import casadi_files
    from flexarm.export.functions import file_names
    from flexarm.results.storage.atomic_files import check_target, write_files

    folder = output or Path("outputs") / f"{description.name}-{target}"
    for name in file_names(description, target):
        check_target(folder / name, overwrite)
    derivation = formulation or description.run.formulation
    files = c_files(description, derivation) if target == "c" else casadi_files(description, derivation)
    write_files({folder / name: text for name, text in files.items()}, overwrite)
    for name, text in files.items():
        console.write(f"{folder / name}  {len(text) / 1e3:.0f} kB")

"""`flexarm equations`: the equations of motion of an arm, to read, print or import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.cli.options import NameChoice, arm_argument, console_options, overwrite_option
from flexarm.cli.tables.dry_friction import warn_that_friction_is_left_out
from flexarm.cli.terminal.console import Console
from flexarm.errors import ModelError

if TYPE_CHECKING:
    from flexarm.description.arm.arm import Arm

FORMATS = ("text", "latex", "python", "json")

EPILOG = """\b
Example:
  flexarm equations robots/rigid_two_link.yaml
  flexarm equations robots/usoro_two_link.yaml --drop-second-order --format latex
  flexarm equations robots/usoro_two_link.yaml --format python -o outputs/usoro_equations.py
  flexarm equations robots/usoro_two_link.yaml --form matrices --at "0, 60 deg"

Equal links share symbols; numbers are integrals of the mode shapes. With --format python and json all digits are
written. --drop-second-order leaves equations that are linear in the modal amplitudes and their rates together;
--drop-products neglects products of two amplitudes only, as Korayem, Yao and Basu (1994) do, and as an arm with
products_of_deflections: false does by itself. --format latex writes a complete document.
"""


@click.command(epilog=EPILOG)
@arm_argument
@click.option(
    "--drop-second-order", is_flag=True, help="Neglect products of modal amplitudes and their rates."
)
@click.option("--drop-products", is_flag=True, help="Neglect products of two modal amplitudes.")
@click.option("--rigid", is_flag=True, help="Treat the links as rigid.")
@click.option("--format", "kind", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--form",
    type=click.Choice(["inverse", "mass-matrix", "matrices"]),
    default="inverse",
    show_default=True,
    help="F_1 = ..; the entries of the mass matrix and of the bias; or numbers of Negrean & Albetel's matrices.",
)
@click.option(
    "--at",
    metavar="POSTURE",
    help="With --form matrices: initial [default], equilibrium, or joint angles such as '30 deg, 0.5'.",
)
@click.option(
    "--digits", type=click.IntRange(1, 17), default=4, show_default=True, help="Digits of the numbers."
)
@click.option(
    "--formulation",
    type=NameChoice(FORMULATIONS),
    help="Multiply out what this formulation derives, by default the description's; with finite link rotation the "
    "result is the same.",
)
@click.option("--force", is_flag=True, help="Continue however long the equations get.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a file instead of the screen.",
)
@overwrite_option
@console_options
def equations(
    arm: Path,
    drop_second_order: bool,
    drop_products: bool,
    rigid: bool,
    kind: str,
    form: str,
    at: str | None,
    digits: int,
    formulation: str | None,
    force: bool,
    output: Path | None,
    overwrite: bool,
    console: Console,
) -> None:
    """Print the equations of motion of an arm in closed form.

    ARM is the YAML file that describes the arm; its numbers become symbols, its drives and loads have no effect.
    """
    chosen = {"rigid": rigid, "linear": drop_second_order, "first-order": drop_products}
    if sum(chosen.values()) > 1:
        raise click.UsageError("--rigid, --drop-second-order and --drop-products exclude each other")
    if form == "matrices" and (any(chosen.values()) or kind not in ("text", "json")):
        raise click.UsageError("--form matrices gives numbers of the whole equations, as text or json")
    if at is not None and form != "matrices":
        raise click.UsageError("--at is the posture of --form matrices; give that too")
    terms = next((name for name, is_chosen in chosen.items() if is_chosen), "all")
    description = flexarm.load_arm(arm)
    warn_that_friction_is_left_out(description, console)
    if output is not None:
        from flexarm.results.storage.atomic_files import check_target

        check_target(output, overwrite)
    if form == "matrices":
        from flexarm.cli.tables.matrix_tables import matrices_as

        text, size = matrices_as(kind, description, at or "initial", digits), "M, B, C, D and M_X"
    else:
        text, size = _closed_form(description, terms, formulation, force, kind, digits, form, console)
    if output is None:
        click.echo(text, nl=False)
        return
    from flexarm.results.storage.atomic_files import write_files

    write_files({output: text}, overwrite)
    console.write(f"{output}: {size}")


def _closed_form(
    description: Arm,
    terms: str,
    formulation: str | None,
    force: bool,
    kind: str,
    digits: int,
    form: str,
    console: Console,
) -> tuple[str, str]:
    """Text of the closed form, and its size in words."""
    from flexarm.closed_form.closed_form import LIMIT, closed_form

    try:
        with console.progress("deriving") as progress:
            named = formulation or description.run.formulation
            result = closed_form(description, terms, named, None if force else LIMIT, progress)
    except ModelError as failure:
        if "too long" in failure.message:
            shorter = "; --drop-second-order or --rigid shorten them" if terms == "all" else ""
            failure.hint = f"--force continues{shorter}"
        raise
    from flexarm.closed_form.formats.writers import FORMATS as WRITERS

    size = f"{result.n_terms} products in {len(result.forces)} equations"
    return WRITERS[kind](result, digits, form), size

"""`flexarm converge`: the error of a run as described, and a description that is accurate at the least cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.failures import report_failure
from flexarm.cli.options import FiniteRange, arm_argument, console_options, overwrite_option
from flexarm.cli.terminal.console import Console
from flexarm.cli.terminal.interrupt import interruptible
from flexarm.errors import SolverError

if TYPE_CHECKING:
    from flexarm.analysis.convergence.converge import Convergence

EPILOG = """\b
Example:
  flexarm converge robots/soft_pendulum.yaml --plots
  flexarm converge robots/usoro_two_link.yaml --accuracy "0.1 mm" -o usoro-0.1mm.yaml

The run is repeated with more segments, more modes and tighter tolerances in turn, until the remaining error is small
beside that of the description; then with fewer, as long as the tip stays accurate enough. Ctrl-C ends the search and
keeps what is known by then. Nothing is written without -o and --plots.
"""


@click.command(epilog=EPILOG)
@arm_argument
@click.option(
    "--accuracy",
    default="1e-3",
    show_default=True,
    metavar="A",
    help='Largest error of the tip: a fraction of the longest link\'s length, or a length such as "0.1 mm".',
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the cheapest description that is accurate enough.",
)
@overwrite_option
@click.option("--plots", is_flag=True, help="Draw the errors over the cost, in outputs/<arm name>-converge.")
@click.option(
    "--limit",
    type=FiniteRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    metavar="S",
    help="Time for all refinements; runs that would take longer are not tried.",
)
@console_options
def converge(
    arm: Path,
    accuracy: str,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    limit: float,
    console: Console,
) -> int:
    """Estimate the error of a run, and find the cheapest description that is accurate enough.

    ARM is the YAML file that describes the arm.
    """
    description = flexarm.load_arm(arm)
    if output is not None:
        from flexarm.results.storage.atomic_files import check_ending, check_target

        check_ending(output, (".yaml", ".yml"), "a description ends in")
        check_target(output, overwrite)
    with console.progress("refining") as progress, interruptible(progress) as on_progress:
        found = flexarm.converge(description, accuracy, limit=limit, progress=on_progress)
    from flexarm.cli.tables.convergence_table import report_convergence

    report_convergence(found, console)
    if output is not None and found.cheapest is not None:
        from flexarm.results.storage.atomic_files import write_files

        write_files({output: found.description}, overwrite)
        console.write(f"{output}")
    if plots:
        _draw(found, console)
    return _outcome(found, output)


def _draw(found: Convergence, console: Console) -> None:
    from flexarm.plots.diagrams.convergence import convergence
    from flexarm.plots.drawing.saving import save_figure

    path = Path("outputs") / f"{found.arm.name}-converge" / "convergence.png"
    save_figure(convergence(found), path)
    console.write(f"{path}")


def _outcome(found: Convergence, output: Path | None) -> int:
    """Exit code, after a word about what was not reached."""
    unwritten = f"; {output} was not written" if output is not None else ""
    if found.interrupted:
        report_failure(
            f"interrupted; what was known until then is above{unwritten if not found.cheapest else ''}"
        )
    elif found.cheapest is None:
        report_failure(f"no description of this accuracy was found{unwritten}")
    else:
        return 0
    return SolverError.exit_code

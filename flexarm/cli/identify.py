"""`flexarm identify`: numbers of an arm fitted to measurements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.failures import report_failure
from flexarm.cli.named_numbers import Named
from flexarm.cli.options import COMMAND_LINE, arm_argument, console_options, overwrite_option, plots_option
from flexarm.cli.pictures import picture_folder
from flexarm.cli.rest_options import at_option, hold_option, joints_option
from flexarm.cli.terminal.console import Console, counted
from flexarm.cli.terminal.interrupt import interruptible
from flexarm.errors import SolverError

if TYPE_CHECKING:
    from flexarm.identification.worth.identification import Identification

EPILOG = """\b
With a measured run, of your own:
  flexarm identify arm.yaml --data swing.csv --columns "time, hub=joint_angle[0] [deg], gauge=strain@1:0.05"
    --fit links[0].EI --fit "joints[0].friction.viscous=0.01 in [0, 1]" --fit offset:hub

\b
Example:
  flexarm identify robots/lqr_arm.yaml --frequencies "1.77 Hz, 17.5 Hz" --joints locked --fit links[0].EI

\b
Columns, each NAME=WHAT [UNIT], held behind it if an input is held from row to row, - for one that is left out:
  time            the first column; [ms] and so on
  a sensor of the description, joint_angle[0] and other quantities of results, strain@1:0.05, tip_y, q_1
  drive[0].torque, .voltage, .motion, .pd.reference, controllers.NAME.reference: what was fed to the arm
What is fitted, KEY, KEY=START or KEY=START in [LEAST, LARGEST]:
  keys of numbers, as --vary of flexarm sweep has them; initial.joints[0] and so on are those of each run
  offset:COLUMN   a constant in a column          delay:COLUMN   by which it is late, in s
"""


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@arm_argument
@click.option(
    "--data", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="CSV file of a measured run; may be repeated.",
)  # fmt: skip
@click.option("--columns", metavar="TEXT", help="What the columns are [default: by the header of the file].")
@click.option("--fit", multiple=True, required=True, metavar="KEY", help="What is unknown; may be repeated.")
@click.option(
    "--noise", type=Named(), multiple=True,
    help="Standard deviation of a column, in the unit of what it is [default: estimated].",
)  # fmt: skip
@click.option(
    "--start", type=float, default=0.0, show_default=True, metavar="SECONDS",
    help="Time of the data at which the run begins.",
)  # fmt: skip
@click.option(
    "--frequencies",
    metavar="TEXT",
    help="Measured natural frequencies, the slowest first; - for one that is not known.",
)
@click.option("--damping-ratios", metavar="TEXT", help="Damping ratios of these modes.")
@click.option(
    "--frf", type=click.Path(path_type=Path), metavar="FILE",
    help="CSV file of a measured frequency response: frequency [Hz], magnitude, phase [deg].",
)  # fmt: skip
@click.option(
    "--input", "given", default="torque", show_default=True, metavar="NAME", help="With --frf: its input."
)
@click.option(
    "--observe",
    "observed",
    default="joints",
    show_default=True,
    metavar="NAME",
    help="With --frf: its output.",
)
@at_option
@joints_option("free", "locked", "pd")
@hold_option
@click.option(
    "--starts",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Searches from so many places.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Processes for these [default: one per core]."
)
@click.option(
    "--check", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="CSV file of a run that is held back, to see how the fitted arm follows it; may be repeated.",
)  # fmt: skip
@click.option(
    "-o", "--output", "path", type=click.Path(path_type=Path), metavar="FILE",
    help="The fitted arm, comments kept [default: outputs/<arm name>-fitted.yaml].",
)  # fmt: skip
@click.option(
    "--report", "page", type=click.Path(path_type=Path), metavar="FILE",
    help="Write a page about the fit too: tables, pictures and what is known, in one HTML file.",
)  # fmt: skip
@overwrite_option
@plots_option
@console_options
def identify(
    arm: Path,
    data: tuple[Path, ...],
    columns: str | None,
    fit: tuple[str, ...],
    noise: tuple[tuple[str, float], ...],
    start: float,
    frequencies: str | None,
    damping_ratios: str | None,
    frf: Path | None,
    given: str,
    observed: str,
    at: str,
    joints: str,
    hold: tuple[int, ...],
    starts: int,
    workers: int | None,
    check: tuple[Path, ...],
    path: Path | None,
    page: Path | None,
    overwrite: bool,
    plots: bool,
    console: Console,
) -> int:
    """Fit numbers of an arm to measurements, and say what the fit is worth.

    ARM is the YAML file that describes the arm. Runs over time are simulated with their exact derivatives; frequencies
    and damping ratios are those of small motions.
    """
    from flexarm.results.storage.atomic_files import check_ending, check_target, write_files

    description = flexarm.load_arm(arm)
    path = path or Path("outputs") / f"{description.name}-fitted.yaml"
    check_ending(path, (".yaml", ".yml"), "a description ends in")
    check_target(path, overwrite)
    if page is not None:
        check_ending(page, (".html", ".htm"), "a page ends in")
        check_target(page, overwrite)
    with console.progress("fitting") as progress, interruptible(progress) as on_progress:
        found = flexarm.identify(
            description, list(data) or None, fit, columns=columns, noise=dict(noise), start=start,
            frequencies=frequencies, damping_ratios=damping_ratios, frf=frf,
            channel=(given, observed), at=at, joints=joints, hold=hold,
            starts=starts, workers=workers, check=list(check) or None, progress=on_progress,
            command=click.get_current_context().meta[COMMAND_LINE],
        )  # fmt: skip
    _report(found, console)
    write_files({path: found.arm.description}, overwrite)
    console.write(f"{path}")
    if plots:
        _draw(found, picture_folder(path), console)
    if page is not None:
        found.report(page, overwrite)
        console.write(f"{page}")
    if found.status != "complete":
        report_failure(f"interrupted; {path} has the best that was found until then")
        return SolverError.exit_code
    return 0


def _report(found: Identification, console: Console) -> None:
    """Write the unknowns, and what the fit is worth."""
    console.write(
        f"{found.arm.name}: {counted(len(found.names), 'unknown')} from {counted(found.n_measured, 'measured value')}, "
        f"{counted(found.evaluations, 'simulation')}"
    )
    console.table(found.unknown_rows, "<>>>>")
    if found.columns:
        console.table(found.column_rows, "<>>>")
    if found.modes:
        rows = [("mode", "measured", "fitted")]
        console.table([*rows, *((name, f"{a:.5g}", f"{b:.5g}") for name, a, b, _ in found.modes)], "<>>")
    if found.response is not None:
        given, observed = found.response.channel
        console.write(
            f"  {given} -> {observed}: response off by {found.response.difference:.2g} of itself (rms)"
        )
    for remark in (*found.remarks, *found.cautions):
        console.write(f"  {remark}")
    agreeing, count = found.agreeing_starts
    if count > 1:
        console.write(f"  {agreeing} of {count} starts ended here")


def _draw(found: Identification, folder: Path, console: Console) -> None:
    from flexarm.plots.diagrams.fits import fit_figures
    from flexarm.plots.drawing.saving import save_figure

    for name, figure in fit_figures(found).items():
        save_figure(figure(), folder / f"{name}.png")
        console.write(f"{folder / name}.png")

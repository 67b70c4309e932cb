"""`flexarm simulate`: an arm description in, a result file and pictures out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.catalogue import FORMER_METHODS, FORMULATIONS, METHODS
from flexarm.cli import entry
from flexarm.cli.failures import report_failure
from flexarm.cli.options import (
    COMMAND_LINE,
    NameChoice,
    arm_argument,
    console_options,
    output_option,
    overwrite_option,
    plots_option,
)
from flexarm.cli.pictures import draw, picture_folder
from flexarm.cli.terminal.console import Console
from flexarm.cli.terminal.interrupt import interruptible
from flexarm.errors import SolverError
from flexarm.hints import listed

if TYPE_CHECKING:
    from flexarm.description.arm.arm import Arm

EPILOG = """\b
Example:
  flexarm simulate robots/usoro_two_link.yaml --plots
  flexarm simulate robots/usoro_two_link.yaml --formulation gibbs-appell -o outputs/gibbs-appell.h5
  flexarm simulate robots/crane_boom.yaml -o outputs/crane.h5

radau is for stiff, strongly damped arms; where vibrations ring on dop853 is quicker.
auto starts with dop853 and changes to radau where that pays; -v says when.
Ctrl-C ends a run early and keeps what has been computed.
"""


@click.command(epilog=EPILOG)
@arm_argument
@output_option("outputs/<arm name>.h5")
@overwrite_option
@plots_option
@click.option("--method", type=NameChoice(METHODS, FORMER_METHODS), help=f"Integrate with {listed(METHODS)}.")
@click.option(
    "--formulation", type=NameChoice(FORMULATIONS), help=f"Derive the equations by {listed(FORMULATIONS)}."
)
@console_options
def simulate(
    arm: Path,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    method: str | None,
    formulation: str | None,
    console: Console,
) -> int:
    """Simulate an arm and write the result.

    ARM is the YAML file that describes the arm; the result is an HDF5 file.
    """
    description = _with_run(flexarm.load_arm(arm), method=method, formulation=formulation)
    for choice in description.segment_choices:
        console.write(f"{choice}")
    command = click.get_current_context().meta[COMMAND_LINE]
    path = output or Path("outputs") / f"{description.name}.h5"
    with console.progress("simulating") as progress, interruptible(progress) as on_progress:
        result = flexarm.simulate(
            description,
            output=path,
            overwrite=overwrite,
            progress=on_progress,
            command=command,
            process_start=entry.process_start,
        )
    if result.path and not result.path.samefile(path):  # an incomplete result does not replace a complete one
        path = result.path
    complete = result.status == "complete"
    if result.n_samples:
        # NumPy is loaded by now; the help of this command does without it.
        from flexarm.cli.tables.summary import describe_run

        describe_run(result, path, console)
        if plots:
            draw(result, picture_folder(path), console)
    if not complete:
        report_failure(f"{result.message}; what was computed until then is kept in {path}, marked incomplete")
    return 0 if complete else SolverError.exit_code


def _with_run(arm: Arm, **choices: str | None) -> Arm:
    """Put the choices of the command line in the place of those of the run block."""
    from flexarm.description.motion.run_settings import RunSettings

    run = {**dict(arm.run), **{key: choice for key, choice in choices.items() if choice}}
    if METHODS[run["method"]].adaptive:
        run["step"] = None
    elif run["step"] is None:
        raise click.UsageError(
            f"--method {run['method']} needs a fixed step: give run.step in the description"
        )
    return arm.model_copy(update={"run": RunSettings.model_validate(run)})

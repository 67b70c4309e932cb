"""`flexarm export`: an arm's equations for other programs, as C or CasADi functions, or its motion as a step in C."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.cli.options import FiniteRange, NameChoice, arm_argument, console_options, overwrite_option
from flexarm.cli.tables.dry_friction import warn_that_friction_is_left_out
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.description.arm.arm import Arm

EPILOG = """\b
Example:
  flexarm export robots/usoro_two_link.yaml --to c
  flexarm export robots/usoro_two_link.yaml --to casadi -o outputs/usoro-functions
  flexarm export robots/lqr_arm.yaml --to c --step --inputs "torque[1]" --outputs hub,tip -o outputs/step.c

\b
c       NAME.h and NAME.c, C99 without dependencies: cc -std=c99 -O2 -c NAME.c
casadi  NAME_FUNCTION.casadi, one file per function, for Function.load of CasADi in Python, MATLAB and C++
c, with --step
        one file: parameters, state, NAME_init and NAME_step, which moves the arm by a period; sensors, drives and
        controllers of the description are inside. The outputs are those of linearize --observe.
"""
PERIOD = 0.001
STEP_METHODS = ("rk4", "rosenbrock")


def _names(given: tuple[str, ...]) -> list[str] | None:
    """Names of an option that may be repeated, and has several with commas between; None if it is not given."""
    return [name.strip() for text in given for name in text.split(",") if name.strip()] if given else None


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@arm_argument
@click.option("--to", "target", type=click.Choice(["c", "casadi"]), required=True, help="Language to write.")
@click.option(
    "--formulation", type=NameChoice(FORMULATIONS), help="Derive by this formulation [default: the arm's]."
)
@click.option("--step", is_flag=True, help="Write the motion over a period instead of the equations.")
@click.option(
    "--period", type=FiniteRange(min=0, min_open=True), metavar="SECONDS",
    help=f"Of a step, for which inputs are held [default: {PERIOD}].",
)  # fmt: skip
@click.option(
    "--inputs", multiple=True, metavar="NAMES",
    help="Torques of a step, torque[1],torque[2] and so on [default: of all joints that move freely].",
)  # fmt: skip
@click.option(
    "--outputs", multiple=True, metavar="NAMES",
    help="Outputs of a step: sensors, joints, tip, deflection@1:0.5 and so on [default: the sensors, or joints].",
)  # fmt: skip
@click.option(
    "--parameter", "parameters", multiple=True, metavar="KEY",
    help="Leave a number of the description open, e.g. payload.mass; may be repeated.",
)  # fmt: skip
@click.option(
    "--method", type=NameChoice(STEP_METHODS),
    help="Of a step: rk4, or rosenbrock, which is implicit [default: rk4].",
)  # fmt: skip
@click.option(
    "--substeps", type=click.IntRange(min=1), metavar="N",
    help="Steps of the method in a period [default: as many as its stability asks for].",
)  # fmt: skip
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Folder of the files, with --step the file [default: outputs/<arm name>-<language>, or -step.c].",
)
@overwrite_option
@console_options
def export(
    arm: Path,
    target: str,
    formulation: str | None,
    step: bool,
    period: float | None,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    parameters: tuple[str, ...],
    method: str | None,
    substeps: int | None,
    output: Path | None,
    overwrite: bool,
    console: Console,
) -> None:
    """Write the equations of motion of an arm for other programs, or its motion over a period.

    Forward dynamics, inverse dynamics, mass matrix and tip position of ARM, and their Jacobians. Argument order and
    units stand at the head of the files. With --step: one C file that moves the arm from period to period.
    """
    of_steps = {
        "--period": period, "--inputs": inputs, "--outputs": outputs, "--parameter": parameters, "--method": method,
        "--substeps": substeps,
    }  # fmt: skip
    given = [name for name, value in of_steps.items() if value not in (None, ())]
    if step and (target != "c" or formulation is not None):
        what = (
            "--step writes C: give --to c"
            if target != "c"
            else "--step derives by run.formulation of the arm"
        )
        raise click.UsageError(what)
    if given and not step:
        raise click.UsageError(f"{given[0]} belongs to --step")
    description = flexarm.load_arm(arm)
    if not step:
        _write_equations(description, target, formulation, output, overwrite, console)
        return
    from flexarm.export.step.c_step import c_step
    from flexarm.results.storage.atomic_files import check_target, write_files

    path = output or Path("outputs") / f"{description.name}-step.c"
    check_target(path, overwrite)
    made = c_step(
        description,
        period=period or PERIOD,
        inputs=_names(inputs),
        outputs=_names(outputs),
        parameters=parameters,
        method=method or STEP_METHODS[0],
        substeps=substeps,
    )
    write_files({path: made.text}, overwrite)
    for note in made.notes:
        console.warn(note)
    console.write(
        f"{description.name}: {made.substeps}" + f" ({made.substeps.reason})" * bool(made.substeps.reason)
    )
    console.write(f"inputs {', '.join(made.inputs) or 'none'}; outputs {', '.join(made.outputs)}")
    console.write(f"{path}  {len(made.text) / 1e3:.0f} kB")


def _write_equations(
    description: Arm,
    target: str,
    formulation: str | None,
    output: Path | None,
    overwrite: bool,
    console: Console,
) -> None:
    """Write the equations of motion into a folder."""
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

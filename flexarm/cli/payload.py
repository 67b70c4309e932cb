"""`flexarm payload`: the largest load that an arm can carry along a trajectory."""

from __future__ import annotations

from pathlib import Path

import click

import flexarm
from flexarm.cli.options import (
    COMMAND_LINE,
    FiniteRange,
    arm_argument,
    console_options,
    max_stress_option,
    output_option,
    overwrite_option,
    plots_option,
    trajectory_option,
)
from flexarm.cli.pictures import draw, picture_folder
from flexarm.cli.terminal.console import Console
from flexarm.cli.terminal.interrupt import interruptible

EPILOG = """\b
Example:
  flexarm payload robots/payload_two_link.yaml --trajectory robots/trajectories/payload_two_link.yaml --plots

The joints move as those of the rigid arm; the links bend under the load. What bounds it: the speed-torque lines of the
motors (joints[].motor.stall_torque and no_load_speed of the arm), the deviation of the tip, the stress of the links.
"""


@click.command(epilog=EPILOG)
@arm_argument
@trajectory_option
@output_option("outputs/<arm name>-payload.h5")
@overwrite_option
@plots_option
@click.option(
    "--deviation",
    type=FiniteRange(min=0, min_open=True),
    metavar="M",
    help="Allowed distance of the tip from its desired place [default: that of the trajectory].",
)
@max_stress_option
@click.option(
    "--mass",
    type=FiniteRange(min=0),
    metavar="KG",
    help="Carry this load instead of finding the largest one.",
)
@console_options
def payload(
    arm: Path,
    trajectory: Path,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    deviation: float | None,
    max_stress: float | None,
    mass: float | None,
    console: Console,
) -> int:
    """Find the largest load that an arm can carry along a trajectory, and write the motion with it.

    ARM is the YAML file that describes the arm; the load has the offset and the radii of gyration of its payload:
    moments of inertia in proportion to the mass. Without a payload it is a point.
    """
    description, task = flexarm.load_arm(arm), flexarm.load_trajectory(trajectory)
    path = output or Path("outputs") / f"{description.name}-payload.h5"
    with console.progress("loading") as progress, interruptible(progress) as report:
        result = flexarm.payload(
            description, task, mass=mass, deviation=deviation, max_stress=max_stress, output=path,
            overwrite=overwrite, progress=report, command=click.get_current_context().meta[COMMAND_LINE],
        )  # fmt: skip
    import numpy as np

    from flexarm.reports.key_numbers import bound_text  # loads the pictures, which the help does without

    facts = result.attributes
    if result.message:
        console.warn(result.message)
    found = "largest load" if mass is None else "load"
    console.write(f"{description.name}: {found} {facts['payload_mass']:.5g} kg")
    console.write(
        f"tightest bound: {bound_text(result)} at t = {facts['active_time']:.4g} s, "
        f"{facts['active_margin']:.1%} of it left"
    )
    console.write(f"deviation of the tip up to {result.tip_error.max():.3g} m")
    if max_stress is not None:
        console.write(f"stress up to {np.nanmax(result.stress_max) / 1e6:.4g} MPa")
    console.write(f"{path}")
    if plots:
        draw(result, picture_folder(path), console)
    return 0

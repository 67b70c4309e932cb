"""`flexarm modes`: natural frequencies, damping ratios and mode shapes of the assembled arm."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.console import Console, counted
from flexarm.cli.options import (
    COMMAND_LINE,
    arm_argument,
    console_options,
    output_option,
    overwrite_option,
    plots_option,
)
from flexarm.cli.rest_options import (
    at_option,
    format_posture,
    joints_option,
    result_path,
    save_result,
    warn_of_limits,
    warn_of_simplifications,
)

if TYPE_CHECKING:
    from flexarm.analysis.natural_modes import NaturalModes

EPILOG = """\b
Example:
  flexarm modes robots/usoro_two_link.yaml --plots
  flexarm modes robots/usoro_two_link.yaml --at "0, 90 deg" --joints locked -o outputs/usoro-locked.h5
  flexarm modes robots/spatial_three_link.yaml --joints pd -o outputs/spatial-pd.h5

Gravity's stiffness, modal damping, viscous friction and, with geometric_stiffening, the links' tension count.
"""


@click.command(epilog=EPILOG)
@arm_argument
@at_option
@joints_option("free", "locked", "pd")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=12,
    show_default=True,
    help="Modes to list; the result has all.",
)
@output_option("outputs/<arm name>-modes.h5")
@overwrite_option
@plots_option
@console_options
def modes(
    arm: Path,
    at: str,
    joints: str,
    count: int,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    console: Console,
) -> int:
    """Find natural frequencies, damping ratios and mode shapes of an arm about a posture.

    ARM is the YAML file that describes the arm. The linearised equations of motion of the whole arm are solved.
    """
    description = flexarm.load_arm(arm)
    path = result_path(output, description, "modes", overwrite)
    with console.progress("deriving") as progress:
        found = flexarm.natural_modes(description, at=at, joints=joints, progress=progress)
    warn_of_simplifications(description, console, joints)
    warn_of_limits(found.point, console)
    console.write(f"{description.name}: natural modes about {format_posture(at)}, joints {joints}")
    report_modes(found, count, console)
    result = found.result(click.get_current_context().meta[COMMAND_LINE])
    save_result(result, path, overwrite, plots, console)
    return 0


def report_modes(found: NaturalModes, count: int, console: Console) -> None:
    """List the slowest modes, and what rigid-body motions and instabilities there are."""
    modes = found.modes
    rows = [("mode", "frequency", "damping", "moves most", "")]
    for k in range(modes.n_rigid, min(modes.n_rigid + count, len(modes.poles))):
        pole, ratio = modes.poles[k], modes.damping_ratio[k]
        vibrates = pole.imag > 0
        frequency = f"{modes.natural_frequency[k]:.5g} Hz" if vibrates else ""
        damping = f"{100 * ratio if abs(ratio) > 1e-12 else 0:.3g} %" if vibrates else ""
        rows.append(
            (f"{k + 1}", frequency, damping, found.leading[k], _remark(pole, bool(modes.unstable[k])))
        )
    if modes.n_rigid:
        console.write(
            f"  {counted(modes.n_rigid, 'rigid-body motion')}, 0 Hz: {', '.join(found.leading[: modes.n_rigid])}"
        )
    if len(rows) > 1:
        console.table(rows, ">>><<")
    left_out = len(modes.poles) - modes.n_rigid - count
    if left_out > 0:
        console.write(f"  {left_out} more up to {modes.natural_frequency[-1]:.4g} Hz (--count)")


def _remark(pole: complex, unstable: bool) -> str:
    if unstable:
        return f"unstable, grows with {pole.real:.4g}/s"
    return "" if pole.imag > 0 else f"decays with {-pole.real:.4g}/s"

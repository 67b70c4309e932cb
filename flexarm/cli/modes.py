"""`flexarm modes`: natural frequencies, damping ratios and mode shapes of the assembled arm."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
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
    hold_option,
    joints_option,
    result_path,
    save_result,
    spin_option,
    turning_joint_option,
    warn_of_limits,
    warn_of_simplifications,
)
from flexarm.cli.tables.campbell_table import report_campbell
from flexarm.cli.terminal.console import Console, counted

if TYPE_CHECKING:
    from flexarm.analysis.small_motions.natural_modes import NaturalModes

EPILOG = """\b
Example:
  flexarm modes robots/usoro_two_link.yaml --plots
  flexarm modes robots/usoro_two_link.yaml --at "0, 90 deg" --joints locked -o outputs/usoro-locked.h5
  flexarm modes robots/space_arm.yaml --hold 2,3 -o outputs/space-arm-held.h5
  flexarm modes robots/spatial_three_link.yaml --joints pd -o outputs/spatial-pd.h5
  flexarm modes robots/spin_up_beam.yaml --spin "0:12:25 rad/s" --plots

The stiffness of gravity, damping, viscous friction and the links' tension (geometric_stiffening) are included,
and with --spin gyroscopic and centrifugal forces too. Several rates make a Campbell diagram.
"""


@click.command(epilog=EPILOG)
@arm_argument
@at_option
@joints_option("free", "locked", "pd")
@hold_option
@spin_option
@turning_joint_option
@click.option(
    "--count",
    type=click.IntRange(min=1),
    help="Modes to list; the result has all [default: 12, or 6 over several rates].",
)
@output_option("outputs/<arm name>-modes.h5")
@overwrite_option
@plots_option
@console_options
def modes(
    arm: Path,
    at: str,
    joints: str,
    hold: tuple[int, ...],
    spin: str | None,
    joint: int | None,
    count: int | None,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    console: Console,
) -> int:
    """Find natural frequencies, damping ratios and mode shapes of an arm about a posture or a steady rotation.

    ARM is the YAML file that describes the arm. The linearised equations of motion of the whole arm are solved.
    """
    description = flexarm.load_arm(arm)
    path = result_path(output, description, "modes", overwrite)
    from flexarm.analysis.rotation.spin_rates import spin_rates

    with console.progress("deriving") as progress:
        choice = {"at": at, "joints": joints, "hold": hold, "joint": joint, "progress": progress}
        if spin is not None and len(spin_rates(spin)) > 1:
            found = flexarm.campbell(description, spin, **choice)
            all_modes = found.modes
        else:
            found = flexarm.natural_modes(description, spin=spin, **choice)
            all_modes = (found,)
    warn_of_simplifications(description, console, all_modes[0].roles)
    warn_of_limits([each.point for each in all_modes], console)
    posture = format_posture(at, [each.point for each in all_modes], all_modes[0].roles)
    console.write(f"{description.name}: natural modes about {posture}")
    if isinstance(found, flexarm.Campbell):
        report_campbell(found, count or 6, console)
    else:
        report_modes(found, count or 12, console)
    if spin is None:
        _name_steady_rates(all_modes[0], console)
    result = found.result(click.get_current_context().meta[COMMAND_LINE])
    save_result(result, path, overwrite, plots, console)
    return 0


def _name_steady_rates(found: NaturalModes, console: Console) -> None:
    """Say that the modes are those at standstill, of an arm that its description lets turn."""
    from flexarm.analysis.rotation.steady_rotation import steady_rates

    for joint, rate in steady_rates(found.point.arm, found.point.chain).items():
        chosen = f" --joint {joint}" if joint != 1 else ""
        console.write(
            f"  joint {joint} turns at {rate:.4g} rad/s in the description; these are the modes at standstill, those "
            f'of the turning arm come with --spin "{rate:.4g} rad/s"{chosen}'
        )


def report_modes(found: NaturalModes, count: int, console: Console) -> None:
    """List the slowest modes, and what rigid-body motions and instabilities there are."""
    modes = found.modes
    rows = [("mode", "frequency", "damping", "dominant motion", "")]
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

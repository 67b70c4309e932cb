"""`flexarm equilibrium`: static equilibrium of an arm, or the torques that hold a posture."""

from __future__ import annotations

from collections.abc import Iterable
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
from flexarm.cli.rest_options import result_path, save_result, warn_of_limits, warn_of_simplifications
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.analysis.equilibrium import Equilibrium
    from flexarm.description.arm.arm import Arm
    from flexarm.results.result import Result

EPILOG = """\b
Example:
  flexarm equilibrium robots/spatial_three_link.yaml --plots
  flexarm equilibrium robots/payload_two_link.yaml --hold "30 deg, -20 deg" -o outputs/held.h5

Weight, payload, loads and drives act as at t = 0. Without --hold the joints settle, from initial.joints on, under the
arm's own drives.
"""


@click.command(epilog=EPILOG)
@arm_argument
@click.option(
    "--hold",
    metavar="POSTURE",
    help="Find the torques that hold the joints at these angles or positions, or at 'initial'.",
)
@output_option("outputs/<arm name>-equilibrium.h5")
@overwrite_option
@plots_option
@console_options
def equilibrium(
    arm: Path, hold: str | None, output: Path | None, overwrite: bool, plots: bool, console: Console
) -> int:
    """Find the static equilibrium of an arm: posture, deflections, stability.

    ARM is the YAML file that describes the arm.
    """
    from flexarm.description.arm.joint.words import worded

    description = flexarm.load_arm(arm)
    path = result_path(output, description, "equilibrium", overwrite)
    with console.progress("deriving") as progress:
        found = flexarm.static_equilibrium(description, hold=hold, progress=progress)
    warn_of_simplifications(description, console)
    warn_of_limits([found.point], console)
    held = f"joints held by constant {worded('torques', description.joints)}"
    how = "joints settled under the arm's own drives" if hold is None else held
    console.write(f"{description.name}: static equilibrium, {how}")
    result = found.result(click.get_current_context().meta[COMMAND_LINE])
    _report(description, found, result, console)
    save_result(result, path, overwrite, plots, console)
    return 0


def _report(arm: Arm, found: Equilibrium, result: Result, console: Console) -> None:
    import numpy as np

    from flexarm.description.arm.joint.words import worded

    joints = arm.joints
    heads = worded("joint angle", joints, "or"), "", worded("torque", joints, "or")
    rows: list[tuple[str, ...]] = [("link", *heads, "deflection of its end along x, y, z")]
    for i, (q, torque, bent) in enumerate(
        zip(found.joint_angle, found.torque, found.end_deflection, strict=True), start=1
    ):
        joint, kind = joints[i - 1], joints[i - 1].kind
        fixed = "" if joint.moves else " (fixed)"
        q = _without_round_off(q, 1.0)
        torque = _without_round_off(torque, found.point.largest_force)
        degrees = f"{np.degrees(q):.6g} deg{fixed}" if kind.is_angle else ""
        rows.append(
            (
                f"{i}",
                f"{q:.6g} {kind.unit}",
                degrees,
                f"{torque:.6g} {kind.force_unit}",
                f"{_lengths(bent)} m",
            )
        )
    console.table(rows, "><<<<")
    _report_loads(result, console)
    tip = found.data["point_position"][0, -1]
    console.write(
        f"tip at {_lengths(tip)} m, {_lengths(found.tip_deflection)} m from where straight links would end"
    )
    console.write(
        f"residual {found.residual:.1e} N m or N, {found.relative_residual:.1e} of the largest force"
    )
    console.write(found.stability + _why(found))


def _report_loads(result: Result, console: Console) -> None:
    """Write what the joints transmit, with -v also what the links carry, and warn of a strength that is passed."""
    import numpy as np

    from flexarm.analysis.loads.largest_loads import SIDES, load_rows
    from flexarm.analysis.loads.largest_stress import largest_stresses

    whose = "the base" if result.arm.run.reaction_frame == "base" else "the link"
    forces, moments = result["joint_force"][0], result["joint_moment"][0]
    largest = [float(np.abs(vectors).max()) for vectors in (forces, moments)]
    rows = [("joint", f"force on its link, axes of {whose}", "moment")]
    for i, (force, moment) in enumerate(zip(forces, moments, strict=True), 1):
        rows.append((f"{i}", f"{_vector(force, largest[0])} N", f"{_vector(moment, largest[1])} N m"))
    console.table(rows, "><<")
    if console.verbose and (rows := load_rows(result)):
        console.table(rows, SIDES[: len(rows[0])])
    for stress in largest_stresses(result):
        if stress.warning:
            console.warn(stress.warning)


def _vector(vector: Iterable[float], size: float) -> str:
    return "(" + ", ".join(f"{0.0 if abs(part) < 1e-9 * size else part:.5g}" for part in vector) + ")"


def _lengths(vector: Iterable[float]) -> str:
    return "(" + ", ".join(f"{_without_round_off(part, 1.0):.5g}" for part in vector) + ")"


def _without_round_off(value: float, size: float) -> float:
    return 0.0 if abs(value) < 1e-14 * size else value


def _why(found: Equilibrium) -> str:
    modes = found.modes
    if found.stability == "unstable":
        return f": the fastest of its motions grows with {max(pole.real for pole in modes.poles):.4g}/s"
    if not modes.poles.size:
        return ": dry friction holds every joint"
    if found.stability == "indifferent":
        return ": some motion is held by nothing"
    return f": slowest natural frequency {modes.natural_frequency[0]:.4g} Hz"

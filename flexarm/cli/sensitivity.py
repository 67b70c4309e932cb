"""`flexarm sensitivity`: how results of a run change with the numbers of its description."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.options import arm_argument, console_options, overwrite_option, plots_option
from flexarm.cli.pictures import draw, picture_folder
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.sweeps.sensitivity.gradient import Gradient

EPILOG = """\b
Example:
  flexarm sensitivity robots/usoro_two_link.yaml --by links[0].EI --by payload.mass --of final_tip
  flexarm sensitivity robots/servo_arm.yaml --by drive[0].pd.kp --by links[0].length --of rms_error:1 --of tip --plots

\b
--by takes keys of numbers, as --vary of flexarm sweep does; --of records of sweeps, or quantities over time.
"""


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@arm_argument
@click.option(
    "--by", multiple=True, required=True, metavar="KEY", help="Number of the description; may be repeated."
)
@click.option(
    "--of", multiple=True, metavar="NAME",
    help="Record of a sweep, or quantity over time; may be repeated [default: final_tip and tip].",
)  # fmt: skip
@click.option(
    "-o", "--output", "path", type=click.Path(path_type=Path), metavar="FILE",
    help="An .h5, .npz or .mat file [default: outputs/<arm name>-sensitivity.h5].",
)  # fmt: skip
@overwrite_option
@plots_option
@console_options
def sensitivity(
    arm: Path,
    by: tuple[str, ...],
    of: tuple[str, ...],
    path: Path | None,
    overwrite: bool,
    plots: bool,
    console: Console,
) -> int:
    """Find how results of a simulation change with the numbers of its description, without differences of runs.

    ARM is the YAML file that describes the arm. The equations and their derivatives are integrated together.
    """
    import numpy as np  # help comes quicker without

    description = flexarm.load_arm(arm)
    path = path or Path("outputs") / f"{description.name}-sensitivity.h5"
    from flexarm.results.storage.array_files import check_array_ending
    from flexarm.results.storage.atomic_files import check_target

    check_array_ending(path)
    check_target(path, overwrite)
    with console.progress("simulating") as progress:
        found = flexarm.gradient(description, of or ("final_tip", "tip"), by, progress=progress)
    console.write(f"{description.name}: derivatives by {', '.join(found.by)}")
    if found.of:
        console.table(_rows(found), "<>>>>")
    for name in found.series:
        for key in found.by:
            # of stress NaN where there is none
            size, k = np.nan_to_num(np.abs(found[name, key])), found.by.index(key)
            largest = float(size.max(initial=0.0))
            when = found.times[np.unravel_index(size.argmax(), size.shape)[0]]
            for_a_per_cent = abs(largest * found.at[k]) / 100
            console.write(
                f"  {name} by {key}: up to {largest:.4g} at t = {when:.4g} s, {for_a_per_cent:.3g} for a per cent"
            )
    for (name, key), reason in found.reasons.items():
        console.write(f"  {name} by {key}: no derivative, {reason}")
    found.save(path, overwrite)
    console.write(f"{path}")
    if plots:
        draw(found, picture_folder(path), console)
    return 0


def _rows(found: Gradient) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("record", "value", "by", "derivative", "for a per cent")]
    for i, name in enumerate(found.of):
        for k, key in enumerate(found.by):
            first = (name, f"{found.value[i]:.6g}") if k == 0 else ("", "")
            rows.append((*first, key, f"{found.derivative[i, k]:.6g}", f"{found.per_cent[i, k]:.3g}"))
    return rows

"""`flexarm fatigue`: cycles of stress in a result, their damage and their picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.options import FiniteRange, console_options
from flexarm.cli.pictures import picture_folder
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.analysis.loads.stress_fatigue import Fatigue

EPILOG = """\b
Example:
  flexarm fatigue outputs/crane.h5 --range 71e6
  flexarm fatigue outputs/crane.h5 --range 71e6 --slope 5 --at 1e7 --plots

Cycles are counted by rainflow: pip install 'flexarm[fatigue]'. The run need not have recorded loads.
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path), metavar="RESULT")
@click.option(
    "--range",
    "borne",
    type=FiniteRange(min=0, min_open=True),
    required=True,
    metavar="PA",
    help="Range of stress that is borne for so many cycles as --at says.",
)
@click.option(
    "--at",
    "cycles",
    type=FiniteRange(min=0, min_open=True),
    default=2e6,
    metavar="CYCLES",
    help="Cycles of --range [default: 2e6].",
)
@click.option(
    "--slope",
    type=FiniteRange(min=0, min_open=True),
    default=3.0,
    metavar="M",
    help="Slope of the Woehler line: twice the range is borne for 2^M times fewer cycles [default: 3].",
)
@click.option(
    "--plots", is_flag=True, help="Draw the ranges and their damage, in a folder beside the result."
)
@console_options
def fatigue(file: Path, borne: float, cycles: float, slope: float, plots: bool, console: Console) -> None:
    """Count the cycles of stress in a result and add up their damage.

    The cycles of normal stress at the outer points of all sections of the links are counted by rainflow, and their
    damage is added up after Palmgren and Miner; the point with the largest damage is reported.
    """
    from flexarm.analysis.loads.fatigue import WoehlerLine

    result = flexarm.open_result(file)
    found = flexarm.fatigue(result, WoehlerLine(borne, cycles, slope))
    for i, link in enumerate(result.arm.links, 1):
        if link.section is None:
            console.warn(f"link {i} has no section: its stress is not known")
    _describe(found, float(result.time[-1] - result.time[0]), result.arm.name, console)
    if plots:
        from flexarm.plots.drawing.saving import save_figure
        from flexarm.plots.loads.stress_cycles import stress_cycles

        path = picture_folder(file) / "fatigue.png"
        save_figure(stress_cycles(result.arm.name, found), path)
        console.write(f"{path}")


def _describe(found: Fatigue, duration: float, name: str, console: Console) -> None:
    """Write where, how many cycles, how large, and what they do."""
    counted = found.cycles
    console.write(
        f"{name}: link {found.link}, at {found.at:g} of its length, y = {found.y:.4g} m, z = {found.z:.4g} m"
    )
    if not counted.number:
        console.write("its stress does not change: no cycles")
        return
    console.write(
        f"{counted.number:g} cycles in {duration:g} s, ranges up to {counted.ranges.max() / 1e6:.4g} MPa, "
        f"equivalent range {found.equivalent_range / 1e6:.4g} MPa"
    )
    for size, mean, count in sorted(
        zip(counted.ranges, counted.means, counted.counts, strict=True), reverse=True
    ):
        console.detail(f"  {count:g} of {size / 1e6:.4g} MPa about {mean / 1e6:.4g} MPa")
    damage = found.damage
    console.write(
        f"damage {damage:.3g}" + (f": fatigue after {1 / damage:.3g} such motions" if damage else "")
    )

"""`flexarm check`: coordinates, masses and frequencies of an arm before it is simulated."""

from __future__ import annotations

import textwrap
from pathlib import Path

import click

import flexarm
from flexarm.cli.options import arm_argument, console_options
from flexarm.cli.terminal.console import Console, counted

EPILOG = """\b
Example:
  flexarm check robots/usoro_two_link.yaml
"""


@click.command(epilog=EPILOG)
@arm_argument
@console_options
def check(arm: Path, console: Console) -> None:
    """Report coordinates, masses, frequencies and damping of an arm, and what looks wrong.

    The description is checked and the equations are derived; nothing is simulated or written.
    """
    from flexarm.analysis.checks import check_tables as tables  # loads NumPy, which the help does without

    description = flexarm.load_arm(arm)
    report = flexarm.check_arm(description)
    n_links, n_dof = len(description.links), len(report.coordinates)
    console.write(f"{description.name}: {counted(n_links, 'link')}, {counted(n_dof, 'coordinate')}")
    if n_dof:
        theta = f"theta = [{', '.join(report.coordinates)}]"
        console.write(textwrap.fill(theta, width=100, initial_indent="  ", subsequent_indent=" " * 11))
    for choice in description.segment_choices:
        console.write(f"{choice}")
    console.write()
    console.table(tables.link_rows(description, report), sides=tables.LINK_SIDES)
    if note := tables.section_note(description):
        console.write(f"  {note}")
    for note in [*tables.outline_notes(description), *tables.matrices_notes(description)]:
        console.write(f"  {note}")
    console.write()
    rows = tables.joint_rows(description, report)
    console.table(rows, sides=tables.JOINT_SIDES[: len(rows[0])])
    console.write()
    console.table(tables.arm_rows(report), sides="<<")
    for warning in report.warnings:
        console.warn(warning)

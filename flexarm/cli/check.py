"""`flexarm check`: what an arm is, in numbers, before it is simulated."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.console import Console, counted
from flexarm.cli.options import arm_argument, console_options

if TYPE_CHECKING:
    from flexarm.simulation.check import CheckReport
    from flexarm.spec.arm import Arm

EPILOG = """\b
Example:
  flexarm check robots/usoro_two_link.yaml
"""


@click.command(epilog=EPILOG)
@arm_argument
@console_options
def check(arm: Path, console: Console) -> None:
    """Say what an arm is: coordinates, masses, frequencies, and what looks wrong.

    The description is checked, the equations are derived, nothing is simulated and nothing is written.
    """
    description = flexarm.load_arm(arm)
    report = flexarm.check_arm(description)
    n_links, n_dof = len(description.links), len(report.coordinates)
    console.say(f"{description.name}: {counted(n_links, 'link')}, {counted(n_dof, 'coordinate')}")
    theta = f"theta = [{', '.join(report.coordinates)}]"
    console.say(textwrap.fill(theta, width=100, initial_indent="  ", subsequent_indent=" " * 11))
    console.say()
    console.table(_link_rows(description, report), sides=">>>>><")
    console.say()
    console.table(_arm_rows(report), sides="<<")
    for warning in report.warnings:
        console.warn(warning)


def _link_rows(arm: Arm, report: CheckReport) -> list[tuple[str, ...]]:
    """One line per link."""
    rows = [("link", "length", "mass", "hub", "modes", "frequencies with locked joints")]
    for i, link in enumerate(arm.links):
        frequencies = ", ".join(f"{frequency:.4g}" for frequency in report.link_frequencies[i])
        rows.append(
            (
                f"{i + 1}",
                f"{link.length:g} m",
                f"{report.link_masses[i]:.4g} kg",
                f"{report.hub_masses[i]:.4g} kg",
                f"{link.n_modes}",
                f"{frequencies} Hz" if frequencies else "rigid",
            )
        )
    return rows


def _arm_rows(report: CheckReport) -> list[tuple[str, str]]:
    """One line per number of the whole arm."""
    x, y, z = report.tip
    payload = f", {report.payload_mass:.4g} kg of it payload" if report.payload_mass else ""
    rows = [
        ("mass", f"{report.total_mass:.4g} kg{payload}"),
        ("tip at the start", f"({x:.4g}, {y:.4g}, {z:.4g}) m"),
        ("condition of the mass matrix", f"{report.condition:.3g}"),
    ]
    if len(report.arm_frequencies):
        lowest, highest = report.arm_frequencies[[0, -1]]
        rows += [
            ("frequencies with free joints", f"{lowest:.4g} to {highest:.4g} Hz"),
            ("largest step of rk4", f"{report.stable_step:.2g} s (without damping and control)"),
        ]
    return rows

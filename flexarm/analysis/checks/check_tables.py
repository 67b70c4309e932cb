"""Tables of text of a check of an arm."""

from __future__ import annotations

from flexarm.analysis.checks.check import CheckReport
from flexarm.description.arm.arm import Arm

SHOWN = 12
"""Frequencies of a link that are listed, the highest besides."""


def link_rows(arm: Arm, report: CheckReport) -> list[tuple[str, ...]]:
    """Return a heading and one row per link."""
    rows = [("link", "length", "mass", "hub", "modes", "frequencies with locked joints")]
    for i, link in enumerate(arm.links):
        found = report.link_frequencies[i]
        frequencies = ", ".join(f"{frequency:.4g}" for frequency in found[:SHOWN])
        frequencies += f", .. {found[-1]:.4g}" if len(found) > SHOWN else ""
        modes = f"{link.n_modes}" if link.segments == 1 else f"{link.segments} x {link.segment_modes}"
        rows.append(
            (
                f"{i + 1}",
                f"{link.length:g} m",
                f"{report.link_masses[i]:.4g} kg",
                f"{report.hub_masses[i]:.4g} kg",
                modes,
                f"{frequencies} Hz" if frequencies else "rigid",
            )
        )
    return rows


def arm_rows(report: CheckReport) -> list[tuple[str, str]]:
    """Return one row per number of the whole arm."""
    x, y, z = report.tip
    named = {"base": report.base_mass, "payload": report.payload_mass}
    parts = "".join(f", {mass:.4g} kg of it {name}" for name, mass in named.items() if mass)
    rows = [
        ("mass", f"{report.total_mass:.4g} kg{parts}"),
        ("tip at the start", f"({x:.4g}, {y:.4g}, {z:.4g}) m"),
        ("condition of the mass matrix", f"{report.condition:.3g}"),
    ]
    if len(report.arm_frequencies):
        lowest, highest = report.arm_frequencies[[0, -1]]
        rows += [
            ("frequencies with free joints", f"{lowest:.4g} to {highest:.4g} Hz"),
            *(
                (f"largest step of {method}", f"{step:.2g} s (without damping and control)")
                for method, step in report.stable_steps.items()
            ),
        ]
    return rows

"""The impacts of a run, in lines."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.results.result import Result


def describe_impacts(result: Result, console: Console) -> None:
    """Write the number of impacts and the contacts at the end; every single impact with -v."""
    from flexarm.results.events.impacts import has_impacts, impact_records, impact_summary

    if not has_impacts(result):
        return
    for impact, together in groupby(impact_records(result), lambda record: record.impact):
        points = list(together)
        lost = sum(entry.lost for entry in points)
        how = "" if any(entry.collides for entry in points) else " without a collision (Painleve)"
        console.detail(f"impact {impact}{how} at t = {points[0].time:.6f} s, energy lost {lost:.3g} J")
        for entry in points:
            console.detail(
                f"  {entry.what}, {entry.against}: {entry.before:.4g} to {entry.after:.4g} {entry.rate_unit}, "
                f"impulse {entry.impulse:.4g} {entry.impulse_unit}"
            )
            if entry.along is not None:
                before, after, impulse, case = entry.along
                console.detail(
                    f"    along it {before:.4g} to {after:.4g} m/s, impulse {impulse:.4g} N s: {case}"
                )
    for line in impact_summary(result):
        console.write(line)

"""The impacts of a flight, in lines."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from flexarm.cli.console import Console

if TYPE_CHECKING:
    from flexarm.results.result import Result


def describe_impacts(result: Result, console: Console) -> None:
    """Say how many impacts there were and what rests at the end; list every one of them to the curious (-v)."""
    from flexarm.results.impacts import impact_records, impact_summary

    if result.arm.contact is None:
        return
    for impact, together in groupby(impact_records(result), lambda record: record.impact):
        points = list(together)
        lost = sum(strike.lost for strike in points)
        console.detail(f"impact {impact} at t = {points[0].time:.6f} s, energy lost {lost:.3g} J")
        for strike in points:
            console.detail(
                f"  {strike.point}, wall {strike.wall}: {strike.before:.4g} to {strike.after:.4g} m/s, "
                f"impulse {strike.impulse:.4g} N s"
            )
    for line in impact_summary(result):
        console.write(line)

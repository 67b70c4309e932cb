"""The impacts of a flight, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.cli.console import Console, counted

if TYPE_CHECKING:
    from flexarm.simulation.result import Result


def describe_impacts(result: Result, console: Console) -> None:
    """Say how many impacts there were and what rests at the end; list every one of them to the curious (-v)."""
    contact = result.arm.contact
    if contact is None:
        return
    names = [place.name for place in contact.places(len(result.arm.links))]
    number, times = result["impact_number"], result["impact_time"]
    for impact in np.unique(number):
        rows = np.flatnonzero(number == impact)
        lost = result["impact_energy_lost"][rows].sum()
        console.detail(f"impact {impact} at t = {times[rows[0]]:.6f} s, energy lost {lost:.3g} J")
        for row in rows:
            console.detail(_line(result, int(row), names))
    lost = result["impact_energy_lost"].sum()
    summary = counted(int(number.max(initial=0)), "impact")
    if times.size:
        summary += f", the first at {times[0]:.6f} s, the last at {times[-1]:.6f} s; energy lost {lost:.3g} J"
    console.say(summary)
    forces = result.rows("contact_force", slice(result.n_samples - 1, None))[0]
    resting = [name for name, force in zip(names, forces.max(axis=1), strict=True) if force > 0]
    if resting:
        console.say(f"at rest on a wall at the end: {', '.join(resting)}")


def _line(result: Result, row: int, names: list[str]) -> str:
    """One point of an impact."""
    before, after, impulse = (
        result[name][row] for name in ("impact_velocity_before", "impact_velocity_after", "impact_impulse")
    )
    where = f"{names[result['impact_point'][row] - 1]}, wall {result['impact_wall'][row]}"
    return f"  {where}: {before:.4g} to {after:.4g} m/s, impulse {impulse:.4g} N s"

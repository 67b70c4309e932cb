"""Summary of a simulated run: steps, tip, energy, impacts and impulses, largest loads, warnings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import flexarm
from flexarm.analysis.loads.largest_loads import SIDES, load_rows
from flexarm.cli.tables.combined_drives import describe_drives
from flexarm.cli.tables.dry_friction import describe_friction
from flexarm.cli.tables.impacts import describe_impacts
from flexarm.cli.tables.motion_impulses import describe_motion_impulses
from flexarm.cli.tables.touches import describe_touches
from flexarm.cli.tables.tracking_table import describe_tracking
from flexarm.cli.terminal.console import Console
from flexarm.simulation.forces.energy_balance import is_conservative

if TYPE_CHECKING:
    from flexarm.results.result import Result


def describe_run(result: Result, path: Path, console: Console) -> None:
    """Write the steps of a run, where the tip ended, energy drift, impacts and impulses, warnings, and the path."""
    if console.quiet:
        return  # some of it takes a while to find out
    facts, arm = result.attributes, result.arm
    seconds = facts["solve_seconds"]
    console.write(f"{arm.name}: {facts['steps']} steps of {facts['method']} in {_duration(seconds)}")
    if "change_over" in facts:
        console.detail(f"{facts['methods']}")
    end = slice(result.n_samples - 1, None)
    x, y, z = result.rows("point_position", end)[0, -1]
    console.write(f"tip at t = {result.rows('time', end)[0]:g} s: ({x:.4f}, {y:.4f}, {z:.4f}) m")
    if is_conservative(arm):
        total, kinetic = result["energy_total"], result["energy_kinetic"]
        drift = np.abs(total - total[0]).max()
        console.write(f"energy kept to {drift:.1e} J; largest kinetic energy {kinetic.max():.3g} J")
    describe_drives(result, console)
    describe_impacts(result, console)
    describe_touches(result, console)
    describe_friction(result, console)
    describe_motion_impulses(result, console)
    if console.verbose:
        describe_tracking(result, console)
    if console.verbose and (rows := load_rows(result)):
        console.table(rows, SIDES[: len(rows[0])])
    console.detail(f"{facts['evaluations']} evaluations, {seconds / max(facts['evaluations'], 1):.2e} s each")
    console.detail(f"{facts['formulation']}, {facts['link_rotation']} link rotation, rtol {facts['rtol']:g}")
    console.detail(f"{result.n_samples} samples")
    for warning in flexarm.run_warnings(result):
        console.warn(warning)
    console.write(f"{path}")


def _duration(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"

"""What a finished run was like, in a few lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexarm.cli.console import Console

if TYPE_CHECKING:
    from flexarm.simulation.result import Result
    from flexarm.spec.arm import Arm


def describe_run(result: Result, path: Path, console: Console) -> None:
    """Say how a run went, where the arm ended and where the result is."""
    facts, arm = result.attributes, result.arm
    seconds = facts["solve_seconds"]
    console.say(f"{arm.name}: {facts['steps']} steps of {facts['method']} in {_duration(seconds)}")
    end = slice(result.n_samples - 1, None)
    x, y, z = result.rows("point_position", end)[0, -1]
    console.say(f"tip at t = {result.rows('time', end)[0]:g} s: ({x:.4f}, {y:.4f}, {z:.4f}) m")
    if keeps_energy(arm):
        console.say(f"energy kept to {energy_drift(result):.1e} of the largest kinetic energy")
    console.detail(f"{facts['evaluations']} evaluations, {seconds / max(facts['evaluations'], 1):.2e} s each")
    console.detail(f"{facts['formulation']}, {facts['link_rotation']} link rotation, rtol {facts['rtol']:g}")
    console.detail(f"{result.n_samples} samples")
    console.say(f"{path}")


def keeps_energy(arm: Arm) -> bool:
    """Whether nothing puts energy into the arm or takes it out."""
    driven = arm.loads or any(arm.drive)
    damped = any(any(link.damping) for link in arm.links)
    rubbed = any(joint.friction.viscous or joint.friction.coulomb for joint in arm.joints)
    return not (driven or damped or rubbed)


def energy_drift(result: Result) -> float:
    """Return the largest change of the total energy, as a part of the largest kinetic energy."""
    total = result["energy_total"]
    return float(np.max(np.abs(total - total[0])) / np.max(result["energy_kinetic"]))


def _duration(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"

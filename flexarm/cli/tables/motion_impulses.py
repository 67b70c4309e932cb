"""The impulses of prescribed motions with kinks, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.results.result import Result


def describe_motion_impulses(result: Result, console: Console) -> None:
    """Say how often prescribed angles have kinks and what that gives; list every impulse to the curious (-v)."""
    if "motion_impulse" not in result or not result["motion_impulse"].size:
        return
    from flexarm.description.arm.joint.words import worded

    joints = result.arm.joints
    names = ("time", "joint", "velocity_before", "velocity_after")
    columns = [result[f"motion_impulse_{name}"] for name in names]
    impulses, energy = result["motion_impulse"], result["motion_impulse_energy"]
    for time, joint, before, after, impulse in zip(*columns, impulses, strict=True):
        kind = joints[int(joint) - 1].kind
        console.detail(
            f"joint {joint} at t = {time:.6f} s: {before:.4g} to {after:.4g} {kind.rate_unit} at once, "
            f"impulse {impulse:.4g} {kind.impulse_unit}"
        )
    largest: dict[str, float] = {}
    for joint, impulse in zip(columns[1], np.abs(impulses), strict=True):
        unit = joints[int(joint) - 1].kind.impulse_unit
        largest[unit] = max(largest.get(unit, 0.0), impulse)
    kinks = np.unique(columns[0]).size
    up_to = " and ".join(f"{size:.3g} {unit}" for unit, size in largest.items())
    words = worded("angles", [joints[int(joint) - 1] for joint in columns[1]])
    console.write(
        f"{kinks} kink{'s' * (kinks != 1)} of prescribed {words}: impulses of up to {up_to}, "
        f"which give {energy.sum():.3g} J"
    )

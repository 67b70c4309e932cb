"""The impulses of prescribed motions with kinks, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.cli.console import Console

if TYPE_CHECKING:
    from flexarm.results.result import Result


def describe_motion_impulses(result: Result, console: Console) -> None:
    """Say how often prescribed angles have kinks and what that gives; list every impulse to the curious (-v)."""
    if "motion_impulse" not in result or not result["motion_impulse"].size:
        return
    names = ("time", "joint", "velocity_before", "velocity_after")
    columns = [result[f"motion_impulse_{name}"] for name in names]
    impulses, energy = result["motion_impulse"], result["motion_impulse_energy"]
    for time, joint, before, after, impulse in zip(*columns, impulses, strict=True):
        console.detail(
            f"joint {joint} at t = {time:.6f} s: {before:.4g} to {after:.4g} rad/s at once, impulse {impulse:.4g} N m s"
        )
    kinks = np.unique(columns[0]).size
    console.write(
        f"{kinks} kink{'s' * (kinks != 1)} of prescribed angles: impulses of up to {np.abs(impulses).max():.3g} N m s, "
        f"which give {energy.sum():.3g} J"
    )

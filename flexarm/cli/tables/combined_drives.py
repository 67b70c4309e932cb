"""What the drives of a run gave, for the summary: largest torques by their parts, and time at the motors' limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.cli.terminal.console import Console
from flexarm.plots.drawing.decimation import envelope
from flexarm.results.schema import TORQUE_PARTS

if TYPE_CHECKING:
    from flexarm.results.result import Result

AT_LIMIT = 1e-12
"""What a limit takes away, of the largest torque, that is round-off."""


def describe_drives(result: Result, console: Console) -> None:
    """Write a line for every joint whose drive is combined of parts or stays within its motor's limits."""
    recorded = [name for name in TORQUE_PARTS if f"torque_{name}" in result]
    if not recorded:
        return
    largest = {name: _largest(result, f"torque_{name}") for name in recorded if name != "limit"}
    total = _largest(result, "torque")
    for i, drive in enumerate(result.arm.drive):
        if drive is None or not drive.is_combined:
            continue
        parts = ", ".join(
            f"{name.replace('_', ' ')} {sizes[i]:.4g}" for name, sizes in largest.items() if sizes[i] > 0
        )
        limited = ""
        if drive.saturate:
            away = np.abs(result["torque_limit"][:, i])
            share = float(np.mean(away > AT_LIMIT * max(total[i], 1e-300)))
            limited = (
                f"; at its motor's limit in {share:.1%} of the samples" if share else "; never at its limit"
            )
        kind = result.arm.joints[i].kind
        size = f"{kind.force} up to {total[i]:.4g} {kind.force_unit}"
        console.write(f"joint {i + 1}: {size} ({parts}){limited}")


def _largest(result: Result, name: str) -> np.ndarray:
    """Largest size of a dataset (time, joint) at each joint."""
    return np.abs(envelope(result, name)[1]).max(axis=0)

"""What a run says of how its joints follow their references."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.analysis.joint_tracking import JointTracking
    from flexarm.results.result import Result


def describe_tracking(result: Result, console: Console) -> None:
    """Write a table of all joints with a reference, if there are any."""
    from flexarm.analysis.joint_tracking import BAND, joint_tracking  # loads what derives an arm

    headings = (
        "joint",
        "rms error",
        "largest",
        f"settles to {BAND:.0%}",
        "overshoot",
        "vibration left",
        "rms effort",
        "energy",
    )
    if found := joint_tracking(result):
        console.table([headings, *(_row(one, result) for one in found)], ">" * len(headings))


def _row(one: JointTracking, result: Result) -> tuple[str, ...]:
    kind = result.arm.joints[one.joint - 1].kind
    return (
        f"{one.joint}",
        f"{one.rms_error:.3g} {kind.unit}",
        f"{one.largest_error:.3g} {kind.unit} at {one.largest_at:.4g} s",
        "" if math.isnan(one.settling_time) else f"{one.settling_time:.4g} s",
        "" if math.isnan(one.overshoot) else f"{one.overshoot:.1%}",
        "" if math.isnan(one.residual_vibration) else f"{one.residual_vibration:.3g} {kind.unit}",
        f"{one.rms_torque:.4g} {kind.force_unit}",
        f"{one.energy:.4g} J",
    )

"""What a run says of how its joints follow their references."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.analysis.joint_tracking import BAND, JointTracking, joint_tracking

if TYPE_CHECKING:
    from flexarm.results.result import Result

HEADINGS = (
    "joint", "rms error", "largest", f"settles to {BAND:.0%}", "overshoot", "vibration left", "rms effort", "energy",
)  # fmt: skip
SIDES = ">>>>>>>>"


def tracking_rows(result: Result) -> list[tuple[str, ...]]:
    """Rows of a table of all joints with a reference, headings first; none without one."""
    found = joint_tracking(result)
    return [HEADINGS, *(_row(one, result) for one in found)] if found else []


def _row(one: JointTracking, result: Result) -> tuple[str, ...]:
    kind = result.arm.joints[one.joint - 1].kind
    settles = "" if np.isnan(one.settling_time) else f"{one.settling_time:.4g} s"
    return (
        f"{one.joint}",
        f"{one.rms_error:.3g} {kind.unit}",
        f"{one.largest_error:.3g} {kind.unit} at {one.largest_at:.4g} s",
        settles,
        "" if np.isnan(one.overshoot) else f"{one.overshoot:.1%}",
        "" if np.isnan(one.residual_vibration) else f"{one.residual_vibration:.3g} {kind.unit}",
        f"{one.rms_torque:.4g} {kind.force_unit}",
        f"{one.energy:.4g} J",
    )

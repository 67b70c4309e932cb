"""Dry friction of joints, in lines: what a run says of it, and that equations leave it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.description.arm.arm import Arm
    from flexarm.results.result import Result


def describe_friction(result: Result, console: Console) -> None:
    """Write what dry friction of joints took, and which of them it holds at the end; every phase with -v.

    With -v also the phases in which joints creep, as their friction is smoothed.
    """
    from flexarm.results.events.creep import creep_phases
    from flexarm.results.events.impacts import has_impacts
    from flexarm.results.events.sticking import sticking_phases

    arm = result.arm
    for creep in creep_phases(result) if console.verbose else ():
        console.detail(
            f"joint {creep.joint} creeps from {creep.begin:.6g} to {creep.end:.6g} s, by {creep.way:.3g} "
            f"{arm.joints[creep.joint - 1].kind.unit}: its friction is smoothed (friction: {{smoothing: 0}} makes it "
            "stick)"
        )
    if not arm.dry_joints or "friction_torque" not in result:
        return
    last = slice(result.n_samples - 1, None)
    if not has_impacts(result):
        console.write(f"dry friction took {result.rows('energy_lost_friction', last)[0]:.3g} J")
    end, phases = float(result.rows("time", last)[0]), sticking_phases(result)
    for phase in phases:
        joint = arm.joints[phase.joint - 1]
        console.detail(
            f"joint {phase.joint} sticks from {phase.begin:.6g} to {phase.end:.6g} s: friction holds up to "
            f"{phase.torque:.4g} of {joint.friction.at_rest:g} {joint.kind.force_unit}"
        )
    held = [
        f"joint {phase.joint} ({phase.last:.4g} {arm.joints[phase.joint - 1].kind.force_unit})"
        for phase in phases
        if phase.end == end
    ]
    if held:
        console.write(f"held by dry friction at the end: {', '.join(held)}")


def warn_that_friction_is_left_out(arm: Arm, console: Console) -> None:
    """Say that the equations of an arm do not hold the dry friction of joints that stick."""
    dry = [str(i) for i, joint in enumerate(arm.joints, 1) if joint.moves and joint.friction.is_dry]
    if dry:
        joints = f"joint{'s' * (len(dry) > 1)} {', '.join(dry)}"
        console.warn(f"the dry friction of {joints} is left out: it is no function of the state")

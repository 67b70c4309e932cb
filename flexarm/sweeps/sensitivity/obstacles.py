"""What stands in the way of derivatives: instants at which they jump, and what is not computed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flexarm.analysis.joint_tracking import reference_of
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure
from flexarm.sweeps.sensitivity.directions.directions import Directions
from flexarm.sweeps.sensitivity.directions.jumps import has_jumping_rate

OF_REFERENCES = ("rms_error", "largest_error", "overshoot")
"""Records that compare with references."""


def check_smooth(arm: Arm) -> None:
    """Refuse motions with instants at which the derivatives jump, but for those that are followed."""
    if arm.clocks:
        _check_sampled(arm)
    if has_jumping_rate(arm):
        raise ModelError(f"{arm.name}: derivatives of a prescribed motion with kinks are not computed",
                         hint="let the motion be smooth, e.g. by a move of the law quintic")  # fmt: skip


def _check_sampled(arm: Arm) -> None:
    """Refuse instants through which derivatives are not followed."""
    functions = [name for name, one in arm.controllers if one.function is not None]
    rounded = [name for name, one in arm.sensors if one.resolution is not None]
    if functions:
        raise ModelError(f"{arm.name}: {functions[0]} is a Python function, whose derivatives are not known",
                         hint="describe the controller by blocks")  # fmt: skip
    if rounded:
        raise ModelError(f"{arm.name}: {rounded[0]} measures in steps of its resolution, so there is no derivative",
                         hint="remove the resolution")  # fmt: skip


def check_datasets(arm: Arm, names: Collection[str]) -> None:
    """Refuse what counts."""
    if "contact_state" in names:
        raise ModelError(f"{arm.name}: contact_state counts what contacts do, so it has no derivative",
                         hint="ask for contact_slip or contact_tangential_force")  # fmt: skip


def check_references(
    arm: Arm, records: Sequence[ScalarMeasure], by: Sequence[str], found: Directions
) -> None:
    """Refuse records that compare with a reference which a key changes too."""
    for one in records:
        if one.name.partition(":")[0] not in OF_REFERENCES:
            continue
        for key, moved in zip(by, found.moved, strict=True):
            pairs = ((reference_of(arm, i), reference_of(moved, i)) for i in range(len(arm.joints)))
            if any(here != there for here, there in pairs):
                raise ModelError(
                    f"{one.name} compares with a reference that {key} changes, which its derivative does not know",
                    hint="ask for the quantity over time instead, e.g. joint_angle[0]",
                )

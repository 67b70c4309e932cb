"""What stands in the way of derivatives: instants at which they jump, and what is not computed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flexarm.analysis.joint_tracking import reference_of
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure
from flexarm.sweeps.sensitivity.directions.directions import Directions

OF_REFERENCES = ("rms_error", "largest_error", "overshoot")
"""Records that compare with references."""


def check_followed(arm: Arm) -> None:
    """Refuse sampled controllers and sensors whose derivatives are not known."""
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

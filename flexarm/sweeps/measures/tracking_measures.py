"""Measures of how a joint follows its reference, and of its effort."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexarm.analysis.joint_tracking import reference_of, rms
from flexarm.description.arm.arm import Arm
from flexarm.simulation.forces.time_functions import signal_values
from flexarm.simulation.forward.run import ForwardRun
from flexarm.sweeps.parameters.keys import KeyFault

Array = NDArray[np.float64]

TRACKING_MEASURES = {
    "rms_error": "root mean square distance of joint {} from its reference",
    "largest_error": "largest distance of joint {} from its reference",
    "rms_torque": "root mean square torque, or force, of joint {}",
}
"""Measure -> what it is; asked for as NAME:JOINT, the joint counted from 1."""
_NAME = re.compile(r"(\w+):\s*(\d+)")


@dataclass(frozen=True)
class TrackingMeasure:
    """How a measure of a joint is taken.

    Attributes
    ----------
    dataset : str
    units, meaning : str
    column : callable
        From samples of the dataset (k, joints) to those of the joint (k,).
    reduce : callable
        From times (k,), that column and the run to the number.
    """

    dataset: str
    units: str
    meaning: str
    column: Callable[[Array], Array]
    reduce: Callable[[Array, Array, ForwardRun], float]


def tracking_measure(name: str, arm: Arm) -> TrackingMeasure:
    """Read the name of a measure, such as ``rms_error:1``.

    Raises
    ------
    KeyFault
        There is no such joint, or it has no reference.
    """
    kind, match = name.partition(":")[0], _NAME.fullmatch(name)
    if match is None:
        raise KeyFault(f"got {name!r}, expected {kind}:JOINT, e.g. {kind}:1")
    joint, count = int(match[2]) - 1, len(arm.joints)
    if not 0 <= joint < count:
        raise KeyFault(f"{name!r}: there is no such joint", f"joints are counted from 1 to {count}")
    own, meaning, column = (
        arm.joints[joint],
        TRACKING_MEASURES[kind].format(joint + 1),
        partial(_of_joint, joint),
    )
    if kind == "rms_torque":
        return TrackingMeasure("torque", own.kind.force_unit, meaning, column, _rms)
    if reference_of(arm, joint) is None:
        raise KeyFault(f"{name!r}: joint {joint + 1} has no reference", f"give drive[{joint}] a pd")
    dataset = "motor_angle" if own.is_elastic else "joint_angle"
    reduce = partial(_error, joint, kind == "rms_error")
    return TrackingMeasure(dataset, own.kind.unit, meaning, column, reduce)


def _of_joint(joint: int, values: Array) -> Array:
    return values[:, joint]


def _rms(times: Array, values: Array, run: ForwardRun) -> float:
    return rms(times, values)


def _error(joint: int, mean: bool, times: Array, values: Array, run: ForwardRun) -> float:
    reference = reference_of(run.instance.arm, joint)
    assert reference is not None
    error = signal_values(reference, times) - values
    return rms(times, error) if mean else float(np.abs(error).max())

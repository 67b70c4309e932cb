"""Limits of a load: the speed-torque lines of the motors and the deviation of the tip, each where it is tightest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.catalogue import JOINT_TYPES, JointType
from flexarm.description.arm.arm import Arm


@dataclass(frozen=True)
class Constraint:
    """One bound at the instant at which a motion comes nearest to it or goes furthest beyond.

    Attributes
    ----------
    what : str
        ``torque`` or ``deviation``.
    joint : int
        Number of the joint, from 1; 0 for the deviation.
    time : float [s]
    value, limit : float [N m, N or m]
        What the motion takes there, and what is allowed; the torque with its sign.
    margin : float
        What is left, of the motor's stall torque or of the allowed deviation; negative beyond the bound.
    kind : JointType
        Type of the joint.
    """

    what: str
    joint: int
    time: float
    value: float
    limit: float
    margin: float
    kind: JointType = JOINT_TYPES["revolute"]

    def __str__(self) -> str:
        if self.what == "deviation":
            return f"deviation of the tip at t = {self.time:.4g} s: {self.value:.4g} m, allowed {self.limit:.4g} m"
        where, unit = (
            f"{self.kind.force} of joint {self.joint} at t = {self.time:.4g} s",
            self.kind.force_unit,
        )
        return f"{where}: {self.value:.4g} {unit}, bound {self.limit:.4g} {unit}"


def constraints(arm: Arm, data: dict[str, np.ndarray], deviation: float | None) -> list[Constraint]:
    """Every bound of a motion, the tightest first.

    Parameters
    ----------
    data : dict
        Datasets over time (k, ..): ``torque``, its bounds and ``tip_error`` are read.
    deviation : float or None [m]
        Allowed distance of the tip from its desired place.
    """
    found, times = [], data["time"]
    for i, joint in enumerate(arm.joints):
        if joint.motor.stall_torque is None:
            continue
        tau, upper, lower = (data[name][:, i] for name in ("torque", "torque_upper", "torque_lower"))
        margin = np.minimum(upper - tau, tau - lower) / (joint.motor.gear * joint.motor.stall_torque)
        k = int(margin.argmin())
        limit = upper[k] if upper[k] - tau[k] < tau[k] - lower[k] else lower[k]
        numbers = float(times[k]), float(tau[k]), float(limit), float(margin[k])
        found.append(Constraint("torque", i + 1, *numbers, joint.kind))
    if deviation is not None:
        k = int(data["tip_error"].argmax())
        value = float(data["tip_error"][k])
        found.append(Constraint("deviation", 0, float(times[k]), value, deviation, 1 - value / deviation))
    return sorted(found, key=lambda constraint: constraint.margin)

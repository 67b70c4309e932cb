"""Limits of a load: speed-torque lines of motors, deviation of the tip, stress, each where it is tightest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.catalogue import JOINT_TYPES, JointType
from flexarm.description.arm.arm import Arm
from flexarm.simulation.state.recorded_stress import place_of_largest


@dataclass(frozen=True)
class Constraint:
    """One bound at the instant at which a motion comes nearest to it or goes furthest beyond.

    Attributes
    ----------
    what : str
        ``torque``, ``deviation`` or ``stress``.
    joint : int
        Number of the joint, from 1, whose torque it is; else 0.
    time : float [s]
    value, limit : float [N m, N, m or Pa]
        What the motion takes there, and what is allowed; the torque with its sign.
    margin : float
        What is left, of the motor's stall torque or of what is allowed; negative beyond the bound.
    kind : JointType
        Type of the joint.
    link : int
        Number of the link, from 1, whose stress it is; else 0.
    """

    what: str
    joint: int
    time: float
    value: float
    limit: float
    margin: float
    kind: JointType = JOINT_TYPES["revolute"]
    link: int = 0

    def __str__(self) -> str:
        if self.what == "deviation":
            return f"deviation of the tip at t = {self.time:.4g} s: {self.value:.4g} m, allowed {self.limit:.4g} m"
        if self.what == "stress":
            return (
                f"stress of link {self.link} at t = {self.time:.4g} s: {self.value / 1e6:.4g} MPa, "
                f"allowed {self.limit / 1e6:.4g} MPa"
            )
        where, unit = (
            f"{self.kind.force} of joint {self.joint} at t = {self.time:.4g} s",
            self.kind.force_unit,
        )
        return f"{where}: {self.value:.4g} {unit}, bound {self.limit:.4g} {unit}"


def constraints(
    arm: Arm, data: dict[str, np.ndarray], deviation: float | None, max_stress: float | None = None
) -> list[Constraint]:
    """Every bound of a motion, the tightest first.

    Parameters
    ----------
    data : dict
        Datasets over time (k, ..): ``torque``, its bounds, ``tip_error`` and ``stress_max`` are read.
    deviation : float or None [m]
        Allowed distance of the tip from its desired place.
    max_stress : float or None [Pa]
        Allowed von Mises stress of the links.
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
    if max_stress is not None:
        k, link, station = place_of_largest(data["stress_max"])
        value = float(data["stress_max"][k, link, station])
        margin = 1 - value / max_stress
        found.append(Constraint("stress", 0, float(times[k]), value, max_stress, margin, link=link + 1))
    return sorted(found, key=lambda constraint: constraint.margin)

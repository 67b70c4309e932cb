"""How joints of a run follow their references: error, settling, overshoot, remaining vibration, effort, energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analysis.settling import settling_time
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.expression import Expression
from flexarm.results.result import Result
from flexarm.simulation.forces.break_points import last_change
from flexarm.simulation.forces.time_functions import signal_values

BAND = 0.05
"""Part of its way within which a joint has settled."""


@dataclass(frozen=True)
class JointTracking:
    """How a joint with a reference follows it, and what its drive does for that.

    Attributes
    ----------
    joint : int
        Counted from 1. Of an elastic one its motor, which is what the drive measures.
    rms_error, largest_error, largest_at : float [rad, prismatic: m; the last one s]
    final_error : float [rad, m]
    settling_time : float [s]
        From when on it stays within 5 % of its way about where its reference ends; NaN if it does not, or has no way.
    overshoot : float
        Beyond where its reference ends, over its way; NaN without one.
    residual_vibration : float [rad, m]
        Half the range of the error after the last change of the drives.
    rms_torque, largest_torque : float [N m, prismatic: N]
    energy : float [J]
        Work of the drive, and of what it takes back, from the samples.
    """

    joint: int
    rms_error: float
    largest_error: float
    largest_at: float
    final_error: float
    settling_time: float
    overshoot: float
    residual_vibration: float
    rms_torque: float
    largest_torque: float
    energy: float


def reference_of(arm: Arm, joint: int) -> Expression | TimeTable | None:
    """Reference of a joint, from 0, over time [rad, m]: that of its PD drive, or its motion; None of what has none."""
    drive = arm.drive[joint]
    if drive is None:
        return None
    found = drive.motion if drive.pd is None else drive.pd.followed
    return found if isinstance(found, Expression | TimeTable) else None


def joint_tracking(result: Result) -> list[JointTracking]:
    """Judge every joint of a simulated run that a PD drive leads along a reference.

    Means over time and energies are sums over the samples by trapezoids.
    """
    arm, found = result.arm, []
    times = result["time"]
    if times.size < 2:
        return []
    since = np.searchsorted(times, last_change(arm) * (1 - 1e-12))
    for i, drive in enumerate(arm.drive):
        reference = None if drive is None or drive.pd is None else reference_of(arm, i)
        if reference is None:
            continue
        name = "motor_angle" if arm.joints[i].is_elastic else "joint_angle"
        values, rates = result[name][:, i], result[name.replace("angle", "velocity")][:, i]
        error = signal_values(reference, times) - values
        torque, worst = result["torque"][:, i], int(np.abs(error).argmax())
        goal = values[-1] + error[-1]
        way, band = goal - values[0], BAND * abs(goal - values[0])
        found.append(
            JointTracking(
                i + 1,
                rms(times, error),
                float(abs(error[worst])),
                float(times[worst]),
                float(error[-1]),
                settling_time(times, values, goal - band, goal + band) if way else np.nan,
                max(0.0, float(((values - goal) / way).max())) if way else np.nan,
                float(np.ptp(error[since:])) / 2 if since < times.size else np.nan,
                rms(times, torque),
                float(np.abs(torque).max()),
                _integral(times, torque * rates),
            )
        )
    return found


def rms(times: np.ndarray, values: np.ndarray) -> float:
    """Root of the mean square of values (k,) over times (k,) [s], at least two."""
    return float(np.sqrt(_integral(times, values**2) / (times[-1] - times[0])))


def _integral(times: np.ndarray, values: np.ndarray) -> float:
    """Integral over time by trapezoids."""
    return float(np.sum(np.diff(times) * (values[1:] + values[:-1])) / 2)

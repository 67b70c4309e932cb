"""Excursions: joints that start, or are led by their motion, beyond their limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.joint.limits import BEYOND
from flexarm.description.motion.drive import Drive, TimeTable
from flexarm.description.motion.initial import Initial
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import Faults, wrong

if TYPE_CHECKING:
    import numpy as np

INSTANTS = 10_001
"""Times, spread evenly, at which a prescribed motion is compared with the limits."""


def beyond_limits(joint: Joint, number: int, value: float) -> str:
    """Say that a joint of a number, counted from 1, is beyond its limits; empty if it is not.

    Parameters
    ----------
    value : float [rad, m]
        Where it is.
    """
    if joint.limits is None or joint.limits.beyond(value) <= BEYOND:
        return ""
    unit = joint.kind.unit
    return f"joint {number} at {value:.6g} {unit}, beyond its limits, {joint.limits} {unit}"


def limit_faults(
    joints: Sequence[Joint], drive: Sequence[Drive | None], initial: Initial, duration: float
) -> Faults:
    """Faults of joints that start, or whose prescribed motions lead them, beyond their limits.

    Parameters
    ----------
    joints, drive : sequence
    initial : Initial
        Complete; where an equilibrium is sought, its angles are only where the search begins.
    duration : float [s]
    """
    for i, (joint, own, start) in enumerate(zip(joints, drive, initial.joints, strict=True)):
        motion = None if own is None else own.motion
        if joint.limits is None:
            continue
        of_motor = joint.is_elastic  # its stops are the joint's
        if own is not None and isinstance(motion, Expression | TimeTable) and not of_motor:
            times, values = sampled_motion(motion, duration)
            if message := excursion(joint, i + 1, times, values):
                hint = "prescribe another motion, or other limits"
                yield ("drive", i, "motion" if own.move is None else "move"), wrong(f"got {message}", hint)
        elif not initial.equilibrium and (where := beyond_limits(joint, i + 1, start)):
            fault = wrong(f"the limits exclude the start: {where}", "change initial.joints, or the limits")
            yield ("joints", i, "limits"), fault


def excursion(
    joint: Joint, number: int, times: np.ndarray, values: np.ndarray, allowed: float = BEYOND
) -> str:
    """Say when a joint leaves its limits first, and how far it gets; empty if it stays within them.

    Parameters
    ----------
    joint : Joint
    number : int
        Counted from 1.
    times : (k,) [s]
    values : (k,) [rad, m]
    allowed : float [rad, m]
        How far is not too far.
    """
    import numpy as np

    if joint.limits is None:
        return ""
    low, high = joint.limits.range
    beyond = np.maximum(low - values, values - high)
    if not np.any(beyond > allowed):
        return ""
    first, furthest = int(np.argmax(beyond > BEYOND)), int(np.argmax(beyond))
    unit = joint.kind.unit
    return (
        f"a motion that leads joint {number} beyond its limits, {joint.limits} {unit}, from t = {times[first]:.4g} s "
        f"on, as far as {values[furthest]:.6g} {unit} at t = {times[furthest]:.4g} s"
    )


def sampled_motion(motion: Expression | TimeTable, duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Times from 0 to a duration [s], and a prescribed motion there [rad, m]."""
    import numpy as np

    times = np.linspace(0.0, duration, INSTANTS)
    if isinstance(motion, Expression):
        return times, motion.at(times)
    from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial

    times = np.union1d(times, [t for t in motion.times if 0 <= t <= duration])
    return times, PiecewisePolynomial.cubic(motion.times, motion.values)(times)

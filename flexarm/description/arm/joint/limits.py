"""Limits of joints: stops at the ends of a joint's range, and whether a joint starts and moves within them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from flexarm.description.arm.walls import Restitution
from flexarm.description.motion.drive import Drive, TimeTable
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import Faults, InputModel, expected, key, wrong
from flexarm.description.values.quantities import ANGLE_SCHEMA, TypedAngle, angle, read_by

if TYPE_CHECKING:
    import numpy as np

    from flexarm.description.arm.joint.joint import Joint
    from flexarm.description.motion.initial import Initial

BEYOND = 1e-10
"""Angle [rad] or position [m] beyond a limit that is on it."""
INSTANTS = 10_001
"""Times, spread evenly, at which a prescribed motion is compared with the limits."""


def _ordered(bounds: tuple[float, float]) -> tuple[float, float]:
    low, high = bounds
    if math.isnan(low) or math.isnan(high):
        raise wrong(f"got [{low:g}, {high:g}], expected two numbers", "-.inf or .inf where there is no limit")
    if not low < high:
        raise wrong(f"got [{low:g}, {high:g}], expected the lower limit first, and below the upper one")
    if math.isinf(low) and math.isinf(high):
        raise wrong(f"got [{low:g}, {high:g}], which limits nothing", "leave limits away")
    return bounds


def _two(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise expected("a list of 2 limits [lower, upper]", "-.inf or .inf where there is none")
    return value


Bound = Annotated[float, Field(strict=True), read_by(angle)]
Bounds = Annotated[
    tuple[Bound, Bound],
    BeforeValidator(_two),
    AfterValidator(_ordered),
    WithJsonSchema({"type": "array", "items": ANGLE_SCHEMA, "minItems": 2, "maxItems": 2}),
]


class JointLimits(InputModel):
    """Limits of a joint: rigid stops at the ends of its range."""

    range: Bounds = key(
        "least and greatest angle, or position, of the joint; -.inf or .inf on a side without a stop",
        "rad, prismatic: m",
    )
    restitution: Restitution = key(
        "coefficient of restitution of the stops: rate after over rate before an impact", "-", default=0.0
    )

    @property
    def has_angles(self) -> bool:
        """True if a limit was typed with a unit of angle."""
        return any(isinstance(bound, TypedAngle) for bound in self.range)

    def beyond(self, value: float) -> float:
        """By how much an angle [rad] or a position [m] is beyond the limits; negative between them."""
        low, high = self.range
        return max(low - value, value - high)

    def __str__(self) -> str:
        return range_text(*self.range)


def range_text(low: float, high: float) -> str:
    """Name a range [rad, m, deg]: "-1 to 1", "at most 1"."""
    if math.isinf(low):
        return f"at most {high:.6g}"
    return f"at least {low:.6g}" if math.isinf(high) else f"{low:.6g} to {high:.6g}"


def _limits(value: Any) -> Any:
    if isinstance(value, JointLimits | dict):
        return value
    if not isinstance(value, list | tuple):
        raise expected("[lower, upper] or {range: [lower, upper], restitution: 0.2}")
    return {"range": value}


LimitsInput = Annotated[
    JointLimits | None, BeforeValidator(_limits, json_schema_input_type=JointLimits | Bounds | None)
]


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

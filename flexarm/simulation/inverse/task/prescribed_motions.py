"""Prescribed motions of joints and loads that change in time, as far as they concern a trajectory."""

from __future__ import annotations

from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.expression import Expression, undefined_value
from flexarm.errors import ModelError
from flexarm.simulation.forces.time_functions import interpolation


def prescribed_joints(arm: Arm) -> list[int]:
    """Numbers from 0 of the joints whose motion the arm's drives prescribe."""
    return [
        i
        for i, (joint, drive) in enumerate(zip(arm.joints, arm.drive, strict=True))
        if joint.moves and drive is not None and drive.motion is not None
    ]


def prescribed_motion(arm: Arm, joint: int, duration: float) -> Expression | PiecewisePolynomial:
    """Prescribed angle [rad] of a joint, counted from 0, over a trajectory of a duration [s].

    Raises
    ------
    ModelError
        A table ends before the trajectory, or an expression has no value somewhere.
    """
    motion, what = arm.drive[joint].motion, f"{arm.name}: drive[{joint}].motion"  # type: ignore[union-attr]
    if motion == "hold":
        return Expression(repr(float(arm.initial.joints[joint])))
    if isinstance(motion, TimeTable):
        if motion.times[-1] < duration:
            raise ModelError(
                f"{what}: the table ends at {motion.times[-1]:g} s, expected one up to the end of the trajectory at "
                f"{duration:g} s"
            )
        return interpolation(motion)
    assert isinstance(motion, Expression)
    return _defined(motion, duration, what)


def load_expressions(arm: Arm, duration: float) -> list[Expression]:
    """Loads of an arm that change in time."""
    return [
        _defined(value, duration, f"{arm.name}: loads[{k}].{name}[{axis}]")
        for k, load in enumerate(arm.loads)
        for name, vector in load.signals.items()
        for axis, value in enumerate(vector)
        if isinstance(value, Expression)
    ]


def _defined(expression: Expression, duration: float, what: str) -> Expression:
    """Refuse an expression that has no value somewhere on a trajectory of a duration [s]."""
    if fault := undefined_value(expression, duration, "the trajectory's end"):
        raise ModelError(f"{what}: {fault}")
    return expression

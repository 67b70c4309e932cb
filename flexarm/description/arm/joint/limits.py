"""Limits of joints: stops at the ends of a joint's range."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from flexarm.description.arm.walls import Restitution
from flexarm.description.values.input_model import InputModel, expected, key, wrong
from flexarm.description.values.quantities import ANGLE_SCHEMA, TypedAngle, angle, read_by

BEYOND = 1e-10
"""Angle [rad] or position [m] beyond a limit that is on it."""


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

"""Floating body on which an arm is mounted: the body of a satellite."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from flexarm.description.values.input_model import InputModel, expected, key
from flexarm.description.values.quantities import Inertia6, Positive, Vector

BASE_TYPES = ("fixed", "planar", "free")
"""Types of a base; the last two float."""


class FloatingBody(InputModel):
    """Floating body: a rigid body at which the first joint sits; its frame begins there."""

    type: Literal["planar", "free"] = key(
        "how it floats: planar = along x and y and about z, free = in every way"
    )
    mass: Positive = key("mass", "kg")
    inertia: Inertia6 = key("inertia about its own mass centre", "kg m^2")
    attachment: Vector = key("place of the first joint, from the mass centre", "m", default=(0.0, 0.0, 0.0))


def _type(value: Any) -> Any:
    """Type of a base as typed, by its name or as a body."""
    if isinstance(value, dict):
        value = (
            value.get("type") if value.get("type") in BASE_TYPES[1:] else "free"
        )  # said by the body itself
    if isinstance(value, str) or value is None:
        return value
    raise expected("fixed, planar, free or {type: .., mass: .., inertia: ..}")


def _body(value: Any) -> Any:
    """Body of a base as typed; None for one that has none, whose type is checked apart."""
    return value if isinstance(value, dict | FloatingBody) else None


BaseType = Annotated[Literal["fixed", "planar", "free"], BeforeValidator(_type)]
BaseBody = Annotated[
    FloatingBody | None,
    BeforeValidator(_body, json_schema_input_type=Literal["fixed", "planar", "free"] | FloatingBody),
]

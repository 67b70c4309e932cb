"""Bending stiffness of a link by direction of deflection."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo

from flexarm.description.values.input_model import InputModel, expected, key
from flexarm.description.values.profile import Profile, ProfileInput, StationedProfile, TabledProfile
from flexarm.description.values.quantities import Positive, is_number


class Bending(InputModel):
    """Bending stiffness by direction of deflection: ``y`` resists deflection along y, in the xy plane."""

    y: ProfileInput | None = key(
        "against deflection along y (bending in the xy plane)", "N m^2", default=None
    )
    z: ProfileInput | None = key(
        "against deflection along z (bending in the xz plane)", "N m^2", default=None
    )


def _bending(value: Any, info: ValidationInfo) -> Any:
    """Bending stiffness as typed; a plain number or profile is that against deflection along y."""
    if isinstance(value, Bending):
        return value
    if isinstance(value, dict) and not {"eta", "values", "table"} & value.keys():
        return Bending.model_validate(value, context=info.context)
    if not is_number(value) and not isinstance(value, dict | Profile):
        raise expected("a number, {y: .., z: ..}, {eta: [..], values: [..]} or {table: FILE}")
    return Bending(y=_Along.model_validate({"y": value}, context=info.context).y)


class _Along(InputModel):
    y: ProfileInput


BendingInput = Annotated[
    Bending,
    BeforeValidator(_bending, json_schema_input_type=Positive | StationedProfile | TabledProfile | Bending),
]
